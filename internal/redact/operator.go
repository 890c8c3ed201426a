package redact

import "bytes"

// An operator is between a name and its value.
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
	verb     // the password is ...
)

// operator reads the operator after a name and returns where it ends.
func (s *scan) operator(a *assignedValue, from, to int) (int, bool) {
	p, quotes, spaces := closers(s.text, to)
	if p >= len(s.text) {
		return p, false
	}
	if op, end := signOperator(s.text, p); op != noOperator {
		a.op = op
		return end, true
	}
	if op, end := s.bracketOperator(from, to, p, quotes, spaces); op != noOperator {
		a.op = op
		return end, true
	}
	if op, end := s.spacedOperator(from, to, p, quotes, spaces); op != noOperator {
		a.op = op
		return end, true
	}
	if op, end := s.ofOwner(from, p, quotes); op != noOperator {
		a.op = op
		return end, true
	}
	if op, end := s.cellOperator(a, from, p, quotes, spaces); op != noOperator {
		a.op = op
		return end, true
	}
	if isEscaped(s.text, p) { // the end of a line that is written out
		p--
	}
	switch {
	case isLineEnd(s.text, p):
		if q, ok := valueBelow(s.text, p); ok {
			a.op = colon
			return q, true
		}
		return p, false
	case spaces == 0:
		return p, false
	case bytes.HasPrefix(s.text[p:], []byte("[None]: ")), bytes.HasPrefix(s.text[p:], []byte("[****")):
		// aws configure: the value so far
		if n := bytes.Index(s.text[p:min(len(s.text), p+32)], []byte("]: ")); n >= 0 {
			a.op = colon
			return p + n + len("]: "), true
		}
	// a table of names and values
	case spaces > 1 && a.line && s.text[p-1] == ' ' && s.text[p-2] == ' ' && isRow(s.text[p:]):
		a.op = colon
		return p, true
	case isSaid(s.text[p:]): // the password is ...
		a.op = verb
		p += bytes.IndexByte(s.text[p:], ' ')
		return skipBytes(s.text, p, len(s.text), " :"), true
	case isLower(s.text[p]): // Go: var apiKey string = "..."
		return s.behindGoType(a, p)
	}
	return p, false
}

// longestOperator limits the length of an operator of symbols in bytes: ====.
const longestOperator = 16

// signOperator reads an operator that consists of symbols, and returns where it ends.
func signOperator(text []byte, p int) (operator, int) {
	var next byte
	if p+1 < len(text) {
		next = text[p+1]
	}
	switch c := text[p]; {
	case c == '=' && next != '=':
		return equals, skipBytes(text, p, p+longestOperator, "=>~!")
	case c == '=' || c == '!' && next == '=':
		return compares, skipBytes(text, p, p+longestOperator, "=>~!")
	case c == ':':
		op := p
		for p < len(text) && (text[p] == ':' || text[p] == '=' || text[p] == '-' && text[p-1] == ':') &&
			p-op < longestOperator {
			p++
		}
		return colon, skipBytes(text, p, len(text), "*") // **name:** value
	case bytes.HasPrefix(text[p:], []byte("：")): // as Chinese and Japanese keyboards write it
		return colon, p + len("：")
	case bytes.HasPrefix(text[p:], []byte("＝")):
		return equals, p + len("＝")
	case p+1 < len(text) && inList(text[p:p+2], " || ?? ?= .= += -> <- "):
		return equals, skipBytes(text, p+2, len(text), "=")
	}
	return noOperator, p
}

// bracketOperator reads the text between a name and its value in a list of arguments, a call or an element.
func (s *scan) bracketOperator(from, to, p, quotes, spaces int) (operator, int) {
	switch c := s.text[p]; {
	case quotes > 0 && (c == '.' || c == '}'):
		if q, ok := typedText(s.text, p); ok {
			return call, q
		}
	case c == ',' && (quotes > 0 || from > 0 && s.text[from-1] == '{'): // Erlang: {password, "..."}
		return comma, p + 1
	case c == '(' && spaces == 0 && quotes == 0 && s.takesValue(from, to),
		c == '(' && quotes == 0 && bytes.HasSuffix(s.text[:from], []byte("string ")): // C++
		return call, p + 1
	case c == '>' && opensElement(s.text, from):
		p = skipJoints(s.text, p+1, to+80)
		for _, start := range []string{"<value>", "<![cdata["} {
			if hasFoldAt(s.text, p, start) {
				p += len(start)
			}
		}
		return element, p
	case c == '<':
		if q, ok := elementBeside(s.text, from, p); ok {
			return element, q
		}
	case spaces > 0 && hasFoldAt(s.text, p, "type=") && opensElement(s.text, from): // <wsse:Password Type="...">
		tag := s.text[p:min(len(s.text), p+longestTag)]
		if n := bytes.IndexAny(tag, "<>\n"); n > 0 && tag[n] == '>' && tag[n-1] != '/' {
			return element, p + n + 1
		}
	}
	return noOperator, p
}

// typings are the calls with which tests of pages type a text into a field.
var typings = []string{".fill(", ".type(", ".send_keys(", ".sendKeys(", ".setValue(", ".pressSequentially("}

// typedText reads the call after the name of a field: getByLabel("Password").fill("...").
func typedText(text []byte, p int) (int, bool) {
	p = skipBytes(text, p, p+8, " })")
	for _, t := range typings {
		if bytes.HasPrefix(text[min(p, len(text)):], []byte(t)) {
			return p + len(t), true
		}
	}
	return p, false
}

// longestTag limits the length of a tag with an attribute, in bytes.
const longestTag = 160

// opensElement reports whether a name is that of an XML element, which may have a namespace: <password, <ns:password.
func opensElement(text []byte, from int) bool {
	if from > 0 && text[from-1] == ':' {
		from--
		for n := 0; n < 32 && from > 0 && isAlnum(text[from-1]); n++ {
			from--
		}
	}
	return from > 0 && text[from-1] == '<'
}

// spacedOperator reads an operator that consists of blanks, or of a quote: the name, or the text before it, tells that
// a value follows.
func (s *scan) spacedOperator(from, to, p, quotes, spaces int) (operator, int) {
	quoted := isQuote(s.text[p])
	switch {
	case spaces == 0 && !quoted:
		return noOperator, p
	case spaces > 0 && s.text[from] == '-':
		return option, p
	case spaces > 0 && quotes > 0 && hasFoldAt(s.text, p, "value"): // <add key="ClearTextPassword" value="..."
		return comma, p
	case spaces > 0 && hasFoldAt(s.text, p, "by '"): // IDENTIFIED WITH mysql_native_password BY '...'
		return command, p + len("by ")
	case spaces > 0 && hasFoldAt(s.text, p, "-value "): // Set-Item Env:PASSWORD -Value ...
		return command, p + len("-value")
	case spaces > 0 && quoted && isUpper(s.text[to-1]), s.setsNext(from): // PASSWORD '...', setx PASSWORD ...
		return command, to
	case spaces > 0 && bytes.HasPrefix(s.text[p:], []byte("SecureString\t")): // aws ssm --output text
		return command, p + len("SecureString")
	}
	return noOperator, p
}

// ofOwner reads the text between a name and its value that tells whose it is, or what it is for: "password for mara: ",
// SET PASSWORD FOR 'mara' = '...', variable "password" { default = "..." }.
func (s *scan) ofOwner(from, p, quotes int) (operator, int) {
	const longest = 80 // bytes
	text := s.text[:lineEnd(s.text[:min(len(s.text), p+longest)], p)]
	switch {
	case quotes == 0 && (hasFoldAt(text, p, "for ") || hasFoldAt(text, p, "für ")):
		if n := bytes.Index(text[p:], []byte(": ")); n >= 0 && bytes.Count(text[p:p+n], []byte(" ")) < 4 {
			if bytes.HasSuffix(s.text[:from], []byte("[sudo] ")) { // what follows is typed
				return command, p + n + len(": ")
			}
			return colon, p + n + len(": ")
		}
		if n := bytes.Index(text[p:], []byte(" is ")); n >= 0 && bytes.Count(text[p:p+n], []byte(" ")) < 5 {
			return verb, p + n + len(" is ")
		}
		if n := bytes.Index(text[p:], []byte(" = ")); n >= 0 && bytes.Count(text[p:p+n], []byte(" ")) < 2 {
			return equals, p + n + len(" = ")
		}
	case quotes == 1 && s.text[p] == '{' && from > len("variable ") &&
		string(s.text[from-1-len("variable "):from-1]) == "variable ":
		block := s.text[p:min(len(s.text), p+5*longest)]
		if n := bytes.Index(block, []byte("\n}")); n >= 0 {
			block = block[:n]
		}
		if n := bytes.Index(block, []byte("default")); n >= 0 {
			n += len("default")
			if n = skipBytes(block, n, len(block), " "); n < len(block) && block[n] == '=' {
				return equals, p + n + 1
			}
		}
	}
	return noOperator, p
}

// remarks are words that may be between a name and the colon of a question.
const remarks = " value again string seed words eingeben provided "

// afterRemark skips words and remarks in brackets between a name and the sign after it, as questions have them:
// passphrase (empty for none): ... It returns p if no such sign follows.
func afterRemark(text []byte, p int) int {
	q, hidden := p, false
	for range 3 {
		word := q
		switch {
		case q < len(text) && (text[q] == '(' || text[q] == '['):
			n := bytes.IndexAny(text[q:], ")]")
			if n < 0 {
				return p
			}
			hidden = hidden || contains(text[q:q+n], "hidden")
			q += n + 1
		default:
			for q < len(text) && isAlnum(text[q]) && q-word < 16 {
				q++
			}
			if w := text[word:q]; len(w) == 0 || !isNumber(w) && !inList(lowered(nil, w), remarks) {
				return p
			}
		}
		q = skipBytes(text, q, len(text), " ")
		switch {
		case q+1 < len(text) && text[q] == ':' && text[q+1] == ' ':
			return skipBytes(text, q+1, len(text), " ")
		case hidden:
			return q
		}
	}
	return p
}

// standsAlone reports whether a name begins its line, or is a keyword of Clojure: {:password "..."}.
func (s *scan) standsAlone(a *assignedValue, from int) bool {
	t := s.text
	return a.line || from > 0 && t[from-1] == ':' && (from == 1 || !isName(t[from-2]) && t[from-2] != ':')
}

// cellSigns are signs between a name and its value in texts for people.
var cellSigns = []string{"— ", "– ", "- ", "→ ", "› ", "» ", "❯ "}

// cellOperator reads the text between a name and its value in a question, in a row of a table, or in a list. Such a
// value has to look like a secret.
func (s *scan) cellOperator(a *assignedValue, from, p, quotes, spaces int) (operator, int) {
	c, limit := s.text[p], min(len(s.text), p+80)
	if q := afterRemark(s.text[:lineEnd(s.text[:limit], p)], p); q > p && spaces > 0 && quotes == 0 {
		return colon, q
	}
	switch {
	case c == '|' && s.isColumn(a, from, p, limit):
		return verb, skipBytes(s.text, p+1, limit, " *")
	case c == ',' && a.line && isRow(s.text[p+1:]), spaces > 0 && a.line && s.text[p-1] == '\t' && isRow(s.text[p:]):
		return verb, skipBytes(s.text, p, limit, ",\t")
	case c == ',' && quotes == 0 && isUpper(s.text[p-1]): // CURLOPT_USERPWD, "..."
		return comma, p + 1
	case spaces > 0 && quotes == 0 && isQuote(c) && s.standsAlone(a, from): // storePassword "..."
		return comma, p
	case spaces > 0 && hasFoldAt(s.text, p, "reg_sz "):
		return command, p + len("reg_sz ")
	case spaces > 0 && hasFoldAt(s.text, p, "/t reg_sz /d "):
		return command, p + len("/t reg_sz /d ")
	case spaces > 0 && bytes.HasPrefix(s.text[from:], []byte("IDENTIFIED BY ")):
		return verb, p
	}
	for _, sign := range cellSigns {
		if spaces > 0 && bytes.HasPrefix(s.text[p:], []byte(sign)) {
			return verb, p + len(sign)
		}
	}
	return noOperator, p
}

// isColumn reports whether the sign at p follows a name in a table: | password | ..., or in a record that psql prints.
func (s *scan) isColumn(a *assignedValue, from, p, limit int) bool {
	if p+1 >= limit || s.text[p+1] == '|' {
		return false
	}
	return s.inTable(from) || a.line && s.text[p-1] == ' ' && isRow(bytes.TrimLeft(s.text[p+1:limit], " "))
}

// inTable reports whether a name begins a cell of a table: | password | ...
func (s *scan) inTable(from int) bool {
	for n := 0; from > 0 && n < 40 && isCellByte(s.text[from-1]); n++ {
		from--
	}
	return from > 0 && s.text[from-1] == '|'
}

func isCellByte(c byte) bool { return isName(c) || c == ' ' || c == '*' || c == '`' }

// isRow reports whether the rest of a line is one value.
func isRow(text []byte) bool {
	line := bytes.TrimRight(text[:lineEnd(text, 0)], " \t\r")
	return len(line) >= minValue && !bytes.ContainsAny(line, " \t")
}

// isSaid reports whether a text begins with a verb that gives a name its value.
func isSaid(text []byte) bool {
	for _, verb := range []string{"is ", "is: ", "was ", "ist ", "lautet ", "est ", "es ", "to "} {
		if bytes.HasPrefix(text, []byte(verb)) {
			return true
		}
	}
	return false
}
