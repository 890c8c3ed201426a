package store

import (
	"crypto/sha256"
	"io"

	"viewer/internal/archive"
)

// groupedSize is the size of a file, in bytes, up to which it is packed together with others when it is new. Small
// files resemble their neighbors: in one frame, real sessions take a tenth less.
const groupedSize = 1 << 20

// A group is a number of small new files that become one frame, which is the beginning of a stream.
type group struct {
	content []byte
	files   []grouped
	ranges  map[archive.Sum][2]int64 // place of a content
	keys    map[archive.Key]bool
}

type grouped struct {
	pending
	from, to int64 // in the content
}

// addToGroup archives a small file that shares no known content.
func (w *Writer) addToGroup(f File, r *archive.Record) (Result, error) {
	data, err := contentOf(f, r.Size)
	if err != nil {
		return 0, &ErrRead{err}
	}
	if int64(len(w.group.content)+len(data)) > archive.FrameSize {
		if err := w.endGroup(); err != nil {
			return 0, err
		}
	}
	g := &w.group
	if g.keys == nil {
		g.keys, g.ranges = make(map[archive.Key]bool), make(map[archive.Sum][2]int64)
	}
	r.Size, r.Sum, r.Head = int64(len(data)), sha256.Sum256(data), archive.HeadOf(data) // as it is now
	at, known := g.ranges[r.Sum]
	if !known {
		at = [2]int64{int64(len(g.content)), int64(len(g.content) + len(data))}
		g.ranges[r.Sum] = at
		g.content = append(g.content, data...)
	}
	g.keys[f.Key] = true
	g.files = append(g.files, grouped{pending{f, r}, at[0], at[1]})
	if known {
		return Copied, nil
	}
	return Added, nil
}

func contentOf(f File, size int64) ([]byte, error) {
	file, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, size))
}

// endGroup writes the frame of the group, and adds the versions in it.
func (w *Writer) endGroup() error {
	g := w.group
	w.group = group{}
	if len(g.files) == 0 {
		return nil
	}
	b := &builder{w: w, record: g.files[0].record}
	if len(g.content) > 0 {
		if err := b.write(g.content); err != nil {
			return err
		}
	}
	for _, one := range g.files {
		one.record.Parts = nil
		if one.to > one.from {
			one.record.Parts = []archive.Part{{Stream: b.stream, From: one.from, To: one.to}}
		}
		if err := w.record(one.file, one.record); err != nil {
			return err
		}
	}
	return nil
}
