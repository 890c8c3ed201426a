package codec

import (
	"encoding/binary"
	"maps"
	"slices"
	"time"
)

// An Encoder appends values: numbers as varints, texts with their length before them.
type Encoder []byte

// Int appends varints.
func (e *Encoder) Int(values ...int64) {
	for _, n := range values {
		*e = binary.AppendVarint(*e, n)
	}
}

// Ints appends the numbers that pointers point to.
func (e *Encoder) Ints(values ...*int) {
	for _, n := range values {
		e.Int(int64(*n))
	}
}

// Text appends texts.
func (e *Encoder) Text(values ...string) {
	for _, s := range values {
		e.Int(int64(len(s)))
		*e = append(*e, s...)
	}
}

// Texts appends a list of texts with its length.
func (e *Encoder) Texts(values []string) {
	e.Int(int64(len(values)))
	e.Text(values...)
}

// Bool appends 0 or 1.
func (e *Encoder) Bool(b bool) {
	n := int64(0)
	if b {
		n = 1
	}
	e.Int(n)
}

// Digest appends a digest as it is.
func (e *Encoder) Digest(d [16]byte) { *e = append(*e, d[:]...) }

// Time appends a time in nanoseconds, without its time zone.
func (e *Encoder) Time(t time.Time) {
	e.Bool(!t.IsZero())
	if !t.IsZero() {
		e.Int(t.Unix(), int64(t.Nanosecond()))
	}
}

// Counts appends a map, sorted by key.
func (e *Encoder) Counts(m map[string]int) {
	e.Int(int64(len(m)))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		e.Text(k)
		e.Int(int64(m[k]))
	}
}
