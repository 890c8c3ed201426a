package changes

import (
	"crypto/sha256"
	"encoding/binary"
)

// A Memory keeps the files of a replay for the next replay of the same session when it has grown. A file that no
// further call touched is not replayed again. The zero value is empty.
type Memory struct{ files map[traceKey]remembered }

type traceKey [sha256.Size]byte

// A remembered is the result for a file.
type remembered struct {
	file *File
	work budget // cost of the replay
}

// key returns a hash of everything that a file depends on. The place of a call identifies its texts, because logs only
// grow.
func (t *trace) key(steps []Step, turns []int) traceKey {
	var b []byte
	text := func(s string) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	text(t.path)
	b = append(b, byte(t.early))
	for _, touch := range t.touches {
		s := &steps[touch.step]
		b = binary.AppendUvarint(b, uint64(touch.step))
		b = append(b, byte(touch.op.Kind))
		b = binary.AppendUvarint(b, uint64(turns[touch.step]))
		text(touch.path)
		text(s.ID)
		text(s.Anchor)
		text(s.Agent)
	}
	return sha256.Sum256(b)
}

// replay returns the result for a file, and calls run only if it is not known.
func (m *Memory) replay(key traceKey, next *Memory, work *budget, run func() *File) *File {
	known, ok := m.files[key]
	if !ok || *work-known.work <= 0 { // with less left, the result would differ
		before := *work
		known = remembered{file: run()}
		known.work = before - *work
	} else {
		*work -= known.work
	}
	next.files[key] = known
	return known.file
}
