package redact

import (
	"bytes"
	"strings"
)

// A removedSequence is a control sequence that was removed from a text, or the end of a character that was written out.
type removedSequence struct {
	at, removed int  // its place in the remaining text, and the number of bytes removed up to there
	ofCharacter bool // it belongs to the text before it
}

// withoutEscapes returns a text without control sequences of terminals. Programs write colours between a name and its
// value, or around the part of a token that was searched for.
func (s *scan) withoutEscapes(text []byte) []byte { return s.withoutSequences(text, 0x1b, sequence) }

// withoutSequences returns a text without the sequences that begin with the byte sign.
func (s *scan) withoutSequences(text []byte, sign byte, sequence func([]byte) int) []byte {
	s.removed = s.removed[:0]
	first := bytes.IndexByte(text, sign)
	if first < 0 {
		return text
	}
	out := append(make([]byte, 0, len(text)), text[:first]...)
	for i := first; i < len(text); {
		if n := sequence(text[i:]); n > 0 {
			i += n
			s.removed = append(s.removed, removedSequence{len(out), i - len(out), false})
			continue
		}
		next := len(text)
		if n := bytes.IndexByte(text[i+1:], sign); n >= 0 {
			next = i + 1 + n
		}
		out = append(out, text[i:next]...)
		i = next
	}
	return out
}

// sequence returns the length of the control sequence at the beginning of a text: ESC [ ... m. Titles and links in ESC
// ] ... BEL are treated as text.
func sequence(text []byte) int {
	if len(text) < 3 || text[0] != 0x1b {
		return 0
	}
	if text[1] == '[' {
		for i := 2; i < len(text) && i < 40; i++ {
			if c := text[i]; c >= '@' && c <= '~' {
				return i + 1
			} else if c < ' ' || c > '?' {
				return 0
			}
		}
	}
	return 0
}

// writtenEscapes are ways to write ESC [ in code and in JSON.
var writtenEscapes = []string{`\u001b[`, `\x1b[`, `\033[`}

// writtenSequence returns the length of the escaped control sequence at the beginning of a text: \u001b[36m
func writtenSequence(text []byte) int {
	p := 0
	for p < len(text) && p < 8 && text[p] == '\\' {
		p++
	}
	for _, w := range writtenEscapes {
		if p == 0 || !hasFoldAt(text, p-1, w) {
			continue
		}
		for i := p - 1 + len(w); i < len(text) && i < p+40; i++ {
			if c := text[i]; isLetter(c) {
				return i + 1
			} else if !isDigit(c) && c != ';' {
				return 0
			}
		}
	}
	return 0
}

// colorEscape is the detector of escaped control sequences: the text is searched again without them.
func colorEscape(s *scan, t *target, at int) { s.hasColorEscape = true }

// restoreOffsets converts edits of the text without sequences to edits of the whole text.
func (s *scan) restoreOffsets(edits []edit) {
	i, j := 0, 0
	for n := range edits {
		e := &edits[n]
		for i < len(s.removed) && s.removed[i].at <= e.start {
			i++
		}
		for j < len(s.removed) && (s.removed[j].at < e.end || s.removed[j].ofCharacter && s.removed[j].at == e.end) {
			j++
		}
		if i > 0 {
			e.start += s.removed[i-1].removed
		}
		if j > 0 {
			e.end += s.removed[j-1].removed
		}
	}
}

// withoutSequences returns a secret without the control sequences in it.
func withoutSequences(secret string) string {
	if strings.IndexByte(secret, 0x1b) < 0 {
		return secret
	}
	return string((&scan{}).withoutEscapes([]byte(secret)))
}
