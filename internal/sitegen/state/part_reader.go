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

// ReadPart reads the entries of a part at once.
func ReadPart(o *output.Writer, name string) ([]Entry, error) {
	p, err := OpenPart(o, name)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	var all []Entry
	for range p.Entries {
		k, _, err := p.Next()
		if err != nil {
			return nil, err
		}
		all = append(all, k)
	}
	return all, nil
}
