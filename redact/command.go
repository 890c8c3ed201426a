package redact

import "bytes"

// longestCommand is how far a command is read, in bytes.
const longestCommand = 2 << 10

// curl is the detector of passwords that curl is given: -u user:password.
func curl(s *scan, t *target, at int) {
	if at < s.commandEnd || at > 0 && isAlnum(s.text[at-1]) && !isEscaped(s.text, at-1) {
		return
	}
	text := s.text[:min(len(s.text), at+longestCommand)]
	p := at + len(t.word)
	for p < len(text) {
		if text[p] == '\n' && text[p-1] != '\\' && text[p-1] != '\r' {
			break
		}
		if text[p] == '-' && isSpace(text[p-1]) {
			for _, option := range []string{"-u ", "-u", "--user ", "--user=", "--proxy-user "} {
				if bytes.HasPrefix(text[p:], []byte(option)) {
					p = s.login(p+len(option), len(text))
					break
				}
			}
		}
		p++
	}
	s.commandEnd = p
}

// login replaces the password of user:password, with quotes or without.
func (s *scan) login(p, limit int) int {
	for p < limit && (s.text[p] == ' ' || s.text[p] == '\\') {
		p++
	}
	var quote byte
	if p < limit && isQuote(s.text[p]) {
		quote = s.text[p]
		p++
	}
	start, colon := p, -1
	for p < limit && s.text[p] != quote && (isSolid(s.text[p]) || quote != 0 && s.text[p] != '\n') {
		if s.text[p] == ':' && colon < 0 {
			colon = p
		}
		p++
	}
	end := p
	for end > start && s.text[end-1] == '\\' {
		end--
	}
	switch {
	case colon > start && colon+3 < end:
		if v := s.text[colon+1 : end]; !isPlaceholder(v) && !isTrivialPassword(v) {
			s.replace(colon+1, end, passwordRule)
		}
	case colon == end-1 && colon-start >= 16: // a key as the user, without password
		if v := s.text[start:colon]; !isPlaceholder(v) && isRandom(v, 16, 3.0) {
			s.replace(start, colon, passwordRule)
		}
	}
	return p
}

// kubernetes is the detector of secrets of Kubernetes: all that stands below data and stringData.
func kubernetes(s *scan, t *target, at int) {
	if at < s.commandEnd || at+len(t.word) < len(s.text) && isAlnum(s.text[at+len(t.word)]) { // SecretProviderClass
		return
	}
	const around = 4 << 10
	from, to := max(s.commandEnd, at-around), min(len(s.text), at+around)
	if i := bytes.LastIndex(s.text[from:at], []byte("\n---")); i >= 0 { // another document
		from += i + 1
	}
	if i := bytes.Index(s.text[at:to], []byte("\n---")); i >= 0 {
		to = at + i
	}
	s.commandEnd = to
	for _, name := range []string{"data:", "stringData:", `"data":`, `"stringData":`} {
		for p := from; p < to; {
			i := bytes.Index(s.text[p:to], []byte(name))
			if i < 0 {
				break
			}
			p += i + len(name)
			if before := p - len(name) - 1; before < 0 || !isAlnum(s.text[before]) { // metadata:
				s.below(p, to, p-len(name))
			}
		}
	}
}

// below replaces the values of the lines from p on that are set in deeper than the name they stand below.
func (s *scan) below(p, to, name int) {
	depth := s.indent(name)
	for p < to {
		n := bytes.IndexByte(s.text[p:to], '\n')
		if n < 0 {
			return
		}
		p += n + 1
		end := to
		if n := bytes.IndexByte(s.text[p:to], '\n'); n >= 0 {
			end = p + n
		}
		start := afterFrame(s.text, p, end)
		if start >= end {
			continue
		}
		if s.indent(start) <= depth || s.text[start] == '}' {
			return
		}
		line := bytes.TrimRight(s.text[start:end], " \t\r,")
		if colon := bytes.IndexByte(line, ':'); colon > 0 {
			if v := bytes.TrimSpace(line[colon+1:]); len(v) > 0 && v[0] != '|' && v[0] != '>' {
				s.setting(start+colon+1, start+len(line))
			}
		} else if len(line) >= 8 { // the lines of a block
			s.setting(start, start+len(line))
		}
	}
}

// indent is how far what stands at p is set in on its line.
func (s *scan) indent(p int) int {
	n := 0
	for p > n && (s.text[p-n-1] == ' ' || s.text[p-n-1] == '\t') {
		n++
	}
	return n
}
