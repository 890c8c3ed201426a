package redact

import "bytes"

// maxPair limits the distance between the name and the value of a pair in bytes.
const maxPair = 512

// laterValue reads "value": or "default": among the next members of an object, or the next arguments.
func laterValue(text []byte, p int) (int, bool) {
	for range 4 {
		if q, ok := valueMember(text, p); ok {
			return q, true
		}
		limit := min(len(text), p+160)
		n := bytes.IndexAny(text[p:limit], ",}")
		if n < 0 || text[p+n] == '}' {
			break
		}
		p += n + 1
	}
	return p, false
}

// valueMember reads "value": or "default": at the place of the next member or argument.
func valueMember(text []byte, p int) (int, bool) {
	q := skipJoints(text, p, p+80)
	switch {
	case hasFoldAt(text, q, "value"):
		q += len("value")
	case hasFoldAt(text, q, "default"):
		q += len("default")
	default:
		return p, false
	}
	q = skipJoints(text, q, q+16)
	if q >= len(text) || text[q] != ':' && text[q] != '=' {
		return p, false
	}
	q++
	return skipBytes(text, q, q+16, blanks), true
}

// skipJoints skips what may be between two members: blanks, quotes, the end of a line, also written out, and what tools
// write before the next one.
func skipJoints(text []byte, p, limit int) int {
	limit = min(limit, len(text))
	next := false
	for p < limit {
		switch c := text[p]; {
		case c == '\n' && next:
			return p
		case c == '\n':
			p, next = afterSamePrefix(text, p+1, limit), true
		case c == '\\' && p+1 < limit && isEscapeLetter(text[p+1]):
			p += 2
		case isSpace(c) || isQuote(c) || c == '\\':
			p++
		default:
			return p
		}
	}
	return p
}

// afterSamePrefix skips the beginning of a line that is like that of the line above, except for numbers: what programs
// write before each line, such as its place or the time.
func afterSamePrefix(text []byte, p, limit int) int {
	above, ok := lineStartNear(text, p-1)
	if !ok {
		return p
	}
	for p < limit && (text[above] == text[p] || isDigit(text[above]) && isDigit(text[p])) &&
		text[p] != '\n' && text[p] != '<' {
		above, p = above+1, p+1
	}
	if bytes.HasPrefix(text[skipBytes(text, p, limit, " "):], []byte("- ")) { // the next element of a list
		return p
	}
	return afterPrefix(text, p, limit)
}

// isLineEnd reports whether a line ends at p, also one that is written out.
func isLineEnd(text []byte, p int) bool {
	return text[p] == '\n' || text[p] == '\r' || text[p] == '\\' && p+1 < len(text) && isEscapeLetter(text[p+1])
}

// valueBelow reads the member "value" on the line below a name in YAML:
//
//   - name: API_TOKEN
//     value: ...
func valueBelow(text []byte, p int) (int, bool) {
	q, ok := valueMember(text, p)
	return q, ok && text[q-1] != '='
}

// valueBefore reads the member "value" before the member "name" whose value, the name of a secret, is at from. It
// returns where the value begins.
func valueBefore(text []byte, from int) (int, bool) {
	p := from
	for p > 0 && from-p < 8 && (isSpace(text[p-1]) || isQuote(text[p-1]) || text[p-1] == '\\') {
		p--
	}
	if p < len("name:") || text[p-1] != ':' {
		return 0, false
	}
	for p--; p > 0 && (isQuote(text[p-1]) || text[p-1] == '\\' || text[p-1] == ' '); p-- {
	}
	if p < 4 || !hasFoldAt(text, p-4, "name") && !hasFoldAt(text, p-3, "key") {
		return 0, false
	}
	before := text[max(0, p-maxPair):p]
	i := bytes.LastIndex(before, []byte("value"))
	if i < 0 || bytes.IndexByte(before[i:], '}') >= 0 || bytes.Contains(before[i:], []byte("\n- ")) {
		return 0, false
	}
	return valueMember(text, p-len(before)+i)
}

// elementBeside reads the tags between an element that is the name of a secret and the element that is its value:
// <key>password</key> <string>...
func elementBeside(text []byte, from, p int) (int, bool) {
	if from == 0 || text[from-1] != '>' || !bytes.HasPrefix(text[p:], []byte("</")) {
		return p, false
	}
	for i := range 2 {
		tag := text[p:min(len(text), p+40)]
		n := bytes.IndexByte(tag, '>')
		if n < 0 || tag[0] != '<' || i > 0 && tag[1] == '/' {
			return p, false
		}
		p = skipJoints(text, p+n+1, p+n+80)
		if p >= len(text) {
			return p, false
		}
	}
	return p, text[p] != '<'
}

// markWords are the members that say that the member "value" beside them is a secret.
var markWords = []detectorWord{
	{`sensitive[\\"]`, marked}, {`issecret[\\"]`, marked}, {`masked[\\"]`, marked}, {`concealed[\\"]`, marked},
	{`type": "secret`, marked}, {`type":"secret`, marked}, {`type\": \"secret`, marked}, {`type\":\"secret`, marked},
}

// marked is the detector of members that say that the value of their object is a secret: "sensitive": true
func marked(s *scan, t *target, at int) {
	if at < s.markedEnd || !isMark(s.text, at+len(t.word)) && t.word[0] != 't' && t.word[0] != 'c' {
		return
	}
	s.valuesBeside(at, s.markedValue)
}

// valuesBeside calls do with the place of each member "value" of the object around a place.
func (s *scan) valuesBeside(at int, do func(p int)) {
	start := max(s.markedEnd, at-maxPair)
	if i := bytes.LastIndexAny(s.text[start:at], "{}"); i >= 0 {
		start += i
	}
	end := min(len(s.text), at+maxPair)
	if i := bytes.IndexByte(s.text[at:end], '}'); i >= 0 {
		end = at + i
	}
	s.markedEnd = end
	for p := start; ; {
		i := bytes.Index(s.text[p:end], []byte("value"))
		if i < 0 {
			return
		}
		p += i
		if q, ok := valueMember(s.text, p); ok && isQuote(s.text[max(0, p-1)]) {
			do(q)
		}
		p += len("value")
	}
}

// isMark reports whether the member whose name ends at p is true.
func isMark(text []byte, p int) bool {
	p = skipBytes(text, p, p+8, `\"`)
	return p < len(text) && text[p] == ':' && hasFoldAt(text, skipBytes(text, p+1, p+16, blanks), "true")
}

// markedValue replaces a value of JSON, or the values of a list, if they may be secrets.
func (s *scan) markedValue(p int) {
	if p < len(s.text) && s.text[p] == '[' {
		if n := bytes.IndexByte(s.text[p:min(len(s.text), p+maxPair)], ']'); n > 0 {
			s.strings(p, p+n)
		}
		return
	}
	sign, n := quoteAt(s.text, p)
	if n == 0 {
		return
	}
	a, ok := s.quotedValue(assignedValue{op: colon}, sign, p+n)
	if !ok {
		return
	}
	if r := judge(passwordName, s.text[a.start:a.end], a); r != nil {
		s.replace(a.start, a.end, r)
	}
}
