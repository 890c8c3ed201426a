package redact

import "bytes"

// Limits for a table: the length of a row in bytes, the number of its rows, and of its columns with secrets.
const (
	longestRow = 4 << 10
	maxRows    = 10000
	maxColumns = 8
)

// A table is the last one that was read. Its rows are not heads of other tables, so that no text is read repeatedly.
type table struct {
	head, end int // offsets
	columns   int // number of those that were read
}

// column replaces the values below a cell of the head of a table if the cell is the name of a secret, which ends with
// s.text[from:to]:
//
//	user,password          | user | password |
//	anna,...               | anna | ...      |
func (s *scan) column(from, to int) {
	text := s.text
	sign := cellSign(text, from, to)
	if sign == 0 {
		return
	}
	known := from < s.table.end
	if known && s.table.columns >= maxColumns {
		return
	}
	head, ok := lineStartNear(text, from)
	if !ok || known && head != s.table.head {
		return
	}
	end := rowEnd(text, head)
	start := afterPrefix(text, head, end)
	numbered := start > skipBytes(text, head, end, " \t")
	if start > from || !isHead(text[start:end], sign) || sign != '|' && start > head && !numbered {
		s.table = table{head, end, maxColumns}
		return
	}
	place := bytes.Count(text[start:from], []byte{sign})
	name, columns := cellOf(text[start:end], sign, place)
	promise := classOf(name)
	if columns < 2 || promise != passwordName && promise != keyName {
		return
	}
	p := nextLine(text, end)
	for range maxRows {
		rowStart, rowEnd := p, rowEnd(text, p)
		if numbered {
			rowStart = afterPrefix(text, p, rowEnd)
		}
		row := text[rowStart:rowEnd]
		v, n := cellOf(row, sign, place)
		switch {
		case len(row) > 0 && len(bytes.Trim(row, "-+|=: \t\r")) == 0: // a line between head and rows
		case n != columns:
			s.noteTable(head, p)
			return
		case len(v) > 0:
			at := cap(text) - cap(v)
			a := assignedValue{name: name, op: comma, start: at, end: at + len(v)}
			if r := judge(promise, v, a); r != nil {
				s.replace(a.start, a.end, r)
			}
		}
		p = nextLine(text, rowEnd)
	}
	s.noteTable(head, p)
}

// noteTable notes where a table ends.
func (s *scan) noteTable(head, end int) {
	if s.table.head != head || s.table.end == 0 {
		s.table = table{head: head}
	}
	s.table.end = max(s.table.end, end)
	s.table.columns++
}

// cellSign returns the sign between cells that follows a name, or precedes the last cell of a line that ends with it.
// It returns 0 if there is none.
func cellSign(text []byte, from, to int) byte {
	p := skipBytes(text, to, to+64, " \"'*`")
	if p >= len(text) {
		return 0
	}
	switch c := text[p]; c {
	case ',', ';', '\t', '|':
		return c
	case '\r', '\n':
	default:
		return 0
	}
	for n := 0; n < 64 && from > 0 && isCellSpace(text[from-1]); n++ {
		from--
	}
	if from > 0 && (text[from-1] == ',' || text[from-1] == ';' || text[from-1] == '\t' || text[from-1] == '|') {
		return text[from-1]
	}
	return 0
}

func isCellSpace(c byte) bool { return isName(c) || isQuote(c) || c == ' ' || c == '*' }

// isHead reports whether a line has only names, and the sign between them. A line that begins or ends with a comma is
// an element of a list in code.
func isHead(line []byte, sign byte) bool {
	line = bytes.TrimRight(line, " \r")
	if len(line) == 0 {
		return false
	}
	begins, ends := line[0] == sign, line[len(line)-1] == sign
	if sign != '|' && (begins || ends) || sign == '|' && !(begins && ends) && !contains(line, " | ") {
		return false
	}
	for _, c := range line {
		if c != sign && !isCellSpace(c) && c != '/' && c != '#' {
			return false
		}
	}
	return true
}

// cellOf returns a cell of a row without blanks and quotes around it, and the number of cells.
func cellOf(row []byte, sign byte, place int) (cell []byte, n int) {
	for start := 0; ; n++ {
		end := start
		if start < len(row) && row[start] == '"' && sign != '|' { // a sign in quotes is part of the cell
			if i := bytes.Index(row[start+1:], []byte{'"', sign}); i >= 0 {
				end = start + 1 + i
			} else {
				end = len(row)
			}
		}
		if i := bytes.IndexByte(row[end:], sign); i >= 0 {
			end += i
		} else {
			end = len(row)
		}
		if n == place {
			cell = bytes.Trim(row[start:end], " \t\r\"'`*")
		}
		if end == len(row) {
			return cell, n + 1
		}
		start = end + 1
	}
}

// rowEnd returns where the line that begins at p ends.
func rowEnd(text []byte, p int) int { return lineEnd(text[:min(len(text), p+longestRow)], p) }
