package redact

import "bytes"

// Limits for a run without blanks: the number of names whose whole values are examined, and the number of bytes of
// later values. After four times as many names, the rest of the run is not examined.
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
	if s.inRun > maxValuesInRun { // a run is not examined again for each name in it
		a.end = s.clipped(a.start, min(a.end, a.start+laterInRun), query)
		return a, a.end > a.start
	}
	a.end = firstEscape(text, a.start, a.end)
	a.end = s.unquotedEnd(&a, query)
	if a.end < len(text) {
		a.nextByte = text[a.end]
	}
	return a, a.end > a.start
}

// firstEscape returns the end of a run in an escaped text: the first escape of white space, like \n, if there is one.
func firstEscape(text []byte, start, end int) int {
	for i := start; i+1 < end; i++ {
		if text[i] == '\\' && isEscapeLetter(text[i+1]) {
			return i
		}
	}
	return end
}

// unquotedEnd returns the end of a value in a run without blanks that ends at a.end. In a shell the value is the whole
// run; in code it ends at an operator or bracket.
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
			return a.start + len(bytes.TrimSuffix(text[a.start:a.start+n], []byte("]]>")))
		}
		return run
	}
	end := s.clipped(a.start, run, query)
	if long := separated(text, a.start, all); long > end && !query && looksRandom(text[a.start:long]) {
		return long
	}
	return end
}

// looksRandom reports whether a text with symbols in it, which could end a value, is still one value, because it looks
// random.
func looksRandom(v []byte) bool {
	return len(v) >= minKey && len(v) <= 200 && crossEntropy(v) >= 4.8 && !isExpression(v) && !isVariable(v)
}

// separated returns the start of another name and its value after a value: ;Timeout=5
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

// closed removes characters at the end of a value that belong to the text around it: a comma, a closing bracket that
// was not opened in the value.
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

// runEnd returns the end of the run without white space and quotes that starts at p, of at most longestValue bytes.
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

// clipped returns the end of a value without quotes in code, YAML, XML or a query.
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
