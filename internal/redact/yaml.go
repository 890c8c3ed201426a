package redact

import "bytes"

// textTags are the tags of YAML before a value that is written out. Others stand before the name of one: !Ref, !secret
const textTags = " !str !binary !vault !sub "

// afterTag skips the anchor or the tag before a value of YAML: &name, !!str
func afterTag(text []byte, p int) int {
	if p >= len(text) || text[p] != '&' && text[p] != '!' {
		return p
	}
	end := p + 1
	for end < len(text) && end-p < 32 && (isName(text[end]) || text[end] == '!') {
		end++
	}
	next := skipBytes(text, end, len(text), " \t")
	if end == p+1 || next == end || next >= len(text) || text[next] == '=' { // a reference of Rust: &str = "..."
		return p
	}
	var buffer [32]byte
	if tag := text[p:end]; tag[0] == '!' && tag[1] != '!' && !inList(lowered(buffer[:0], tag), textTags) {
		return p
	}
	return next
}

// isBlockSign reports whether the rest of a line says that the value is on the lines below: |, >-
func isBlockSign(text []byte) bool {
	if len(text) == 0 || text[0] != '|' && text[0] != '>' {
		return false
	}
	rest := bytes.TrimRight(text[1:lineEnd(text[:min(len(text), 8)], 0)], " \r")
	return len(rest) < 3 && len(bytes.Trim(rest, "+-123456789")) == 0
}

// maxBlockLines limits the number of lines of a value below its name.
const maxBlockLines = 50

// blockLines replaces the lines of a value below its name, which begins at from. They begin farther to the right.
func (s *scan) blockLines(a assignedValue, from, p int) {
	text, promise := s.text, classOf(a.name)
	column := from - lineStart(text, from)
	for range maxBlockLines {
		p = nextLine(text, p)
		end := lineEnd(text, p)
		start := afterPrefix(text, p, end)
		line := bytes.TrimRight(text[start:end], " \t\r")
		if start-p <= column && len(line) > 0 || contains(line, "$ANSIBLE_VAULT") || p >= len(text) {
			return
		}
		if bytes.IndexByte(line, ' ') >= 0 {
			continue
		}
		a.start, a.end = start, start+len(line)
		if r := judge(promise, line, a); r != nil {
			s.replace(a.start, a.end, r)
		}
	}
}
