package archive

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// An Index has the files and streams that the records of a manifest describe.
type Index struct {
	Chain   Chain
	Hashes  []Sum             // of the chain after each record
	Files   map[Key][]*Record // the versions of each file, the newest last
	Streams map[string]*Stream
	Size    int64 // of the finished lines of the manifest, in bytes

	bySum  map[Sum]*Record
	byHead map[string][]*Record
}

// A Stream is a file of frames.
type Stream struct {
	Name   string
	Frames []Frame // in the order of the file
	Size   int64   // of the content
	Packed int64   // of the file
}

// A Fault is a line of the manifest that was changed.
type Fault struct {
	Line int
	Err  error
}

// ErrFormat is the error for the manifest of another version of the format.
var ErrFormat = errors.New("it is from a newer version of viewer")

// NewIndex returns the index of an empty archive.
func NewIndex() *Index {
	return &Index{
		Files: make(map[Key][]*Record), Streams: make(map[string]*Stream),
		bySum: make(map[Sum]*Record), byHead: make(map[string][]*Record),
	}
}

// IsManifest reports whether a file with this beginning is the manifest of an archive.
func IsManifest(begin []byte) bool {
	_, rest, ok := bytes.Cut(begin, []byte(` {"viewerArchive":"`))
	return ok && len(begin)-len(rest) < 80
}

// ReadIndex reads a manifest. An unfinished last line is ignored. Lines that were changed are reported as faults, and
// the others count.
func ReadIndex(manifest []byte) (*Index, []Fault, error) {
	x := NewIndex()
	var faults []Fault
	for n := 1; ; n++ {
		line, _, whole := bytes.Cut(manifest[x.Size:], []byte("\n"))
		if !whole {
			return x, faults, nil
		}
		x.Size += int64(len(line)) + 1
		r, err := x.Chain.Read(line)
		x.Hashes = append(x.Hashes, x.Chain.Last)
		if err != nil {
			faults = append(faults, Fault{n, err})
		}
		switch {
		case r.Format != "" && r.Format != Format:
			return x, faults, ErrFormat
		case r.IsFile():
			if err := x.Add(&r); err != nil {
				faults = append(faults, Fault{n, err})
			}
		}
	}
}

// Add adds a record. It returns an error if its frames do not begin where their streams end, or if its parts do not
// exist.
func (x *Index) Add(r *Record) error {
	if err := x.Fits(r); err != nil {
		return err
	}
	for _, f := range r.Frames {
		s := x.Streams[f.Stream]
		if s == nil {
			s = &Stream{Name: f.Stream}
			x.Streams[f.Stream] = s
		}
		s.Frames = append(s.Frames, f)
		s.Size, s.Packed = f.To, s.Packed+f.Packed
	}
	x.Files[r.Key()] = append(x.Files[r.Key()], r)
	if x.bySum[r.Sum] == nil {
		x.bySum[r.Sum] = r
	}
	if r.Head != "" {
		x.byHead[r.Head] = append(x.byHead[r.Head], r)
	}
	return nil
}

// Fits returns an error unless the record can be added: its frames begin where their streams end, and its parts exist.
func (x *Index) Fits(r *Record) error {
	type end struct{ size, packed int64 }
	ends := make(map[string]end)
	endOf := func(stream string) end {
		e, ok := ends[stream]
		if s := x.Streams[stream]; !ok && s != nil {
			e = end{s.Size, s.Packed}
		}
		return e
	}
	for _, f := range r.Frames {
		if e := endOf(f.Stream); f.At != e.packed || f.From != e.size {
			return fmt.Errorf("a frame of %s is missing", f.Stream)
		}
		ends[f.Stream] = end{f.To, f.At + f.Packed}
	}
	for _, p := range r.Parts {
		if endOf(p.Stream).size < p.To {
			return fmt.Errorf("a part of %s is missing", p.Stream)
		}
	}
	return nil
}

// Newest returns the newest version of a file, or nil.
func (x *Index) Newest(k Key) *Record {
	if all := x.Files[k]; len(all) > 0 {
		return all[len(all)-1]
	}
	return nil
}

// Keys returns the keys of all files, sorted.
func (x *Index) Keys() []Key {
	return slices.SortedFunc(maps.Keys(x.Files), func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.Machine, b.Machine), cmp.Compare(a.Folder, b.Folder), cmp.Compare(a.Path, b.Path))
	})
}

// WithSum returns a version with this content, or nil.
func (x *Index) WithSum(sum Sum) *Record { return x.bySum[sum] }

// maxAlike is the maximum number of versions with the same beginning that are considered.
const maxAlike = 64

// Alike returns versions that may share content with a file with this beginning, of the file itself and of others, the
// shortest first.
func (x *Index) Alike(k Key, head string) []*Record {
	var all []*Record
	if newest := x.Newest(k); newest != nil && newest.Size > 0 {
		all = append(all, newest)
	}
	if head != "" {
		others := x.byHead[head]
		all = append(all, others[max(0, len(others)-maxAlike):]...)
	}
	slices.SortStableFunc(all, func(a, b *Record) int { return cmp.Compare(a.Size, b.Size) })
	return slices.CompactFunc(all, func(a, b *Record) bool { return a.Sum == b.Sum })
}

// Slice returns the parts of a range of a content.
func Slice(parts []Part, from, to int64) []Part {
	var some []Part
	at := int64(0)
	for _, p := range parts {
		n := p.To - p.From
		a, b := max(from-at, 0), min(to-at, n)
		if a < b {
			some = Join(some, Part{p.Stream, p.From + a, p.From + b})
		}
		at += n
	}
	return some
}

// Join appends a part to a list, which the caller must own.
func Join(parts []Part, p Part) []Part {
	if last := len(parts) - 1; last >= 0 && parts[last].Stream == p.Stream && parts[last].To == p.From {
		parts[last].To = p.To
		return parts
	}
	return append(parts, p)
}

// Continues reports whether a version begins with the whole of another one, according to its parts.
func (r *Record) Continues(from *Record) bool {
	return r.Size >= from.Size && slices.Equal(Slice(r.Parts, 0, from.Size), Slice(from.Parts, 0, from.Size))
}

// FrameAt returns the index of the frame with the byte at an offset of the content of a stream.
func (s *Stream) FrameAt(offset int64) int {
	i, found := slices.BinarySearchFunc(s.Frames, offset, func(f Frame, at int64) int {
		return cmp.Compare(f.From, at)
	})
	if !found {
		i--
	}
	return i
}
