package search

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
)

// partMagic begins a part; another number means another way to write them, or
// to make terms.
const partMagic = "viewer search part 2\n"

// ErrPart says that a part is of no use.
var ErrPart = errors.New("not a part of a search index")

// Part writes the terms of the units of a session, for the next time that its
// block is put together.
func Part(units []Unit) []byte { return AppendPart(nil, units) }

// AppendPart writes them behind what is in b.
func AppendPart(b []byte, units []Unit) []byte {
	size := len(partMagic) + 16
	for _, u := range units {
		size += 64 + len(u.Page) + len(u.terms)
	}
	b = append(slices.Grow(b, size), partMagic...)
	b = binary.AppendUvarint(b, uint64(len(units)))
	for _, u := range units {
		b = appendText(b, u.Page)
		for _, n := range []int{u.Number, u.First, u.Last, u.count} {
			b = binary.AppendUvarint(b, uint64(n))
		}
		b = appendText(b, u.terms)
	}
	return b
}

// ReadPart reads a part; its units have no text.
func ReadPart(data []byte) ([]Unit, error) {
	body, ok := strings.CutPrefix(string(data), partMagic)
	if !ok {
		return nil, ErrPart
	}
	r := reader{rest: body}
	var units []Unit
	for range r.number() {
		u := Unit{Page: r.text(r.number()), Number: r.number(), First: r.number(), Last: r.number(), count: r.number()}
		u.terms = r.text(r.number())
		if r.failed {
			return nil, ErrPart
		}
		units = append(units, u)
	}
	if r.failed || r.rest != "" {
		return nil, ErrPart
	}
	return units, nil
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// A reader reads numbers and texts one after the other; at the end of the data
// it gives nothing and says so.
type reader struct {
	rest   string
	failed bool
}

func (r *reader) number() int {
	n, shift := 0, 0
	for i := 0; i < len(r.rest) && shift < 56; i++ {
		b := r.rest[i]
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			r.rest = r.rest[i+1:]
			return n
		}
		shift += 7
	}
	r.failed, r.rest = true, ""
	return 0
}

func (r *reader) text(n int) string {
	if n < 0 || n > len(r.rest) {
		r.failed, r.rest = true, ""
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}
