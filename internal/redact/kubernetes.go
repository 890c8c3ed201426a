package redact

import "bytes"

// longestCommand limits how much of a command is read, in bytes.
const longestCommand = 2 << 10

// kubernetes is the detector of Kubernetes Secrets: everything below data and stringData.
func kubernetes(s *scan, t *target, at int) {
	if at < s.commandEnd || at+len(t.word) < len(s.text) && isAlnum(s.text[at+len(t.word)]) { // SecretProviderClass
		return
	}
	s.noteWrittenLines(at)
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
				if brace := bytes.IndexByte(s.text[p:min(to, p+4)], '{'); brace >= 0 &&
					s.text[min(to-1, p+brace+1)] != '\n' { // all on one line
					if n := bytes.IndexByte(s.text[p:to], '}'); n >= 0 {
						s.strings(p, p+n)
					}
				}
				s.below(p, to, p-len(name))
			}
		}
	}
}

// below replaces the values of the lines from p on that are indented more than the name above them.
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
		start := afterPrefix(s.text, p, end)
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

// indent returns the indentation of the text at p on its line.
func (s *scan) indent(p int) int {
	n := 0
	for p > n && (s.text[p-n-1] == ' ' || s.text[p-n-1] == '\t') {
		n++
	}
	return n
}
