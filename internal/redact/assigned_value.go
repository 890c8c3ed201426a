package redact

import "bytes"

// An assignedValue is a value with the name that it is assigned to: in code, in shells, in YAML, JSON and XML, in the
// query of a URL, on a command line.
type assignedValue struct {
	name       []byte
	op         operator
	quoted     bool
	env        bool // NAME=value at the beginning of a line, or of a command
	line       bool // the name begins its line
	sets       bool // an argument of a call that sets something: os.Setenv("NAME", "value")
	nextByte   byte // after the value
	start, end int  // of the value
}

// sure reports whether the text after the name is certainly its value, and not code.
func (a *assignedValue) sure() bool {
	return a.env || a.op == element || a.op == command || a.sets || a.quoted && a.op != comma && a.op != compares
}

// readAssignment reads the text after the name s.text[from:to].
func (s *scan) readAssignment(from, to int) (assignedValue, bool) {
	a := assignedValue{name: s.text[from:to], line: s.beginsLine(from)}
	if isPart(s.text, from, to) {
		return a, false
	}
	p, ok := s.operator(&a, from, to)
	if q, before := valueBefore(s.text, from); before && (!ok || a.op == comma) {
		a.op, p, ok = colon, q, true
	}
	if !ok {
		return a, false
	}
	for p < len(s.text) && (s.text[p] == ' ' || s.text[p] == '\t') && p-to < 160 {
		p++
	}
	if a.op == colon && a.line {
		p = afterTag(s.text, p)
		if isBlockSign(s.text[p:]) {
			s.blockLines(a, from, p)
			return a, false
		}
	}
	if p, ok = s.onNextLine(a, from, p); !ok {
		return a, false
	}
	a.env = a.op == equals && p == to+1 && s.beginsCommand(from)
	p = s.memberValue(&a, p, from)
	a.sets = a.op == comma && s.isSetter(from)
	if (a.op == colon || a.op == equals) && s.listValues(a, p) {
		return a, false
	}
	p = s.wrapper(p)
	if q, n := quoteAt(s.text, p); n > 0 {
		return s.quotedValue(a, q, p+n)
	}
	if a.op == comma || a.op == call {
		return a, false
	}
	if q, ok := s.behindType(&a, p); ok { // password: string = "..."
		open, n := quoteAt(s.text, q)
		return s.quotedValue(a, open, q+n)
	}
	return s.unquotedValue(a, p, from)
}

// onNextLine moves from the end of a line to the next one if the value is there. ok is false if the value, or the list,
// has been replaced.
func (s *scan) onNextLine(a assignedValue, from, p int) (next int, ok bool) {
	switch {
	case a.op == option:
		if q := continued(s.text, p); q > p && q < len(s.text) && s.text[q] != '-' {
			return q, true
		}
	case a.op != colon || p >= len(s.text) || !isLineEnd(s.text, p): // TOKEN:, and value: ... below it
	default:
		q, ok := valueBelow(s.text, p)
		switch {
		case ok:
			return q, true
		case classOf(a.name) == phraseName:
			return skipJoints(s.text, p, p+80), true
		case s.text[p] != '\\':
			s.valuesBelow(a, from, p)
			return p, false
		}
	}
	return p, true
}

// memberValue moves from the text after a name to the member "value" if that has the value, and corrects the operator:
// a comma may join a name and its value, an option and its argument, or arguments of a call.
func (s *scan) memberValue(a *assignedValue, p, from int) int {
	switch {
	case a.op == colon && p < len(s.text) && s.text[p] == '{': // "password": {"sensitive": true, "value": "..."}
		if q, ok := laterValue(s.text, p+1); ok {
			p = q
		}
	case a.op == comma:
		if q, ok := laterValue(s.text, p); ok { // "name": "API_TOKEN", "value": "..."
			p, a.op = q, colon
		} else if s.text[from] == '-' { // ["--password", "..."]
			a.op = option
		}
	}
	return p
}

// isPart reports whether a name is part of a qualified name that nothing is assigned to, or of an expression:
// AWS::ApiKey, arn:aws:secret:x, (?P<token>x).
func isPart(text []byte, from, to int) bool {
	switch {
	case locationAt(text, from) < from, isAssigned(text, to), opensElement(text, from):
		return false
	// "Jwt:Key"
	case from > 0 && text[from-1] == ':' && !(to < len(text) && isQuote(text[to]) && text[max(0, from-2)] != ':'):
		return from > 1 && (text[from-2] == ':' || isAlnum(text[from-2]) || text[from-2] == '*') &&
			!isScope(text[:from-1])
	case from > 2 && text[from-1] == '<':
		return text[from-2] == '?' || text[from-2] == 'P' && text[from-3] == '?'
	}
	return false
}

// isAssigned reports whether an equals sign follows a name: Makefile:DB_PASSWORD=x, Config::password = "x".
func isAssigned(text []byte, to int) bool {
	p := skipBytes(text, to, to+longestOperator, " ")
	if p >= len(text) {
		return false
	}
	op, _ := signOperator(text, p)
	return op == equals
}

// isScope reports whether a text ends with the scope of a variable of PowerShell: $env, $global, Env
func isScope(text []byte) bool {
	start := len(text)
	for start > 0 && len(text)-start < 8 && isLetter(text[start-1]) {
		start--
	}
	return start > 0 && text[start-1] == '$' || hasFoldAt(text, start, "env") && len(text)-start == len("env")
}

// typesOfText are types that may be between a name and its value.
const typesOfText = " string str bytes text char varchar nvarchar secretstring "

// behindGoType skips the type between a name of Go and its value.
func (s *scan) behindGoType(a *assignedValue, p int) (int, bool) {
	text, q := s.text, p
	for q < len(text) && isAlnum(text[q]) && q-p < 16 {
		q++
	}
	for q < len(text) && text[q] == ' ' {
		q++
	}
	if q+2 >= len(text) || text[q] != '=' || q == p || !inList(bytes.TrimRight(text[p:q], " "), typesOfText) {
		return p, false
	}
	a.op = equals
	for p = q + 1; p < len(text) && text[p] == ' '; p++ {
	}
	return p, p < len(text) && isQuote(text[p])
}

// behindType returns where the value of a name with a type begins: password: string = "...", password: &str = "...".
func (s *scan) behindType(a *assignedValue, p int) (int, bool) {
	if a.op != colon {
		return 0, false
	}
	q := p
	for q < len(s.text) && q-p < 24 && (isAlnum(s.text[q]) || bytes.IndexByte([]byte("&'<>[]_.?|"), s.text[q]) >= 0 ||
		s.text[q] == ' ') {
		q++
	}
	if q == p || q+1 >= len(s.text) || s.text[q] != '=' || s.text[q+1] == '=' {
		return 0, false
	}
	for q++; q < len(s.text) && s.text[q] == ' '; q++ {
	}
	q = s.wrapper(q)
	_, n := quoteAt(s.text, q)
	return q, n > 0
}

// closers skips characters between a name and its operator: quotes, brackets, a question mark, Markdown markup.
func closers(text []byte, from int) (p, quotes, spaces int) {
	for p = from; p < len(text) && p-from < 16+min(spaces, 48); p++ {
		switch c := text[p]; {
		case isQuote(c) && spaces > 0: // the quote of the value
			return p, quotes, spaces
		case isQuote(c):
			quotes++
		case c == ' ' || c == '\t':
			spaces++
		case c == '&' || c == '%' || c == 0xe2:
			q, n := quoteAt(text, p)
			if n == 0 || q.open == `"` {
				return p, quotes, spaces
			}
			quotes++
			p += n - 1
		case !isCloser(text, p):
			return p, quotes, spaces
		}
	}
	return p, quotes, spaces
}

// isCloser reports whether a byte may be between a name and its operator, and is not part of an operator: != ?? ?=.
func isCloser(text []byte, p int) bool {
	var next byte
	if p+1 < len(text) {
		next = text[p+1]
	}
	switch text[p] {
	case '\\', ']', ')', '*':
		return true
	case '!':
		return next != '='
	case '?':
		return next != '?' && next != '='
	}
	return false
}

// beginsLine reports whether only blanks, and prefixes that tools write before lines, precede a name on its line.
func (s *scan) beginsLine(from int) bool {
	end := from
	for end > 0 && from-end < 32 && (s.text[end-1] == ' ' || s.text[end-1] == '\t' || isQuote(s.text[end-1])) {
		end--
	}
	if locationAt(s.text, end) < end {
		return true
	}
	line := s.text[max(0, from-32):from]
	if i := bytes.LastIndexByte(line, '\n'); i >= 0 {
		line = line[i+1:]
	} else if from > 32 {
		return false
	}
	p := afterPrefix(line, 0, len(line))
	for p < len(line) && (isSpace(line[p]) || isQuote(line[p])) {
		p++
	}
	return p == len(line)
}

// beginsCommand reports whether a name is at a place where a shell or an .env file sets a variable.
func (s *scan) beginsCommand(from int) bool {
	if from == 0 || isEscaped(s.text, from-1) {
		return true
	}
	switch s.text[from-1] {
	case '\n', '\t':
		return true
	case ':':
		return locationAt(s.text, from) < from
	case '"': // an element of a list on a line of its own, as docker inspect prints them
		return isUpper(s.text[from]) && s.beginsLine(from-1)
	case ' ':
	default:
		return false
	}
	i := from - 1
	for i > 0 && from-i < 8 && s.text[i-1] == ' ' {
		i--
	}
	if i == 0 {
		return true
	}
	for _, before := range []string{"\n", "export", "set", "ENV", "env", "-e", "declare -x", "-x", "ARG", ";", "&&",
		"--env", "→", "$", "+", "-", ">", "|", "sudo"} {
		if bytes.HasSuffix(s.text[:i], []byte(before)) {
			return true
		}
	}
	return false
}
