package search

import (
	"slices"
	"strings"
	"unicode/utf16"
)

// A Span is where something was found in a text, in bytes.
type Span struct{ Start, End int }

// mostSpans is how many places in a text are told.
const mostSpans = 200

// A finding is what was found of phrases in a text: how often each, and where.
type finding struct {
	counts []int
	spans  []Span
}

func (f finding) all() bool { return !slices.Contains(f.counts, 0) }

// match looks for phrases in a text. In the rest, which has lost its order, a
// phrase is found when its words are.
func match(text, rest string, phrases []*phrase) finding {
	type place struct {
		bits       int
		start, end int
	}
	wanted := make(map[string]int)
	var begins []*phrase
	bit := 1
	for _, p := range phrases {
		p.bits = p.bits[:0]
		for i, term := range p.terms {
			if p.prefix && i == len(p.terms)-1 {
				begins = append(begins, p)
			} else {
				wanted[term] |= bit
			}
			p.bits = append(p.bits, bit)
			bit <<= 1
		}
	}
	bitsOf := func(term []byte) int {
		bits := wanted[string(term)]
		for _, p := range begins {
			if last := len(p.terms) - 1; strings.HasPrefix(string(term), p.terms[last]) {
				bits |= p.bits[last]
			}
		}
		return bits
	}
	found := finding{counts: make([]int, len(phrases))}
	at := make(map[int]*place)
	var order []int
	all := 0
	for s := (scanner{text: text}); s.next(); {
		bits := bitsOf(s.term)
		if bits == 0 {
			continue
		}
		all |= bits
		if known := at[s.place]; known != nil {
			known.bits |= bits
			continue
		}
		at[s.place] = &place{bits, s.start, s.end}
		order = append(order, s.place)
	}
	for s := (scanner{text: rest}); s.next(); {
		all |= bitsOf(s.term)
	}
	for k, p := range phrases {
		for _, first := range order {
			if span, ok := func() (Span, bool) {
				last := at[first]
				for i, bit := range p.bits {
					if last = at[first+i]; last == nil || last.bits&bit == 0 {
						return Span{}, false
					}
				}
				return Span{at[first].start, last.end}, true
			}(); ok {
				if found.counts[k]++; len(found.spans) < mostSpans {
					found.spans = append(found.spans, span)
				}
			}
		}
		if found.counts[k] == 0 && rest != "" && !slices.ContainsFunc(p.bits, func(bit int) bool { return all&bit == 0 }) {
			found.counts[k] = 1
		}
	}
	slices.SortStableFunc(found.spans, func(a, b Span) int { return a.Start - b.Start })
	return found
}

// units16 is the length of a text in code units of UTF-16.
func units16(text string) (n int) {
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}
