package redact

import "bytes"

// An assigned is a value with the name that it is assigned to: in code, in shells, in YAML, JSON and XML, in the
// query of a URL, on a command line.
type assigned struct {
	name       []byte
	op         operator
	quoted     bool
	env        bool // NAME=value at the beginning of a line, or of a command
	line       bool // the name begins its line
	sets       bool // an argument of a call that sets something: os.Setenv("NAME", "value")
	whole      bool // the value reaches to the end of its line
	next       byte // behind the value
	start, end int  // of the value
}

// An operator stands between a name and its value.
type operator byte

const (
	noOperator operator = iota
	equals              // = := => ||
	colon
	compares // == != : the value is one that the name may have
	comma    // between arguments
	call     // password("...")
	element  // <password>...</password>
	option   // --password ...
	command  // setx PASSWORD ...
	says     // the password is ...
)

// sure says that what stands behind the name is its value, and no code.
func (a *assigned) sure() bool {
	return a.env || a.op == element || a.op == command || a.sets || a.quoted && a.op != comma && a.op != compares
}

// assigned reads what stands behind the name s.text[from:to].
func (s *scan) assigned(from, to int) (assigned, bool) {
	a := assigned{name: s.text[from:to], line: s.beginsLine(from)}
	if isPart(s.text, from, to) {
		return a, false
	}
	p, ok := s.operator(&a, from, to)
	if !ok {
		return a, false
	}
	for p < len(s.text) && (s.text[p] == ' ' || s.text[p] == '\t') && p-to < 160 {
		p++
	}
	a.env = a.op == equals && p == to+1 && s.beginsCommand(from)
	if a.op == colon && p < len(s.text) && s.text[p] == '{' { // "password": {"sensitive": true, "value": "..."}
		if q, ok := laterValue(s.text, p+1); ok {
			p = q
		}
	}
	if a.op == comma { // "name": "API_TOKEN", "value": "..."
		if q, ok := laterValue(s.text, p); ok {
			p, a.op = q, colon
		} else if s.text[from] == '-' { // ["--password", "..."]
			a.op = option
		}
	}
	a.sets = a.op == comma && s.isSetter(from)
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
	return s.bareValue(a, p, from)
}

// isPart says that a name is a part of a path of names, or of an expression: AWS::ApiKey, arn:aws:secret:x, (?P<token>x).
func isPart(text []byte, from, to int) bool {
	switch {
	case from > 0 && text[from-1] == ':' && !(to < len(text) && isQuote(text[to]) && text[max(0, from-2)] != ':'): // "Jwt:Key"
		return from > 1 && (text[from-2] == ':' || isAlnum(text[from-2]) || text[from-2] == '*')
	case from > 2 && text[from-1] == '<':
		return text[from-2] == '?' || text[from-2] == 'P' && text[from-3] == '?'
	}
	return false
}

// operator reads the operator behind a name and returns where it ends.
func (s *scan) operator(a *assigned, from, to int) (int, bool) {
	text := s.text
	p, quotes, spaces := closers(text, to)
	if p >= len(text) {
		return p, false
	}
	op := p
	switch c := text[p]; {
	case c == '=' || c == '!' && p+1 < len(text) && text[p+1] == '=':
		a.op = equals
		if text[p] == '!' || p+1 < len(text) && text[p+1] == '=' {
			a.op = compares
		}
		for p < len(text) && (text[p] == '=' || text[p] == '>' || text[p] == '~' || text[p] == '!') && p-op < 16 {
			p++
		}
	case c == ':':
		a.op = colon
		for p < len(text) && (text[p] == ':' || text[p] == '=' || text[p] == '-' && text[p-1] == ':') && p-op < 16 {
			p++
		}
		for p < len(text) && text[p] == '*' { // **name:** value
			p++
		}
	case p+1 < len(text) && inList(text[p:p+2], " || ?? ?= .= += -> <- "):
		a.op = equals
		p += 2
		for p < len(text) && text[p] == '=' {
			p++
		}
	case c == ',' && quotes > 0:
		a.op = comma
		p++
	case c == '(' && spaces == 0 && quotes == 0 && s.takesValue(from, to):
		a.op = call
		p++
	case c == '>' && from > 0 && text[from-1] == '<':
		a.op = element
		p++
		for p < len(text) && isSpace(text[p]) && p-to < 80 {
			p++
		}
	case spaces > 0 && text[from] == '-':
		a.op = option
	case spaces > 0 && quotes > 0 && stands(text, p, "value"): // <add key="ClearTextPassword" value="..."
		a.op = comma
	case spaces > 0 && isQuote(c) && isUpper(text[to-1]): // PASSWORD '...'
		a.op = command
		p = to
	case (spaces > 0 || isQuote(c)) && s.setsNext(from):
		a.op = command
		p = to
	case spaces > 0 && bytes.HasPrefix(text[p:], []byte("SecureString\t")): // aws ssm --output text
		a.op = command
		p += len("SecureString")
	case spaces > 1 && a.line && text[p-1] == ' ' && text[p-2] == ' ' && isRow(text[p:]): // a table of names and values
		a.op = colon
	case spaces > 0 && isSaid(text[p:]): // the password is ...
		a.op = says
		p += bytes.IndexByte(text[p:], ' ')
		for p < len(text) && (text[p] == ' ' || text[p] == ':') {
			p++
		}
	case spaces > 0 && isLower(c): // Go: var apiKey string = "..."
		return s.behindGoType(a, p)
	default:
		return p, false
	}
	return p, true
}

// isRow says that one value stands in the rest of a line.
func isRow(text []byte) bool {
	line := bytes.TrimRight(text[:lineEnd(text, 0)], " \t\r")
	return len(line) >= leastValue && !bytes.ContainsAny(line, " \t")
}

// isSaid says that a text begins with a verb that gives a name its value.
func isSaid(text []byte) bool {
	for _, verb := range []string{"is ", "is: ", "was ", "ist ", "lautet ", "est ", "es ", "to "} {
		if bytes.HasPrefix(text, []byte(verb)) {
			return true
		}
	}
	return false
}

// typesOfText are types that stand between a name and its value.
const typesOfText = " string str bytes text char varchar nvarchar secretstring "

// behindGoType skips the type between a name of Go and its value.
func (s *scan) behindGoType(a *assigned, p int) (int, bool) {
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

// behindType is where the value of a name stands that has a type: password: string = "...", password: &str = "...".
func (s *scan) behindType(a *assigned, p int) (int, bool) {
	if a.op != colon {
		return 0, false
	}
	q := p
	for q < len(s.text) && q-p < 24 && (isAlnum(s.text[q]) || bytes.IndexByte([]byte("&'<>[]_.?|"), s.text[q]) >= 0 || s.text[q] == ' ') {
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

// closers skips what may stand between a name and its operator: quotes, brackets, a question mark, the signs of Markdown.
func closers(text []byte, from int) (p, quotes, spaces int) {
	for p = from; p < len(text) && p-from < 16+min(spaces, 48); p++ {
		switch c := text[p]; {
		case isQuote(c) && spaces > 0: // that of the value
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
		case c == '!' && p+1 < len(text) && text[p+1] == '=':
			return p, quotes, spaces
		case c == '\\' || c == ']' || c == ')' || c == '?' && (p+1 >= len(text) || text[p+1] != '?' && text[p+1] != '=') || c == '!' || c == '*':
		default:
			return p, quotes, spaces
		}
	}
	return p, quotes, spaces
}

// beginsLine says that nothing but blanks, and what tools set before lines, stands before a name on its line.
func (s *scan) beginsLine(from int) bool {
	line := s.text[max(0, from-32):from]
	if i := bytes.LastIndexByte(line, '\n'); i >= 0 {
		line = line[i+1:]
	} else if from > 32 {
		return false
	}
	p := afterFrame(line, 0, len(line))
	for p < len(line) && (isSpace(line[p]) || isQuote(line[p])) {
		p++
	}
	return p == len(line)
}

// beginsCommand says that a name stands where a shell or an .env file sets one.
func (s *scan) beginsCommand(from int) bool {
	if from == 0 || isEscaped(s.text, from-1) {
		return true
	}
	switch s.text[from-1] {
	case '\n', '\t':
		return true
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
	for _, before := range []string{"\n", "export", "set", "ENV", "env", "-e", "declare -x", "-x", "ARG", ";", "&&", "--env", "→", "$", "+", "-", ">", "|", "sudo"} {
		if bytes.HasSuffix(s.text[:i], []byte(before)) {
			return true
		}
	}
	return false
}
