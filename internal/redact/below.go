package redact

import "bytes"

// valuesBelow replaces the elements of the list below a name, which begins at from, or the value on the line below it.
// Such a value without a list has to look random.
//
//	passwords:        API key:
//	  - ...
//	  - "..."         ...
func (s *scan) valuesBelow(a assignedValue, from, p int) {
	promise := classOf(a.name)
	if promise != passwordName && promise != keyName {
		return
	}
	text := s.text
	column := from - lineStart(text, from)
	for n := range maxListValues {
		p = nextLine(text, p)
		end := rowEnd(text, p)
		dash := afterSign(text, p, end)
		if dash+1 >= end || text[dash] != '-' || text[dash+1] != ' ' || dash-p < column {
			if n == 0 {
				s.randomBelow(a, p)
			}
			return
		}
		start := skipBytes(text, dash+1, end, " ")
		if q, size := quoteAt(text, start); size > 0 {
			v, ok := s.quotedValue(a, q, start+size)
			if !ok {
				return
			}
			if r := judge(promise, text[v.start:v.end], v); r != nil {
				s.replace(v.start, v.end, r)
			}
			continue
		}
		a.start, a.end = start, start+len(bytes.TrimRight(text[start:end], " \t\r"))
		v := text[a.start:a.end]
		if bytes.IndexByte(v, ' ') >= 0 || bytes.HasSuffix(v, []byte(":")) {
			return
		}
		if r := judge(promise, v, a); r != nil {
			s.replace(a.start, a.end, r)
		}
	}
}

// afterSign skips what tools write before a line, and the sign of a diff if an element of a list follows.
func afterSign(text []byte, p, end int) int {
	p = skipBytes(text, afterLineNumber(text, skipBytes(text, p, end, " "), end), end, " \t")
	if p < end && (text[p] == '+' || text[p] == '-') {
		if q := skipBytes(text, p+1, end, " \t"); q < end && text[q] == '-' {
			return q
		}
	}
	return p
}

// randomBelow replaces a random value on the first line with text from p on, also in a block of code.
func (s *scan) randomBelow(a assignedValue, p int) {
	text := s.text
	for range 3 {
		end := rowEnd(text, p)
		start := afterPrefix(text, p, end)
		line := bytes.TrimRight(text[start:end], " \t\r")
		if len(line) == 0 || isFence(line) {
			p = nextLine(text, end)
			continue
		}
		v := bytes.Trim(line, "\"'`*")
		start += bytes.Index(line, v)
		a.start, a.end = start, start+len(v)
		if isRow(v) {
			if r := judge(weakName, v, a); r != nil {
				s.replace(a.start, a.end, r)
			}
		}
		return
	}
}

// continued moves from the end of a line to the next one, if the shell reads both as one: --password \
func continued(text []byte, p int) int {
	switch {
	case p < len(text) && text[p] == '`': // PowerShell
		p++
	case p == 0 || text[p-1] != '\\':
		return p
	}
	return skipBytes(text, p, p+80, blanks)
}
