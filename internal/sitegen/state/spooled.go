package state

import (
	"strings"
	"unsafe"

	"viewer/internal/sitegen/output"
)

// A spooled is encoded data in memory or in a spool. It is empty when the spool cannot be read, see [output.Spool.Err].
type spooled struct {
	memory string        // all of it, or its beginning if a spool has all
	spool  *output.Spool // nil if none has it
	span   output.Span
}

// put adds it to a spool.
func (d *spooled) put(s *output.Spool) {
	if d.spool != nil {
		return
	}
	if span, err := s.Put([]byte(d.memory)); err == nil {
		d.spool, d.span = s, span
	}
}

// keep keeps n bytes in memory of their own, and all if it is in no spool.
func (d *spooled) keep(n int) {
	if d.spool == nil {
		n = len(d.memory)
	}
	d.memory = strings.Clone(d.memory[:min(n, len(d.memory))])
}

func (d *spooled) all() string {
	if d.spool == nil {
		return d.memory
	}
	data, _ := d.spool.Get(d.span)
	return unsafe.String(unsafe.SliceData(data), len(data)) // nobody writes to it
}

// between returns a part of it.
func (d *spooled) between(start, end int) string {
	if end <= len(d.memory) {
		return d.memory[start:end]
	}
	data, _ := d.spool.GetRange(d.span, start, end)
	return unsafe.String(unsafe.SliceData(data), len(data))
}
