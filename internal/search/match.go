package search

import (
	"slices"
	"strings"
	"unicode/utf16"
)

// A Span is a match in a text, in bytes.
type Span struct{ Start, End int }

// maxSpans limits how many spans of a text are returned.
const maxSpans = 200

// phraseMatches has the matches of phrases in a text: the number for each phrase, and their places.
type phraseMatches struct {
	counts []int
	spans  []Span
}

func (f phraseMatches) all() bool { return !slices.Contains(f.counts, 0) }

func (f phraseMatches) any() bool {
	return slices.ContainsFunc(f.counts, func(n int) bool { return n > 0 })
}

// A matcher tells which terms of phrases equal a term. Each phrase term has a bit.
type matcher struct {
	bits     map[string]int // of terms that must match as a whole
	prefixes []*phrase      // phrases whose last word may continue
}

func newMatcher(phrases []*phrase) *matcher {
	m := &matcher{bits: make(map[string]int)}
	bit := 1
	for _, p := range phrases {
		p.bits = p.bits[:0]
		for i, term := range p.terms {
			if p.prefix && i == len(p.terms)-1 {
				m.prefixes = append(m.prefixes, p)
			} else {
				m.bits[term] |= bit
			}
			p.bits = append(p.bits, bit)
			bit <<= 1
		}
	}
	return m
}

func (m *matcher) bitsOf(term []byte) int {
	bits := m.bits[string(term)]
	for _, p := range m.prefixes {
		if last := len(p.terms) - 1; strings.HasPrefix(string(term), p.terms[last]) {
			bits |= p.bits[last]
		}
	}
	return bits
}

// A matchedWord is a word of a text that equals a term of a phrase as a whole or in a part.
type matchedWord struct {
	bits       int
	start, end int
}

// match looks for phrases in a text. In the rest, which has lost its order, a phrase matches if all its words occur.
func match(text, rest string, phrases []*phrase) phraseMatches {
	m := newMatcher(phrases)
	found := phraseMatches{counts: make([]int, len(phrases))}
	words := make(map[int]*matchedWord) // by position
	var order []int
	all := 0
	for s := (tokenizer{text: text}); s.next(); {
		bits := m.bitsOf(s.term)
		if bits == 0 {
			continue
		}
		all |= bits
		if w := words[s.position]; w != nil {
			w.bits |= bits
			continue
		}
		words[s.position] = &matchedWord{bits, s.start, s.end}
		order = append(order, s.position)
	}
	for s := (tokenizer{text: rest}); s.next(); {
		all |= m.bitsOf(s.term)
	}
	for k, p := range phrases {
		for _, first := range order {
			if span, ok := p.spanAt(words, first); ok {
				if found.counts[k]++; len(found.spans) < maxSpans {
					found.spans = append(found.spans, span)
				}
			}
		}
		if found.counts[k] == 0 && rest != "" && !slices.ContainsFunc(p.bits, func(bit int) bool {
			return all&bit == 0
		}) {
			found.counts[k] = 1
		}
	}
	slices.SortStableFunc(found.spans, func(a, b Span) int { return a.Start - b.Start })
	return found
}

// spanAt returns the span of a phrase whose first word is at a position, false if it does not match there.
func (p *phrase) spanAt(words map[int]*matchedWord, first int) (Span, bool) {
	last := words[first]
	for i, bit := range p.bits {
		if last = words[first+i]; last == nil || last.bits&bit == 0 {
			return Span{}, false
		}
	}
	return Span{words[first].start, last.end}, true
}

// units16 returns the length of a text in UTF-16 code units.
func units16(text string) (n int) {
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}
