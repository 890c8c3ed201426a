package state

import (
	"viewer/internal/codec"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
)

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
	err := p.readRest(false)
	p.ForgetSources()
	return err
}

func (p *PlanReader) readRest(withSources bool) error {
	err := p.readSources(withSources)
	p.Loose = make(map[fingerprint.Digest]string)
	if err == nil {
		err = p.records.each(func(f *codec.Decoder) {
			if id, facts := f.Digest(), f.Text(); !f.Short {
				p.Loose[id] = facts
			}
		})
	}
	p.Lookups = make(map[fingerprint.Digest]Lookup)
	if err == nil {
		err = p.records.each(func(f *codec.Decoder) {
			if id, l := fingerprint.Digest(f.Digest()), decodeLookup(f); !f.Short {
				p.Lookups[id] = l
			}
		})
	}
	if err == nil {
		p.Sessions, err = p.records.number()
	}
	if err != nil {
		err = failedFile(p.name, err)
	}
	return err
}

// readSources reads the sources and scans, and keeps them if they are wanted.
func (p *PlanReader) readSources(wanted bool) error {
	number, err := p.records.number()
	for range number {
		var s PlannedSource
		if err == nil {
			err = p.records.next(func(f *codec.Decoder) { s.ID = f.Text() })
		}
		if err == nil {
			err = p.records.each(func(f *codec.Decoder) {
				if file := decodePlannedFile(f); wanted && !f.Short {
					s.Files = append(s.Files, file)
				}
			})
		}
		if err != nil {
			return err
		}
		p.Sources = append(p.Sources, s)
	}
	if err != nil {
		return err
	}
	return p.records.each(func(f *codec.Decoder) {
		if scan := decodePlannedScan(f); wanted && !f.Short {
			p.Scans = append(p.Scans, scan)
		}
	})
}

// ReadPlan reads a plan at once.
func ReadPlan(o *output.Writer, name string) (*Plan, error) {
	p, err := OpenPlan(o, name)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if err := p.readRest(true); err != nil {
		return nil, err
	}
	for range p.Sessions {
		s, err := p.Session()
		if err != nil {
			return nil, err
		}
		p.Plan.Sessions = append(p.Plan.Sessions, s)
	}
	p.Files = make(map[fingerprint.Digest]File)
	return &p.Plan, p.ReadFiles(func(f SourceFile) { p.Files[f.ID] = f.File })
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
