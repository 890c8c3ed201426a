package state

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/cespare/xxhash/v2"

	"viewer/internal/codec"
	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
	"viewer/internal/transcript"
)

// A Plan is what the shards of a build share: the files of the sources as they were found, the facts from the scan of
// these files, and the shard of each session.
type Plan struct {
	Digest  fingerprint.Digest // of all that follows except times: plans of the same sources have the same digest
	Program fingerprint.Digest // the program that made it
	Base    fingerprint.Digest // of the program and the options
	Shards  int
	Start   int64 // when the files were found, in nanoseconds since 1970

	NoSearch, Tables, Prune bool
	Prices, Filter          string // the date of the prices; the filter of the sessions, as JSON
	Problems                []transcript.Problem

	Kept  []fingerprint.Digest // sessions of the last build whose files are missing
	Taken []string             // their folders
	Moved []fingerprint.Digest // sessions of the last build whose files were moved

	Sources  []PlannedSource
	Scans    []PlannedScan
	Files    map[fingerprint.Digest]File
	Loose    map[fingerprint.Digest]string // see State.LooseFacts
	Lookups  map[fingerprint.Digest]Lookup
	Sessions []PlannedSession // in the order of the build
}

// A PlannedSource is the files of one source.
type PlannedSource struct {
	ID    string
	Files []PlannedFile
}

// A PlannedFile is a file of a source.
type PlannedFile struct {
	Path string
	fingerprint.Stamp
}

// A PlannedScan holds what the scan of a file found.
type PlannedScan struct {
	ID      fingerprint.Digest // of the file
	Content fingerprint.Digest
	Facts   string // encoded
	Failure string // why the file cannot be read, "" when it can
}

// A PlannedSession is a session and the shard that it belongs to.
type PlannedSession struct {
	ID    fingerprint.Digest // of its main file
	Shard int
}

const planMagic = "viewer plan 2\n"

// WritePlan writes a plan.
func WritePlan(o *output.Writer, name string, p *Plan) error {
	_, _, err := writeFile(o, name, func(w *stream) error {
		w.Encoder = append(w.Encoder, planMagic...)
		p.encodeHead(&w.Encoder)
		w.Digest(p.Digest)
		w.Int(p.Start)
		p.encodeSources(w, true)
		w.flushFull()
		w.Int(int64(len(p.Files)))
		for _, id := range fingerprint.SortedKeys(p.Files) {
			w.Digest(id)
			EncodeFile(&w.Encoder, p.Files[id])
			w.flushFull()
		}
		return nil
	})
	if err != nil {
		return err
	}
	return o.Commit(name)
}

// SetDigest computes the digest of a plan. Stamps are left out: they differ between machines that see the same files.
func (p *Plan) SetDigest() {
	h := sha256.New()
	w := &stream{to: h, sum: xxhash.New()}
	p.encodeHead(&w.Encoder)
	p.encodeSources(w, false)
	w.flush()
	p.Digest = fingerprint.Digest(h.Sum(nil)[:len(fingerprint.Digest{})])
}

func (p *Plan) encodeHead(w *codec.Encoder) {
	w.Digest(p.Program)
	w.Digest(p.Base)
	w.Int(int64(p.Shards))
	w.Bool(p.NoSearch)
	w.Bool(p.Tables)
	w.Bool(p.Prune)
	w.Text(p.Prices, p.Filter)
	encodeProblems(w, p.Problems)
	for _, ids := range [][]fingerprint.Digest{p.Kept, p.Moved} {
		w.Int(int64(len(ids)))
		for _, id := range ids {
			w.Digest(id)
		}
	}
	w.Texts(p.Taken)
}

// encodeSources encodes what grows with the sources, with or without stamps.
func (p *Plan) encodeSources(w *stream, stamps bool) {
	w.Int(int64(len(p.Sources)))
	for i := range p.Sources {
		s := &p.Sources[i]
		w.Text(s.ID)
		w.Int(int64(len(s.Files)))
		for _, f := range s.Files {
			w.Text(f.Path)
			if stamps {
				encodeStamp(&w.Encoder, f.Stamp)
			} else {
				w.Int(f.Size)
			}
			w.flushFull()
		}
	}
	w.Int(int64(len(p.Scans)))
	for i := range p.Scans {
		s := &p.Scans[i]
		w.Digest(s.ID)
		w.Digest(s.Content)
		w.Text(s.Facts, s.Failure)
		w.flushFull()
	}
	w.Int(int64(len(p.Loose)))
	for _, id := range fingerprint.SortedKeys(p.Loose) {
		w.Digest(id)
		w.Text(p.Loose[id])
		w.flushFull()
	}
	encodeLookups(w, p.Lookups)
	w.Int(int64(len(p.Sessions)))
	for _, s := range p.Sessions {
		w.Digest(s.ID)
		w.Int(int64(s.Shard))
		w.flushFull()
	}
}

// ForgetSources frees the memory of what only shards need.
func (p *Plan) ForgetSources() {
	p.Sources, p.Scans = nil, nil
	own := func(s *string) { *s = strings.Clone(*s) } // not a part of the whole file
	own(&p.Prices)
	own(&p.Filter)
	for i := range p.Taken {
		own(&p.Taken[i])
	}
	for i := range p.Problems {
		own(&p.Problems[i].Pos.File)
		own(&p.Problems[i].Text)
	}
	for id, facts := range p.Loose {
		p.Loose[id] = strings.Clone(facts)
	}
}

// failedFile returns the error for an unusable file of shards.
func failedFile(name string, err error) error {
	return failure.New(fmt.Errorf("reading %s: %w", name, failure.Cause(err)),
		"begin again with viewer plan, and build the shards with the same program")
}

func (p *Plan) decodeHead(f *codec.Decoder) {
	p.Program, p.Base, p.Shards, p.NoSearch = f.Digest(), f.Digest(), int(f.Int()), f.Bool()
	p.Tables, p.Prune = f.Bool(), f.Bool()
	p.Prices, p.Filter = f.Text(), f.Text()
	p.Problems = decodeProblems(f)
	for _, ids := range []*[]fingerprint.Digest{&p.Kept, &p.Moved} {
		for range f.Count() {
			*ids = append(*ids, f.Digest())
		}
	}
	p.Taken = f.Texts()
	p.Digest, p.Start = f.Digest(), f.Int()
}

func decodePlannedFile(f *codec.Decoder) PlannedFile { return PlannedFile{f.Text(), decodeStamp(f)} }

func decodePlannedScan(f *codec.Decoder) PlannedScan {
	return PlannedScan{f.Digest(), f.Digest(), f.Text(), f.Text()}
}

func decodePlannedSession(f *codec.Decoder) PlannedSession {
	return PlannedSession{f.Digest(), int(f.Int())}
}
