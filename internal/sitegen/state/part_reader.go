package state

import (
	"viewer/internal/codec"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
)

// A PartReader reads the entries of a part one after the other.
type PartReader struct {
	Plan    fingerprint.Digest
	Shard   int
	Read    int64
	Entries int

	name    string
	records *recordReader
}

// OpenPart opens a part.
func OpenPart(o *output.Writer, name string) (*PartReader, error) {
	records, _, err := openRecords(o, name, partMagic)
	if err != nil {
		return nil, failedFile(o.PathOf(name), err)
	}
	p := &PartReader{name: o.PathOf(name), records: records}
	err = records.next(func(f *codec.Decoder) {
		p.Plan, p.Shard, p.Read, p.Entries = f.Digest(), int(f.Int()), f.Int(), int(f.Int())
	})
	if err != nil {
		records.close()
		return nil, failedFile(o.PathOf(name), err)
	}
	return p, nil
}

// Next returns the next entry, and its session as the state has it. Both share the memory of some thousand bytes of the
// part.
func (p *PartReader) Next() (entry Entry, session string, err error) {
	err = p.records.next(func(f *codec.Decoder) {
		entry = Entry{}
		session = decodeEntry(f, &entry)
	})
	if err != nil {
		err = failedFile(p.name, err)
	}
	return entry, session, err
}

// Close closes the part. It returns an error if the part has more data.
func (p *PartReader) Close() error {
	p.records.close()
	if !p.records.isDone() {
		return failedFile(p.name, errDamaged)
	}
	return nil
}

// A PlanReader reads a plan piece by piece, for plans with many sessions.
type PlanReader struct {
	Plan     // without Sources, Scans, Files and Sessions
	Sessions int

	name    string
	records *recordReader
}

// OpenPlan opens a plan.
func OpenPlan(o *output.Writer, name string) (*PlanReader, error) {
	records, _, err := openRecords(o, name, planMagic)
	if err != nil {
		return nil, failedFile(o.PathOf(name), err)
	}
	p := &PlanReader{name: o.PathOf(name), records: records}
	err = records.next(func(f *codec.Decoder) {
		p.Plan = Plan{}
		p.decodeHead(f)
	})
	if err == nil && p.Shards < 1 {
		err = errDamaged
	}
	if err != nil {
		records.close()
		return nil, failedFile(o.PathOf(name), err)
	}
	return p, nil
}

// ReadRest reads the plan up to its sessions, and counts them.
func (p *PlanReader) ReadRest() error {
	read := func() error {
		sources, err := p.records.number()
		for range sources {
			if err == nil {
				err = p.records.next(func(f *codec.Decoder) { f.Text() })
			}
			if err == nil {
				err = p.records.each(func(f *codec.Decoder) { decodePlannedFile(f) })
			}
		}
		if err == nil {
			err = p.records.each(func(f *codec.Decoder) { decodePlannedScan(f) })
		}
		p.Loose = make(map[fingerprint.Digest]string)
		if err == nil {
			var id fingerprint.Digest
			var facts string
			err = p.records.each(func(f *codec.Decoder) {
				id, facts = f.Digest(), f.Text()
				if !f.Short {
					p.Loose[id] = facts
				}
			})
		}
		p.Lookups = make(map[fingerprint.Digest]Lookup)
		if err == nil {
			err = p.records.each(func(f *codec.Decoder) {
				id, l := f.Digest(), decodeLookup(f)
				if !f.Short {
					p.Lookups[id] = l
				}
			})
		}
		if err == nil {
			p.Sessions, err = p.records.number()
		}
		return err
	}
	if err := read(); err != nil {
		return failedFile(p.name, err)
	}
	p.ForgetSources()
	return nil
}

// Session returns the next of the sessions.
func (p *PlanReader) Session() (s PlannedSession, err error) {
	err = p.records.next(func(f *codec.Decoder) { s = decodePlannedSession(f) })
	if err != nil {
		err = failedFile(p.name, err)
	}
	return s, err
}

// ReadFiles reads the files, which follow the sessions.
func (p *PlanReader) ReadFiles(do func(SourceFile)) error {
	n, err := p.records.number()
	for range n {
		var one SourceFile
		if err == nil {
			err = p.records.next(func(f *codec.Decoder) { one = SourceFile{f.Digest(), DecodeFile(f)} })
		}
		if err != nil {
			break
		}
		do(one)
	}
	if err == nil && !p.records.isDone() {
		err = errDamaged
	}
	if err != nil {
		err = failedFile(p.name, err)
	}
	return err
}

// Close closes the plan.
func (p *PlanReader) Close() { p.records.close() }
