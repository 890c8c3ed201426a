package redact

import "bytes"

// longestLine limits the length of lines of secret files that are examined, in bytes.
const longestLine = 64 << 10

// fileLines replaces the values in a part of a text that is the content of a secret file.
func (s *scan) fileLines(k fileKind, from, to int) {
	text := s.text[:to]
	if k&^valueOutput == 0 {
		return
	}
	if k&jsonFile != 0 {
		s.jsonStrings(from, to)
	}
	for from < to {
		end := to
		if n := bytes.IndexByte(text[from:], '\n'); n >= 0 {
			end = from + n
		}
		from = max(s.fileLine(k, from, end), end) + 1
	}
}

// fileLine replaces the value on one line, and returns where it ends, which may be on another line.
func (s *scan) fileLine(k fileKind, from, end int) int {
	text := s.text
	if end-from > longestLine {
		return end
	}
	for end > from && (isSpace(text[end-1]) || text[end-1] == ',' || text[end-1] == ';') {
		end--
	}
	p := afterPrefix(text, from, end)
	if p >= end {
		return end
	}
	last := end
	if k&(envFile|envOutput|iniFile) != 0 {
		last = max(last, s.envLine(k, p, end))
	}
	if k&yamlFile != 0 {
		last = max(last, s.yamlLine(p, end))
	}
	if k&wordsFile != 0 {
		s.wordsLine(p, end)
	}
	if k&keyOfFile != 0 {
		s.keyLine(p, end)
	}
	return last
}

// envLine reads NAME=value, also in a command that writes it: echo "NAME=value" >> .env
func (s *scan) envLine(k fileKind, p, end int) int {
	text := s.text
	name := behindWriter(text, p, end)
	var around byte // the quote that a command puts around a line
	if name > p && name < end && isQuote(text[name]) {
		around = text[name]
		name++
	}
	value, ok := envValue(text, k, name, end)
	if !ok {
		return end
	}
	if around != 0 {
		if n := bytes.IndexByte(text[value:end], around); n >= 0 {
			s.setting(value, value+n)
			for _, program := range []string{"echo ", "printf "} { // echo "A=b" >> .env && echo "C=d" >> .env
				if i := bytes.Index(text[value+n:end], []byte(program)); i >= 0 {
					return s.envLine(k, value+n+i, end)
				}
			}
			return end
		}
	}
	for value < end && isSpace(text[value]) {
		value++
	}
	if s.context.member&commandMember != 0 { // NAME=value program
		if value < end && (text[value] == '/' || text[value] == '$') {
			return end
		}
		if n := bytes.IndexByte(text[value:end], ' '); n >= 0 && !isQuote(text[value]) {
			end = value + n
		}
	}
	return s.lineValue(value, end)
}

// behindWriter skips commands and symbols before NAME=value.
func behindWriter(text []byte, p, end int) int {
	for _, word := range []string{"export ", "set ", "declare -x ", "echo -e ", "echo ", "printf ", "$ ", "# ", "#"} {
		if bytes.HasPrefix(text[p:end], []byte(word)) {
			p += len(word)
		}
	}
	return p
}

// longestSetting limits the length of the name before an equals sign or a colon in a file, in bytes.
const longestSetting = 120

// envValue returns where the value starts in a line NAME=value; false for any other line.
func envValue(text []byte, k fileKind, name, end int) (int, bool) {
	eq := bytes.IndexByte(text[name:end], '=')
	if eq <= 0 || eq > longestSetting {
		return 0, false
	}
	printed := k&^envOutput == 0 // it may be something other than a file
	spaced := bytes.TrimRight(text[name:name+eq], " \t")
	if !isSetting(spaced, printed) {
		return 0, false
	}
	value := name + eq + 1
	if printed &&
		(len(spaced) != eq || bytes.IndexByte(text[value:end], ' ') >= 0 || value < end && text[value] == '/') {
		return 0, false
	}
	return value, true
}

// lineValue replaces the value that is the rest of a line, and returns where it ends, which may be on another line.
func (s *scan) lineValue(value, end int) int {
	text := s.text
	switch {
	case value >= end:
	case isCall(text[value:end]):
		return end
	case text[value] == '[' || text[value] == '{':
		s.strings(value, end)
		return end
	case (text[value] == '"' || text[value] == '\'') && bytes.IndexByte(text[value+1:end], text[value]) < 0:
		if last := s.openValue(value, end); last > 0 {
			return last
		}
	}
	s.setting(value, end)
	return end
}

// maxLines limits the number of lines of one value.
const maxLines = 200

// openValue replaces the lines of a value whose quote closes on another line, and returns where it ends, 0 if it does
// not.
func (s *scan) openValue(value, end int) int {
	text := s.text
	n := bytes.IndexByte(text[end:min(len(text), end+longestLine)], text[value])
	if n < 0 || bytes.Count(text[end:end+n], []byte("\n")) > maxLines {
		return 0
	}
	last := end + n
	s.setting(value, end)
	for p := nextLine(text, end); p < last; p = nextLine(text, p) {
		to := min(last, lineEnd(text, p))
		if start := afterPrefix(text, p, to); start < to {
			s.setting(start, to)
		}
	}
	return last
}

// yamlLine reads "name: value", and the lines of a block below a name.
func (s *scan) yamlLine(p, end int) int {
	text := s.text
	line := text[p:end]
	if bytes.HasPrefix(line, []byte("{")) || bytes.HasPrefix(line, []byte(`"`)) && contains(line, `":`) {
		s.strings(p, end)
		return end
	}
	colon := bytes.IndexByte(line, ':')
	if colon <= 0 || colon > longestSetting || p+colon+1 >= end ||
		!isSpace(text[p+colon+1]) && !isQuote(text[p+colon+1]) {
		return s.lineWithoutColon(p, end)
	}
	value := bytes.TrimSpace(line[colon+1:])
	switch {
	case len(value) > 0 && len(value) < 4 && (value[0] == '|' || value[0] == '>'):
		return s.indented(p, end)
	case len(value) > 0 && (value[0] == '[' || value[0] == '{'):
		s.strings(p+colon+1, end)
	default:
		s.setting(p+colon+1, end)
	}
	return end
}

// lineWithoutColon reads a line of TOML, or an element of a list of YAML.
func (s *scan) lineWithoutColon(p, end int) int {
	line := s.text[p:end]
	if eq := bytes.IndexByte(line, '='); eq > 0 && eq < longestSetting {
		return s.envLine(iniFile, p, end)
	}
	switch {
	case bytes.HasPrefix(line, []byte("- ")):
		s.setting(p+2, end)
	case p > 1 && string(s.text[p-2:p]) == "- ": // read as the sign of a patch
		s.setting(p, end)
	}
	return end
}

// indented replaces the lines that are indented more than the name above them.
func (s *scan) indented(p, end int) int {
	depth := s.indent(p)
	last := end
	for from := nextLine(s.text, end); from < len(s.text); from = nextLine(s.text, from) {
		to := lineEnd(s.text, from)
		start := afterPrefix(s.text, from, to)
		if start >= to {
			continue
		}
		if s.indent(start) <= depth {
			break
		}
		s.setting(start, to)
		last = to
	}
	return last
}

// wordsLine reads a line such as: a secret, machine x login y password z, host:port:base:user:password, user:hash:...
func (s *scan) wordsLine(p, end int) {
	text := s.text
	line := text[p:end]
	if i := bytes.Index(line, []byte("password ")); i >= 0 {
		s.setting(p+i+len("password "), end)
		return
	}
	fields := bytes.Split(line, []byte(":"))
	switch {
	case bytes.IndexByte(line, ' ') >= 0:
	case len(fields) > 5: // shadow
		if len(fields[1]) > 2 {
			s.setting(p+len(fields[0])+1, p+len(fields[0])+1+len(fields[1]))
		}
	case len(fields) > 1:
		s.setting(end-len(fields[len(fields)-1]), end)
	case isRandom(line, 16, 3.0):
		s.setting(p, end)
	}
}

// keyLine reads base64 of a key.
func (s *scan) keyLine(p, end int) {
	if end-p < 32 || !isAll(s.text[p:end], isKeyByte) || contains(s.text, "CERTIFICATE") ||
		contains(s.text, "PUBLIC KEY") {
		return
	}
	s.replace(p, end, fileRule)
}

// jsonStrings replaces the strings of JSON that are values.
func (s *scan) jsonStrings(from, to int) {
	if part := s.text[from:to]; bytes.IndexByte(part, '{') >= 0 && bytes.Contains(part, []byte(`":`)) {
		s.strings(from, to)
	}
}

// strings replaces text in quotes that is not a name.
func (s *scan) strings(from, to int) {
	text := s.text[:to]
	for p := from; p < to; p++ {
		if text[p] != '"' && text[p] != '\'' {
			continue
		}
		sign := quote{string(text[p : p+1]), string(text[p : p+1]), 0}
		end := sign.end(text, p+1)
		if end < 0 {
			continue
		}
		next := end + 1
		for next < to && (text[next] == ' ' || text[next] == '\t') {
			next++
		}
		if next >= to || text[next] != ':' && text[next] != '=' {
			s.setting(p+1, end)
		}
		p = end
	}
}

// setting replaces a value, unless it reveals nothing.
func (s *scan) setting(start, end int) {
	text := s.text
	for start < end && isSpace(text[start]) {
		start++
	}
	quoted := start < end && isQuote(text[start])
	if quoted {
		if n := bytes.IndexByte(text[start+1:end], text[start]); n >= 0 { // the rest is a comment
			end = start + 1 + n
		}
		start++
	} else if i := bytes.Index(text[start:end], []byte(" #")); i >= 0 {
		end = start + i
	}
	for end > start && (isSpace(text[end-1]) || isQuote(text[end-1])) {
		end--
	}
	v := text[start:end]
	if len(v) == 0 || isNumber(v) && len(v) <= 5 || isPlaceholder(v) || inList(lowered(nil, v), plainSettings) {
		return
	}
	s.replace(start, end, fileRule)
}

const plainSettings = " true false yes no on off null none nil development production test testing staging local debug info warn warning error localhost 127.0.0.1 0.0.0.0 "

func isSetting(name []byte, capitals bool) bool {
	if len(name) == 0 {
		return false
	}
	for _, c := range name {
		if !isName(c) && c != '/' && c != ':' && c != '@' && c != '_' ||
			capitals && (isLower(c) || !isAlnum(c) && c != '_') {
			return false
		}
	}
	return true
}

// afterPrefix skips prefixes that tools write before the lines of a file: line number, sign of a patch.
func afterPrefix(text []byte, from, end int) int {
	p := afterLineNumber(text, skipBytes(text, from, end, blanks), end)
	if p < end && (text[p] == '+' || text[p] == '-') {
		p++
	}
	return skipBytes(text, p, end, blanks)
}

// afterLineNumber skips a line number and the characters that tools write after it, if there is one.
func afterLineNumber(text []byte, p, end int) int {
	n := p
	for n < end && isDigit(text[n]) && n-p < 7 {
		n++
	}
	if n == p || n >= end {
		return p
	}
	bar := skipBytes(text, n, end, " ")
	switch {
	case text[n] == '\t' || text[n] == '|':
		return n + 1
	case bytes.HasPrefix(text[n:end], []byte("→")):
		return n + len("→")
	case bytes.HasPrefix(text[bar:end], []byte("│")): // bat
		return bar + len("│")
	case text[n] == ':' || text[n] == '-': // grep -n
		return n + 1
	}
	return p
}
