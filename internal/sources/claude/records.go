package claude

import (
	"bytes"

	"viewer/internal/transcript"
)

// records puts each record of a JSON document, an array of them or objects on lines of their own choice, on a line of
// its own: what is nested in a record is told from its members by reading the line, as in any other file.
type records struct {
	record  []byte // so far
	depth   int    // of braces, in a record
	quoted  bool   // in a string
	escaped bool   // behind a backslash
}

// headLines are the records of the beginning of a document, the last one as far as it goes.
func headLines(head []byte) []byte {
	var r records
	return append(r.lines(head), r.record...)
}

func (r *records) clone() *records {
	if r == nil {
		return nil
	}
	c := *r
	c.record = bytes.Clone(r.record)
	return &c
}

// lines are the records that end in data, which stands behind what was given before; data itself where the file is one
// of lines.
func (r *records) lines(data []byte) []byte {
	if r == nil {
		return data
	}
	lines := r.record
	start := 0 // of the record in lines
	for _, c := range data {
		switch {
		case r.depth == 0 && c != '{':
			continue
		case r.quoted && c == '\n': // which no string of JSON has: the record is torn
			*r, lines = records{}, lines[:start]
			continue
		case r.quoted:
			r.quoted = r.escaped || c != '"'
			r.escaped = !r.escaped && c == '\\'
		case c == '"':
			r.quoted = true
		case c == '{':
			r.depth++
		case c == '}':
			if r.depth--; r.depth == 0 {
				lines = append(lines, '}', '\n')
				start = len(lines)
				continue
			}
		case c == '\n':
			c = ' '
		}
		if len(lines)-start < transcript.MaxLine { // nobody reads a longer one
			lines = append(lines, c)
		}
	}
	if r.record = lines; start > 0 {
		r.record = bytes.Clone(lines[start:])
	}
	return lines[:start]
}
