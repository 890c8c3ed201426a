package store

import (
	"errors"
	"io"
	"slices"
	"sync/atomic"

	"viewer/internal/archive"
)

// A Content is the content of a version of a file.
type Content struct {
	*io.SectionReader
	archive *Archive
	record  *archive.Record
	ends    []int64 // of the parts, in the content

	kept    []unpacked        // frames, the last one used last
	streams map[string]stream // that are open
}

// An unpacked is a frame and its content.
type unpacked struct {
	frame *archive.Frame
	data  []byte
}

// A Content keeps the frames that it has used last, because the parts of a file that was rewritten alternate between
// the frames of its versions.
const (
	maxKept      = 16
	maxKeptBytes = 2 * archive.FrameSize
)

// Content opens a version. Reads return an *archive.Damage if the content is not what was archived.
func (a *Archive) Content(r *archive.Record) *Content {
	c := &Content{archive: a, record: r, ends: make([]int64, len(r.Parts)), streams: make(map[string]stream)}
	end := int64(0)
	for i, p := range r.Parts {
		end += p.To - p.From
		c.ends[i] = end
	}
	c.SectionReader = io.NewSectionReader(readerAt(c.readAt), 0, end)
	return c
}

// A readerAt is a function as an io.ReaderAt.
type readerAt func(p []byte, off int64) (int, error)

func (f readerAt) ReadAt(p []byte, off int64) (int, error) { return f(p, off) }

// readAt reads from an offset of the content.
func (c *Content) readAt(p []byte, off int64) (int, error) {
	n := 0
	i, _ := slices.BinarySearch(c.ends, off+1) // the part with that byte
	for ; i < len(c.ends) && n < len(p) && off >= 0; i++ {
		part := c.record.Parts[i]
		for n < len(p) && off+int64(n) < c.ends[i] {
			from := part.To - (c.ends[i] - off - int64(n))
			data, err := c.piece(part.Stream, from)
			if err != nil {
				return n, err
			}
			m := copy(p[n:], data[:min(int64(len(data)), part.To-from)])
			c.archive.effort.read.Add(int64(m))
			n += m
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// piece returns the content of a stream from an offset to the end of its frame.
func (c *Content) piece(stream string, from int64) ([]byte, error) {
	s := c.archive.Streams[stream]
	f := &s.Frames[s.FrameAt(from)]
	if i := slices.IndexFunc(c.kept, func(u unpacked) bool { return u.frame == f }); i >= 0 {
		u := c.kept[i]
		c.kept = append(slices.Delete(c.kept, i, i+1), u)
		return u.data[from-f.From:], nil
	}
	unpack := func() ([]byte, error) { return c.unpack(stream, f) }
	var data []byte
	var err error
	if c.record.Size <= groupedSize {
		data, err = c.archive.cache.get(f, unpack)
	} else {
		data, err = unpack()
	}
	if err != nil {
		return nil, err
	}
	c.keep(unpacked{f, data})
	return data[from-f.From:], nil
}

// keep keeps a frame, and drops those that were used the longest time ago.
func (c *Content) keep(u unpacked) {
	c.kept = append(c.kept, u)
	first, size := len(c.kept)-1, len(u.data)
	for ; first > 0 && len(c.kept)-first < maxKept; first-- {
		if size += len(c.kept[first-1].data); size > maxKeptBytes {
			break
		}
	}
	c.kept = slices.Delete(c.kept, 0, first)
}

func (c *Content) unpack(name string, f *archive.Frame) ([]byte, error) {
	if len(c.record.Parts) > 1 && c.archive.effort.tooMuch(f.To-f.From) {
		return nil, errScattered
	}
	file := c.streams[name]
	if file == nil {
		var err error
		if file, err = c.archive.place.openStream(name); err != nil {
			return nil, c.archive.unread(f, err)
		}
		c.streams[name] = file
	}
	packed, err := file.frame(f)
	if err != nil {
		return nil, c.archive.unread(f, err)
	}
	data, err := f.Unpack(packed)
	if err != nil {
		return data, c.archive.unread(f, err)
	}
	return data, nil
}

// Close closes the streams.
func (c *Content) Close() error {
	for _, f := range c.streams {
		f.close()
	}
	clear(c.streams)
	return nil
}

// An effort is what reading versions of several parts has cost. Each part may need a frame to be unpacked again, so
// that a manifest with millions of small parts would take hours.
type effort struct{ read, unpacked atomic.Int64 } // bytes

// Versions that viewer writes have parts of at least 1 KB, and most are much larger.
const (
	freeEffort = 4 << 30
	maxEffort  = 64 // bytes that are unpacked for each byte that is read
)

var errScattered = errors.New("it has so many small parts that reading it takes too long")

// tooMuch adds the size of a frame, and reports whether too much was unpacked for what was read.
func (e *effort) tooMuch(size int64) bool {
	return e.unpacked.Add(size) > freeEffort+maxEffort*e.read.Load()
}
