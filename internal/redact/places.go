package redact

import (
	"encoding/binary"
	"math"
)

// Places tell a session what an earlier one did with the first values of the same file: which it has to search again,
// and where the others were edited. They have no text, nor the length of one. The values must be the same, and so must
// be what the session knows before them.
//
// A value is searched again if it changed what the session knew, and if it has a text that was not replaced before. So
// the session learns the same, and the texts that it replaces in the other values are known.
type Places []byte

// placed has the places of the values of a file.
type placed struct {
	known  Places // of the values that follow
	made   Places // of those so far
	texts  []replacement
	number map[replacement]int // index in texts

	// of the current value
	edits []placedEdit
	again bool // it has to be searched again
}

// A replacement is a text, as it is in JSON, and what takes its place.
type replacement struct {
	text, marker string
	rule         *rule
}

type placedEdit struct {
	start int
	replacement
}

// maxPlaced limits how many different texts have places, so that a text of each value cannot fill the memory.
const maxPlaced = 1 << 8

// BeginPlaces notes the places of the values that follow. Those at the beginning are known from an earlier session,
// unless known is nil.
func (s *Session) BeginPlaces(known Places) {
	s.placed = &placed{known: known, number: make(map[replacement]int)}
}

// EndPlaces returns the places of all values since BeginPlaces, nil if that was not called.
func (s *Session) EndPlaces() Places {
	if s.placed == nil {
		return nil
	}
	made := s.placed.made
	s.placed = nil
	return made
}

// A knowledge is what later values may depend on.
type knowledge struct {
	revision, learned, unpacked int
	folder                      string
}

func (s *Session) knowledge() knowledge {
	return knowledge{s.Revision(), len(s.learned), s.unpacked, s.folder}
}

// rewrite returns a value without its secrets, and notes their places.
func (p *placed) rewrite(s *Session, raw, memory []byte) []byte {
	if out, ok := p.repeat(s, raw, memory); ok {
		return out
	}
	p.edits, p.again = p.edits[:0], false
	before := s.knowledge()
	out := s.rewritten(raw, memory)
	p.note(p.again || before != s.knowledge())
	if cap(p.edits) > maxKeptEdits {
		p.edits = nil
	}
	return out
}

// repeat edits a value at its known places. It reports false if the value has to be searched.
func (p *placed) repeat(s *Session, raw, memory []byte) (out []byte, ok bool) {
	if len(p.known) == 0 {
		return nil, false
	}
	rest, valid := []byte(p.known), true
	next := func() int {
		n, size := binary.Uvarint(rest)
		valid = valid && size > 0 && n <= math.MaxInt32
		rest = rest[max(0, size):]
		return int(n)
	}
	n := next()
	if n == 0 && valid {
		p.known = rest
		return nil, false
	}
	p.edits = p.edits[:0]
	end, size := 0, len(raw)
	for i := 1; i < n && valid; i++ {
		start, index := end+next(), next()
		valid = valid && start <= len(raw) && index < len(p.texts) && hasPrefix(raw[start:], p.texts[index].text)
		if valid {
			e := placedEdit{start, p.texts[index]}
			p.edits = append(p.edits, e)
			end, size = start+len(e.text), size+len(e.marker)-len(e.text)
		}
	}
	if !valid { // they are of other values
		p.known = nil
		return nil, false
	}
	p.made = append(p.made, p.known[:len(p.known)-len(rest)]...)
	p.known = rest
	if len(p.edits) == 0 {
		return raw, true
	}
	if out, end = memory[:0], 0; size > cap(out) {
		out = make([]byte, 0, size)
	}
	for _, e := range p.edits {
		s.counts[e.rule]++
		out = append(append(out, raw[end:e.start]...), e.marker...)
		end = e.start + len(e.text)
	}
	return append(out, raw[end:]...), true
}

func hasPrefix(data []byte, text string) bool {
	return len(data) >= len(text) && string(data[:len(text)]) == text
}

// edit adds an edit of the current value.
func (p *placed) edit(raw []byte, sp span, marker string) {
	if sp.kind != numbered && sp.kind != tilde {
		p.again = true
		return
	}
	p.edits = append(p.edits, placedEdit{sp.start, replacement{string(raw[sp.start:sp.end]), marker, sp.rule}})
}

// note adds the places of the current value, unless it has to be searched again.
func (p *placed) note(again bool) {
	for _, e := range p.edits {
		if _, ok := p.number[e.replacement]; ok {
			continue
		}
		again = true
		if len(p.texts) < maxPlaced {
			p.number[e.replacement] = len(p.texts)
			p.texts = append(p.texts, e.replacement)
		}
	}
	if again {
		p.made = append(p.made, 0)
		return
	}
	p.made = binary.AppendUvarint(p.made, uint64(1+len(p.edits)))
	end := 0
	for _, e := range p.edits {
		p.made = binary.AppendUvarint(p.made, uint64(e.start-end))
		p.made = binary.AppendUvarint(p.made, uint64(p.number[e.replacement]))
		end = e.start + len(e.text)
	}
}
