package claude

import (
	"bytes"

	"viewer/internal/transcript"
)

// records turns a JSON document, which is an array of records or objects over several lines, into one record a line.
// The scan then reads its members as in any other file.
type records struct {
	record  []byte // the record so far
	depth   int    // of braces, in a record
	quoted  bool   // in a string
	escaped bool   // after a backslash
}

// headLines returns the records at the beginning of a document. The last one may be cut off.
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

// lines returns the records that end in data, the next piece of the document. For JSONL it returns data itself.
func (r *records) lines(data []byte) []byte {
	if r == nil {
		return data
	}
	lines := r.record
	start := 0 // of the current record in lines
	for _, c := range data {
		switch {
		case r.depth == 0 && c != '{':
			continue
		case r.quoted && c == '\n': // JSON strings have no line ends: the record is cut off
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
		if len(lines)-start < transcript.MaxLine { // longer records are not read
			lines = append(lines, c)
		}
	}
	if r.record = lines; start > 0 {
		r.record = bytes.Clone(lines[start:])
	}
	return lines[:start]
}
