package redact

import "bytes"

// How many names of one run without blanks have all of their values looked at, and how much of those after them is, in
// bytes. The text after four times as many is no value.
const (
	maxValuesInRun = 8
	laterInRun     = 64
)

// unquotedValue returns the value without quotes that starts at p, after a name that starts at from.
func (s *scan) unquotedValue(a assignedValue, p, from int) (assignedValue, bool) {
	text := s.text
	for p < len(text) && text[p] == '\\' {
		p++
	}
	if a.op == colon && from >= 3 && string(text[from-3:from]) == "://" { // a user and a password: address.go
		return a, false
	}
	again := p > s.run[0] && p < s.run[1]
	a.start, a.end = p, s.runEnd(p)
	query := from > 0 && (text[from-1] == '?' || text[from-1] == '&')
	if again {
		s.inRun++
	} else {
		s.inRun = 0
	}
	if s.inRun > 4*maxValuesInRun {
		return a, false
	}
	if s.inRun > maxValuesInRun { // what was gone over is not gone over again for each name in it
		a.end = s.clipped(a.start, min(a.end, a.start+laterInRun), query)
		return a, a.end > a.start
	}
	a.end = firstEscape(text, a.start, a.end)
	a.end = s.unquotedEnd(&a, query)
	if a.end < len(text) {
		a.nextByte = text[a.end]
	}
	a.whole = a.end >= len(text) || text[a.end] == '\n' || text[a.end] == '\r'
	return a, a.end > a.start
}

// firstEscape returns where a run ends in a text inside a text: at the first escape of white space, like \n, if it has
// one.
func firstEscape(text []byte, start, end int) int {
	for i := start; i+1 < end; i++ {
		if text[i] == '\\' && isEscapeLetter(text[i+1]) {
			return i
		}
	}
	return end
}

// unquotedEnd returns where the value ends whose run without blanks ends at a.end. How much of the run it is depends on
// what sets it: a shell takes all, code ends a value at its signs.
func (s *scan) unquotedEnd(a *assignedValue, query bool) int {
	text, run := s.text, a.end
	all := closed(text, a.start, run)
	toEnd := run >= len(text) || text[run] == '\n' || text[run] == '\r' || bytes.HasPrefix(text[run:], []byte(" #"))
	switch {
	case a.env || a.op == command || a.op == option:
		return all
	case toEnd && a.line && !query && a.op != element && !isExpression(text[a.start:all]):
		return all
	case a.op == element:
		if n := bytes.IndexAny(text[a.start:min(len(text), a.start+longestValue)], "<\n"); n >= 0 {
			return a.start + n
		}
		return run
	}
	end := s.clipped(a.start, run, query)
	if long := separated(text, a.start, all); long > end && !query && looksJumbled(text[a.start:long]) {
		return long
	}
	return end
}

// looksJumbled reports whether a value with signs in it, which may end it, is one all the same: it is like nothing
// else.
func looksJumbled(v []byte) bool {
	return len(v) >= leastKey && len(v) <= 200 && crossEntropy(v) >= 4.8 && !isExpression(v) && !isVariable(v)
}

// separated returns where another name and its value begin after a value: ;Timeout=5
func separated(text []byte, start, end int) int {
	for i := start; i < end; i++ {
		if text[i] != ';' && text[i] != '&' && text[i] != ',' {
			continue
		}
		n := i + 1
		for n < end && isAlnum(text[n]) {
			n++
		}
		if n > i+2 && n < end && text[n] == '=' {
			return i
		}
	}
	return end
}

// closed takes away what stands at the end of a value and belongs to what is around it: a comma, a bracket that is
// closed and was not opened in it.
func closed(text []byte, start, end int) int {
	for end > start {
		switch text[end-1] {
		case ',', ';':
		case ')':
			if bytes.IndexByte(text[start:end], '(') >= 0 {
				return end
			}
		case ']':
			if bytes.IndexByte(text[start:end], '[') >= 0 {
				return end
			}
		case '}':
			if bytes.IndexByte(text[start:end], '{') >= 0 {
				return end
			}
		default:
			return end
		}
		end--
	}
	return end
}

// runEnd returns the end of the run without white space and quotes that starts at p, at most longestValue on.
func (s *scan) runEnd(p int) int {
	if p >= s.run[0] && p < s.run[1] {
		return min(s.run[1], p+longestValue)
	}
	end := p
	for end < len(s.text) && isSolid(s.text[end]) {
		end++
	}
	s.run = [2]int{p, end}
	return min(end, p+longestValue)
}

// clipped ends a value without quotes where code, YAML, XML or a query would end it.
func (s *scan) clipped(start, end int, query bool) int {
	for i := start; i < end; i++ {
		switch s.text[i] {
		case ',', ';', ':', ')', ']', '}', '<', '>', '|', '\\', '(', '{', '[':
			return i
		case '&', '#':
			if query {
				return i
			}
		case '=':
			if i+1 < end && s.text[i+1] != '=' && !isSpace(s.text[i+1]) && s.text[i+1] != '&' {
				return i
			}
		}
	}
	for end > start && (s.text[end-1] == '.' || s.text[end-1] == ':' || s.text[end-1] == '*') { // the end of a sentence
		end--
	}
	return end
}
