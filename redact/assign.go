package redact

import "bytes"

var (
	secretRule   = &rule{id: "secret", label: "secret", confidence: Likely}
	passwordRule = &rule{id: "password", label: "password", confidence: Likely}
)

// An assigned is a value with the name that it is assigned to: in code, in shells, in YAML, JSON and XML, in the
// query of a URL, on a command line.
type assigned struct {
	name       []byte
	op         byte // '=', ':', ',' between arguments, '>' of XML, ' ' on a command line
	quoted     bool
	env        bool // NAME=value at the beginning of a line, or of a command
	whole      bool // the value reaches to the end of its line
	next       byte // behind the value
	start, end int  // of the value
}

// assignment is the detector of names that promise a secret. When the text is a member name, what it promises is
// noted for its value.
func assignment(s *scan, t *target, at int) {
	if t.word == "token" && at+5 < len(s.text) && lower(s.text[at+5]) == 's' { // input_tokens: each message has some
		return
	}
	if s.isName {
		s.kind = max(s.kind, classOf(s.text))
		return
	}
	if isPairName(s.context.name) && isSetting(s.text, false) { // {"name": "API_TOKEN", "value": "..."}
		s.kind = classOf(s.text)
		return
	}
	known := at < s.nameEnd // by another word in the same name
	if known && (t.rules == nil || !s.nameFits) {
		return
	}
	from, to := at, at+len(bytes.TrimRight([]byte(t.word), `=:"' .,)>]`))
	for from > 0 && at-from < 64 && isName(s.text[from-1]) {
		from--
	}
	for to < len(s.text) && to-at < 64 && isName(s.text[to]) {
		to++
	}
	if from < at && isEscaped(s.text, from) {
		from++
	}
	if !known {
		s.nameEnd = to
	}
	if t.rules != nil { // telegram bot: ...
		for end := to; end < len(s.text) && end-to < 20 && (s.text[end] == ' ' || isName(s.text[end])); end++ {
			if isName(s.text[end]) && (end+1 == len(s.text) || !isName(s.text[end+1])) {
				if p, _, _ := closers(s.text, end+1); p < len(s.text) && (s.text[p] == '=' || s.text[p] == ':') {
					to = end + 1
				}
			}
		}
	}
	a, ok := s.assigned(from, to)
	s.nameFits = ok
	if !ok || a.end-a.start < leastValue && t.rules == nil {
		return
	}
	v := s.text[a.start:a.end]
	for _, r := range t.rules {
		if end := s.valueOf(r, a); end > 0 {
			s.replace(a.start, end, r)
		}
	}
	if known {
		return
	}
	if r := judge(classOf(a.name), v, a); r != nil {
		s.replace(a.start, a.end, r)
	}
}

// valueOf is the end of the value when it is what the rule of a vendor looks for, else 0. Without quotes the value may
// go on where that of other names would end.
func (s *scan) valueOf(r *rule, a assigned) int {
	end := 0
	if a.quoted {
		if r.is(s.text[a.start:a.end]) {
			end = a.end
		}
	} else {
		shapes := r.shapes()
		for i := range shapes {
			if _, _, e, ok := shapes[i].at(s.text, a.start); ok && (e >= len(s.text) || !isBase64(s.text[e])) {
				end = e
				break
			}
		}
	}
	if end == 0 || !r.name().Match(a.name) {
		return 0
	}
	v := s.text[a.start:end]
	if !s.passes(r, v) || !a.quoted && isSum(v) && classOf(a.name) == none { // linear: a commit
		return 0
	}
	return end
}

// is says that a value is all of what the rule of a vendor looks for.
func (r *rule) is(v []byte) bool {
	shapes := r.shapes()
	for i := range shapes {
		if _, _, end, ok := shapes[i].at(v, 0); ok && end == len(v) {
			return true
		}
	}
	return shapes == nil && r.expr().Match(v)
}

// assigned reads what stands behind the name s.text[from:to].
func (s *scan) assigned(from, to int) (assigned, bool) {
	text := s.text
	a := assigned{name: text[from:to]}
	p, quotes, spaces := closers(text, to)
	if p >= len(text) {
		return a, false
	}
	switch c := text[p]; {
	case c == '=':
		a.op = '='
		for p < len(text) && (text[p] == '=' || text[p] == '>' || text[p] == '~') {
			p++
		}
	case c == ':':
		a.op = ':'
		for p < len(text) && (text[p] == ':' || text[p] == '=') {
			p++
		}
	case p+1 < len(text) && inList(text[p:p+2], " || ?? ?= .= += -> "):
		a.op = '='
		p += 2
		for p < len(text) && text[p] == '=' {
			p++
		}
	case c == ',' && quotes > 0:
		a.op = ','
		p++
	case c == '>' && from > 0 && text[from-1] == '<':
		a.op = '>'
		p++
		for p < len(text) && isSpace(text[p]) && p-to < 80 {
			p++
		}
	case spaces > 0 && from >= 1 && text[from] == '-':
		a.op = ' '
	case spaces > 0 && quotes > 0 && c == 'v': // <add key="ClearTextPassword" value="..."
		a.op = ','
	case spaces > 0 && isLower(c): // Go: var apiKey string = "..."
		q := p
		for q < len(text) && isAlnum(text[q]) && q-p < 16 {
			q++
		}
		for q < len(text) && text[q] == ' ' {
			q++
		}
		if q+2 >= len(text) || text[q] != '=' || q == p {
			return a, false
		}
		a.op = '='
		for p = q + 1; p < len(text) && text[p] == ' '; p++ {
		}
		if p >= len(text) || !isQuote(text[p]) {
			return a, false
		}
	default:
		return a, false
	}
	for p < len(text) && (text[p] == ' ' || text[p] == '\t') && p-to < 80 {
		p++
	}
	a.env = a.op == '=' && p == to+1 && s.beginsCommand(from)
	// "name": "API_TOKEN", "value": "..."
	if a.op == ',' {
		if q, ok := valueMember(text, p); ok {
			p, a.op = q, ':'
		}
	}
	for p < len(text) && text[p] == '\\' {
		p++
	}
	if p >= len(text) {
		return a, false
	}
	if isQuote(text[p]) {
		quote := text[p]
		p++
		for p < len(text) && text[p] == '\\' { // an escaped quote at the beginning of a quoted text
			p++
		}
		a.quoted = true
		a.start = p
		end := bytes.IndexByte(text[p:min(len(text), p+4096)], quote)
		if end < 0 {
			return a, false
		}
		a.end = p + end
		for a.end > a.start && text[a.end-1] == '\\' {
			a.end--
		}
		if bytes.IndexByte(text[a.start:a.end], '\n') >= 0 {
			return a, false
		}
		return a, a.end > a.start
	}
	if a.op == ',' {
		return a, false
	}
	a.start, a.end = p, s.runEnd(p)
	if a.env {
		if i := bytes.IndexByte(text[a.start:a.end], '\\'); i >= 0 && a.start+i+1 < len(text) && isEscapeLetter(text[a.start+i+1]) {
			a.end = a.start + i
		}
	} else {
		query := from > 0 && (text[from-1] == '?' || text[from-1] == '&')
		a.end = s.clipped(a.start, a.end, query)
	}
	if a.end < len(text) {
		a.next = text[a.end]
	}
	a.whole = a.end >= len(text) || text[a.end] == '\n' || text[a.end] == '\r'
	return a, a.end > a.start
}

// closers skips what may stand between a name and its operator: quotes, brackets, a question mark.
func closers(text []byte, from int) (p, quotes, spaces int) {
	for p = from; p < len(text) && p-from < 8; p++ {
		switch c := text[p]; {
		case isQuote(c):
			quotes++
		case c == ' ' || c == '\t':
			spaces++
		case c == '\\' || c == ']' || c == ')' || c == '?' && (p+1 >= len(text) || text[p+1] != '?' && text[p+1] != '=') || c == '!':
		default:
			return p, quotes, spaces
		}
	}
	return p, quotes, spaces
}

// valueMember reads "value": at the place of the next argument.
func valueMember(text []byte, p int) (int, bool) {
	q := p
	for q < len(text) && q-p < 80 && (isSpace(text[q]) || text[q] == '\\' || isQuote(text[q])) {
		q++
	}
	if !stands(text, q, "value") {
		return p, false
	}
	q += len("value")
	for q < len(text) && q-p < 96 && (isSpace(text[q]) || text[q] == '\\' || isQuote(text[q])) {
		q++
	}
	if q >= len(text) || text[q] != ':' && text[q] != '=' {
		return p, false
	}
	for q++; q < len(text) && isSpace(text[q]) && q-p < 112; q++ {
	}
	return q, true
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

// runEnd is the end of the run without white space and quotes that starts at p, at most longestValue on.
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

// leastValue is the shortest value that may be a secret, in bytes.
const leastValue = 6

// longestValue is the longest value that may be a secret, in bytes, when its shape says nothing.
const longestValue = 512

// judge decides whether a value is a secret, by what its name promises.
func judge(c class, v []byte, a assigned) *rule {
	if c == none || len(v) < leastValue || len(v) > longestValue || isPath(v) {
		return nil
	}
	switch c {
	case weak:
		if isRandom(v, 16, 3.5) && !isUUID(v) && !isSum(v) && !isCode(v, a) && !hasStopWord(v) && !isPlaceholder(v) {
			return secretRule
		}
	case key:
		if isRandom(v, 16, 3.0) && !isCode(v, a) && !isPlaceholder(v) {
			return secretRule
		}
	case word:
		if isPassword(v, a) && (a.op == ':' && a.whole || !isCode(v, a)) && !isPlaceholder(v) {
			if bytes.Contains(lowered(nil, a.name), []byte("pass")) || bytes.Contains(lowered(nil, a.name), []byte("pwd")) {
				return passwordRule
			}
			return secretRule
		}
	}
	return nil
}

// isCode says that a value is not one but an expression: a name, a call, an index, a number.
func isCode(v []byte, a assigned) bool {
	if v[0] == '0' && len(v) > 1 && lower(v[1]) == 'x' {
		return true
	}
	if a.quoted {
		return holds(v, `\u`) || holds(v, `\x`)
	}
	if a.env {
		return false
	}
	if a.next == '(' || a.next == '[' || a.next == '{' {
		return true
	}
	groups := 0
	for i, c := range v {
		if !isAlnum(c) && c != '_' && c != '.' {
			return false
		}
		if isDigit(c) && (i == 0 || !isDigit(v[i-1])) {
			groups++
		}
	}
	return isLetter(v[0]) && groups < 2
}

// isPassword says that a value that is called a password or a secret is one.
func isPassword(v []byte, a assigned) bool {
	if len(v) > 256 {
		return false
	}
	digits, letters, others := 0, 0, 0
	for _, c := range v {
		switch {
		case isDigit(c):
			digits++
		case isLetter(c):
			letters++
		case c == '(' || c == ')' || c == '{' || c == '}' || c == ' ' || c < ' ':
			return false
		default:
			others++
		}
	}
	var buffer [256]byte
	low := lowered(buffer[:0], v)
	for _, w := range trivial {
		if holds(low, w) {
			return false
		}
	}
	switch {
	case a.quoted || a.env || a.op == ' ':
		// A name that code gives to something else has no digits; an option has dashes. What
		// an environment calls a password may be made of words.
		return len(v) >= 6 && (digits > 0 && (letters > 0 || others > 0) && (a.env || !isWordy(v)) || a.env && len(v) >= 8 && digits == 0 && others > 0 && !isWordy(v) || isRandom(v, 16, 3.0))
	case a.op == ':' && a.whole || a.op == '>' || a.op == '=':
		return len(v) >= 8 && digits > 0 && letters > 0 && !isWordy(v) && entropy(v) > 2.5
	}
	return false
}

// trivial are passwords that everybody has, and words that are none.
var trivial = []string{
	"password", "passwd", "secret", "test", "admin", "postgres", "mysql", "redis", "root", "guest", "default", "demo", "mock", "string",
	"required", "optional", "true", "false", "none", "null", "foobar", "hunter2", "qwerty", "12345", "s3cret", "passw0rd", "p4ssw0rd", "p@ssw0rd", "p@ssword", "letmein", "welcome", "localhost", "token",
}

// member judges the value of a member whose name, or whose "name", promises something.
func (s *scan) member() {
	v := s.text
	switch s.class {
	case headerName:
		s.headerValue(0, len(v), true)
		return
	case cookieName:
		s.cookies(0, len(v))
		return
	case accountID:
		s.accountValue(0, len(v))
		return
	}
	if len(v) > 4096 || bytes.IndexByte(v, '\n') >= 0 {
		return
	}
	if r := judge(s.class, v, assigned{name: s.context.name, op: ':', quoted: true, end: len(v)}); r != nil {
		s.replace(0, len(v), r)
	}
}
