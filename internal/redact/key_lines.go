package redact

import "bytes"

// puttyKey is the detector of the lines of a private key of PuTTY: Private-Lines: 14, and 14 lines of base64.
func puttyKey(s *scan, t *target, at int) {
	if at < s.blockEnd || s.isName {
		return
	}
	p := skipBytes(s.text, at+len(t.word), len(s.text), "0123456789")
	if p >= len(s.text) || !isLineEnd(s.text, p) { // the space of the word may be the end of the text
		return
	}
	var b keyBlock
	if p = b.lines(s.text, p); len(b.body) >= minBody {
		s.keyLines(b.edits, b.body)
		s.blockEnd = p
	}
}

// printedKey is the detector of the numbers of a private key that openssl prints: privateExponent: and lines such as
// 00:c3:1f:...
func printedKey(s *scan, t *target, at int) {
	if at < s.blockEnd || s.isName {
		return
	}
	p := at + len(t.word)
	if p = skipBytes(s.text, p, p+longestHeading, " \r"); p == len(s.text) || s.text[p] != '\n' {
		return
	}
	p++
	var edits []edit
	var body []byte
	for p < len(s.text) && len(body) < longestText {
		end := lineEnd(s.text, p)
		start := skipBytes(s.text, p, end, " \t")
		line := bytes.TrimRight(s.text[start:end], "\r")
		if !isAll(line, isHexPair) {
			break
		}
		body = append(body, line...)
		edits = append(edits, edit{start: start, end: start + len(line)})
		p = nextLine(s.text, end)
	}
	if len(body) >= minBody && body[2] == ':' {
		s.keyLines(edits, body)
		s.blockEnd = p
	}
}

func isHexPair(c byte) bool { return isHex(c) || c == ':' }

// keyLines replaces the lines of a private key.
func (s *scan) keyLines(edits []edit, body []byte) {
	if s.allowed(body) {
		return
	}
	for i := range edits {
		edits[i].kind, edits[i].rule = removed, keyRule
	}
	edits[0].kind, edits[0].key = numbered, string(body)
	s.edits = append(s.edits, edits...)
}
