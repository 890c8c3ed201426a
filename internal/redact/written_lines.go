package redact

import (
	"bytes"
	"slices"
)

// noteWrittenLines notes that a text is JSON with line ends written out near a place where lines matter: those of a
// file, or of a document of Kubernetes. The text is searched again with real lines.
func (s *scan) noteWrittenLines(at int) {
	if s.writtenLines > 0 || s.isName || !isJSON(s.text) {
		return
	}
	const near = 512
	part := s.text[at:min(len(s.text), at+near)]
	for i := 0; i < len(part); i++ {
		n := bytes.IndexByte(part[i:], '\\')
		if n < 0 {
			return
		}
		i += n
		from := i
		for i < len(part) && part[i] == '\\' {
			i++
		}
		if i < len(part) && part[i] == 'n' {
			s.writtenLines = i - from
			return
		}
	}
}

// isJSON reports whether a text begins like JSON.
func isJSON(text []byte) bool {
	text = bytes.TrimLeft(text[:min(len(text), 64)], blanks)
	return len(text) > 1 && (text[0] == '{' || text[0] == '[' && (text[1] == '{' || text[1] == '"'))
}

// findAgain returns the edits of a text, to which those are added that detectors find in another form of it. The form
// was made by withLines or withCharacters.
func (s *scan) findAgain(text, form []byte, c context, edits []edit) []edit {
	first, reads := slices.Clone(edits), s.reads
	more := s.findInPlain(form, c)
	s.restoreOffsets(more)
	s.edits, s.text = append(more, first...), text
	s.reads |= reads
	return s.mergedEdits()
}

// withLines returns a text in which written line ends, and the quotes around texts that have them, end lines. Line ends
// have a number of backslashes before the n, and these quotes have one less.
func (s *scan) withLines(text []byte, slashes int) []byte {
	s.removed = s.removed[:0]
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		n := bytes.IndexAny(text[i:], `\"`)
		if n < 0 {
			return append(out, text[i:]...)
		}
		out = append(out, text[i:i+n]...)
		i += n
		end := i
		for end < len(text) && text[end] == '\\' {
			end++
		}
		if end < len(text) && (end-i == slashes && text[end] == 'n' || end-i == slashes-1 && text[end] == '"') {
			s.removed = append(s.removed, removedSequence{len(out), end - len(out), false})
			out = append(out, '\n')
			i = end + 1
			continue
		}
		end = min(len(text), end+1)
		out = append(out, text[i:end]...)
		i = end
	}
	return out
}
