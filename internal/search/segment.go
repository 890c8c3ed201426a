package search

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
)

// segmentMagic begins a segment. It changes when the format or the terms change.
const segmentMagic = "viewer search part 2\n"

// errSegment means that data is not a segment, or has another format.
var errSegment = errors.New("not a part of a search index")

// Segment encodes the terms of the units of a session, from which its block can be written again.
func Segment(units []Unit) []byte { return AppendSegment(nil, units) }

// AppendSegment appends the result of Segment to b.
func AppendSegment(b []byte, units []Unit) []byte {
	size := len(segmentMagic) + 16
	for _, u := range units {
		size += 64 + len(u.Page) + len(u.terms)
	}
	b = append(slices.Grow(b, size), segmentMagic...)
	b = binary.AppendUvarint(b, uint64(len(units)))
	for _, u := range units {
		b = appendText(b, u.Page)
		for _, n := range []int{u.Number, u.First, u.Last, u.count} {
			b = binary.AppendUvarint(b, uint64(uint32(n))) // a day before 1970 is negative
		}
		b = appendText(b, u.terms)
	}
	return b
}

// ReadSegment decodes a segment. Its units have no text.
func ReadSegment(data []byte) ([]Unit, error) {
	body, ok := strings.CutPrefix(string(data), segmentMagic)
	if !ok {
		return nil, errSegment
	}
	r := reader{rest: body}
	var units []Unit
	for range r.number() {
		u := Unit{Page: r.text(r.number()), Number: r.number(), First: r.day(), Last: r.day(), count: r.number()}
		u.terms = r.text(r.number())
		if r.failed {
			return nil, errSegment
		}
		units = append(units, u)
	}
	if r.failed || r.rest != "" {
		return nil, errSegment
	}
	return units, nil
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// A reader reads numbers and texts. At the end of the data it returns zero values and sets failed.
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

// day reads a number of 32 bits that may be negative.
func (r *reader) day() int { return int(int32(r.number())) }

func (r *reader) text(n int) string {
	if n < 0 || n > len(r.rest) {
		r.failed, r.rest = true, ""
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}
