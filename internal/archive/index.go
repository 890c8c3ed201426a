package archive

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// An Index is what the records of a manifest say of files and streams.
type Index struct {
	Chain   Chain
	Hashes  []Sum             // of the chain behind each record
	Files   map[Key][]*Record // the versions of each file, the newest last
	Streams map[string]*Stream
	Size    int64 // of the manifest as far as its lines are whole, in bytes

	bySum  map[Sum]*Record
	byHead map[string][]*Record
}

// A Stream is a file with content.
type Stream struct {
	Name   string
	Frames []Frame // one behind the other
	Size   int64   // of the content
	Packed int64   // of the file
}

// A Fault is a line of the manifest that is not as it was written.
type Fault struct {
	Line int
	Err  error
}

// ErrFormat says that a manifest is of an archive that another version of the program writes.
var ErrFormat = errors.New("it is of a newer version of viewer")

// NewIndex is that of an empty archive.
func NewIndex() *Index {
	return &Index{
		Files: make(map[Key][]*Record), Streams: make(map[string]*Stream),
		bySum: make(map[Sum]*Record), byHead: make(map[string][]*Record),
	}
}

// IsManifest reports whether a file that begins like that is the manifest of an archive.
func IsManifest(begin []byte) bool {
	_, rest, ok := bytes.Cut(begin, []byte(` {"viewerArchive":"`))
	return ok && len(begin)-len(rest) < 80
}

// ReadIndex reads a manifest. A last line without its end is none. Faults are lines that were changed; what the other
// ones say counts.
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

// Add counts a record in. The error says that its frames do not go on where their streams end, or that its parts are
// not there.
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

// Newest is the newest version of a file, nil where there is none.
func (x *Index) Newest(k Key) *Record {
	if all := x.Files[k]; len(all) > 0 {
		return all[len(all)-1]
	}
	return nil
}

// Keys are those of all files, in order.
func (x *Index) Keys() []Key {
	keys := make([]Key, 0, len(x.Files))
	for k := range x.Files {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.Machine, b.Machine), cmp.Compare(a.Folder, b.Folder), cmp.Compare(a.Path, b.Path))
	})
	return keys
}

// WithSum is a version with that content, nil where there is none.
func (x *Index) WithSum(sum Sum) *Record { return x.bySum[sum] }

// mostAlike is how many versions are looked at that begin alike.
const mostAlike = 64

// Alike are versions that may share content with a file that begins so: those of the file itself, and of others, the
// shortest first.
func (x *Index) Alike(k Key, head string) []*Record {
	var all []*Record
	if newest := x.Newest(k); newest != nil && newest.Size > 0 {
		all = append(all, newest)
	}
	if head != "" {
		others := x.byHead[head]
		all = append(all, others[max(0, len(others)-mostAlike):]...)
	}
	slices.SortStableFunc(all, func(a, b *Record) int { return cmp.Compare(a.Size, b.Size) })
	return slices.CompactFunc(all, func(a, b *Record) bool { return a.Sum == b.Sum })
}

// Slice is the parts of a range of a content.
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

// Join adds a part to a list that nobody else has.
func Join(parts []Part, p Part) []Part {
	if last := len(parts) - 1; last >= 0 && parts[last].Stream == p.Stream && parts[last].To == p.From {
		parts[last].To = p.To
		return parts
	}
	return append(parts, p)
}

// GoesOn reports whether a version has all of another one at its beginning, as its parts say.
func (r *Record) GoesOn(from *Record) bool {
	return r.Size >= from.Size && slices.Equal(Slice(r.Parts, 0, from.Size), Slice(from.Parts, 0, from.Size))
}

// FrameAt is the place of the frame that has a byte of the content of a stream.
func (s *Stream) FrameAt(offset int64) int {
	i, found := slices.BinarySearchFunc(s.Frames, offset, func(f Frame, at int64) int {
		return cmp.Compare(f.From, at)
	})
	if !found {
		i--
	}
	return i
}
