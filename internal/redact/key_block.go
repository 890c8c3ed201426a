package redact

import "bytes"

var keyRule = &rule{id: "private-key", label: "private-key", confidence: High}

// A keyBlock is a private key between its two lines.
type keyBlock struct {
	edits      []edit
	body       []byte // its base64: the same key has the same number, whatever precedes its lines
	hasContent bool   // it is not empty
	ended      bool   // its last line was seen
	wholeText  bool   // it has a last line: everything before that is replaced, whatever it looks like
}

// minBody is the minimum size of the base64 in a block without a last line, to tell a key from text about keys.
const minBody = 40

// longestBlock limits the length of a key in bytes of text.
const longestBlock = 128 << 10

// longestText limits the distance to the last line of a block that contains something other than a key.
const longestText = 16 << 10

// pem is the detector of private keys of PEM, PGP and SSH, as a whole. Its lines may have line numbers, signs of a
// patch, quotes or escapes around them, or be elements of an array.
func pem(s *scan, t *target, at int) {
	if at < s.blockEnd || s.isName {
		return
	}
	start, end := dashes(s.text, at), firstLineEnd(s.text, at+len(t.word))
	if start < 0 || end < 0 {
		return
	}
	b := keyBlock{edits: []edit{{start: start, end: end, rule: keyRule}}, wholeText: s.endsSoon(end)}
	p := b.lines(s.text, end)
	if p >= len(s.text) && !b.ended && s.nextElement != nil {
		s.openBlock = &b
		b.elements(s.nextElement)
	}
	if len(b.body) < minBody && (!b.ended || !b.hasContent) {
		s.openBlock = nil
		return
	}
	s.blockEnd = p
	b.edits[0].key, s.openAny = string(b.body), b.wholeText
	if s.allowed(b.body) {
		s.openBlock = nil
		return
	}
	for i := range b.edits[1:] {
		b.edits[1+i].kind, b.edits[1+i].rule = removed, keyRule
	}
	s.edits = append(s.edits, b.edits...)
}

// firstLineEnd returns the end of the dashes after "PRIVATE KEY", -1 if there are none.
func firstLineEnd(text []byte, end int) int {
	for n := 0; end < len(text) && n < 16 && (isUpper(text[end]) || text[end] == ' '); n++ { // KEY BLOCK
		end++
	}
	if end >= len(text) || text[end] != '-' {
		return -1
	}
	return skipBytes(text, end, len(text), "-")
}

// maxElements limits the elements of an array that a key may have.
const maxElements = 1000

// elements finds the rest of a block in the following elements: all of them up to its last line, or those that look
// like a key if there is no last line.
func (b *keyBlock) elements(more func() []byte) {
	all := keyBlock{body: bytes.Clone(b.body), wholeText: true, hasContent: b.hasContent}
	alike := true // all so far
	for range maxElements {
		next := more()
		if next == nil || len(all.body) > longestText && !alike {
			return
		}
		if rest := (keyBlock{body: b.body}); alike && rest.line(next, 0, len(next)) {
			b.body, b.ended, b.hasContent = rest.body, rest.ended, b.hasContent || rest.hasContent
		} else {
			alike = false
		}
		if b.ended || beginsKey(next) {
			return
		}
		all.edits = nil // the edits are those of another element
		all.line(next, 0, len(next))
		if all.ended {
			b.body, b.ended, b.wholeText, b.hasContent = all.body, true, true, all.hasContent
			return
		}
	}
}

// endsSoon reports whether the last line of a block follows before the first line of another.
func (s *scan) endsSoon(from int) bool {
	if s.blockStop < from {
		s.blockStop = len(s.text)
		if stop := endLine(s.text[from:]); stop[1] > 0 {
			s.blockStop = from + stop[0]
		}
	}
	return s.blockStop < len(s.text) && s.blockStop-from <= longestText && !beginsKey(s.text[from:s.blockStop])
}

// beginsKey reports whether a text contains the first line of a block.
func beginsKey(text []byte) bool {
	for {
		at := bytes.Index(text, []byte("BEGIN "))
		if at < 0 {
			return false
		}
		text = text[at:]
		end := 0
		for end < len(text) && end < 64 && (isUpper(text[end]) || isDigit(text[end]) || text[end] == ' ') {
			end++
		}
		if bytes.Contains(text[:end], []byte("PRIVATE KEY")) {
			return true
		}
		text = text[len("BEGIN "):]
	}
}

// dashes returns the start of "-----BEGIN RSA " that ends at at, -1 if there is none.
func dashes(text []byte, at int) int {
	i := at
	for i > 0 && at-i < 64 && (isUpper(text[i-1]) || isDigit(text[i-1]) || text[i-1] == ' ' || text[i-1] == '_') {
		i--
	}
	if !bytes.HasPrefix(bytes.TrimLeft(text[i:at], " "), []byte("BEGIN")) {
		return -1
	}
	start := i
	for start > 0 && text[start-1] == '-' && i-start < 5 { // one more is the sign of a patch
		start--
	}
	if i-start < 4 {
		return -1
	}
	return start
}

// lines adds the lines from p on as long as they belong to a key, and returns where it stopped.
func (b *keyBlock) lines(text []byte, p int) int {
	limit := min(len(text), p+longestBlock)
	for p < limit && !b.ended {
		end := p
		for end < limit && text[end] != '\n' && !isBreak(text, end) {
			end++
		}
		if !b.line(text, p, end) {
			return p
		}
		if b.ended { // another key may follow
			return b.edits[len(b.edits)-1].end
		}
		p = end
		if p < limit {
			if text[p] == '\n' {
				p++
			} else {
				for p < limit && text[p] == '\\' {
					p++
				}
				p++
			}
		}
	}
	return p
}

// isBreak reports whether there is an escape for a line break at i: \n, \\n, \r.
func isBreak(text []byte, i int) bool {
	if text[i] != '\\' {
		return false
	}
	for i < len(text) && text[i] == '\\' {
		i++
	}
	return i < len(text) && (text[i] == 'n' || text[i] == 'r')
}

// line adds one line if it belongs to a key. Prefixes and suffixes stay, the rest is replaced.
func (b *keyBlock) line(text []byte, from, to int) bool {
	if stop := endLine(text[from:to]); stop[1] > 0 {
		b.lastLine(text, from, from+stop[0], from+stop[1])
		return true
	}
	start, end := inLine(text, from, to), to
	for end > start && endsLine(text[end-1]) {
		end--
	}
	core := text[start:end]
	if len(core) == 0 {
		return true
	}
	b.hasContent = b.hasContent || b.wholeText || isBody(core)
	if isKeyHeader(core) {
		b.add(start, end, text)
		return true
	}
	if !b.wholeText && !isAll(core, isKeyByte) {
		return false
	}
	b.body = append(b.body, core...)
	b.add(start, end, text)
	return true
}

// lastLine adds the line with -----END from stop to end. The text before it may be the whole key.
func (b *keyBlock) lastLine(text []byte, from, stop, end int) {
	b.ended = true
	start := inLine(text, from, stop)
	if before := text[start:stop]; isBody(before) || b.wholeText && len(before) > 0 {
		b.body, b.hasContent = append(b.body, bytes.ReplaceAll(before, []byte(" "), nil)...), true
		b.add(start, end, text)
		return
	}
	b.add(stop, end, text)
}

// endsLine reports whether c may follow a line of a key in code, patches and quotations.
func endsLine(c byte) bool {
	return isDecoration(c) && c != '-' && c != '+' || c == '\\' || c == ',' || c == ';' || c == ')'
}

// isKeyByte reports whether c is a byte of the base64 of a key.
func isKeyByte(c byte) bool { return isAlnum(c) || c == '+' || c == '/' || c == '=' }

// inLine returns the start of the content of a line of a key, after prefixes.
func inLine(text []byte, start, end int) int {
	for start < end && isDecoration(text[start]) {
		start++
	}
	// The line number: 12→, 12<tab>, 12|
	for n := start; n < end && n-start < 7; n++ {
		if isDigit(text[n]) {
			continue
		}
		if n > start &&
			(text[n] == '\t' || text[n] == '|' || text[n] == ':' || bytes.HasPrefix(text[n:], []byte("→"))) {
			for start = n; start < end && (isDecoration(text[start]) || text[start] == ':' || text[start] >= 0x80); {
				start++
			}
		}
		break
	}
	return start
}

// endLine returns the place of the first -----END RSA PRIVATE KEY----- in a text, [0 0] if there is none.
func endLine(text []byte) [2]int {
	for from := 0; ; {
		at := bytes.Index(text[from:], []byte("END "))
		if at < 0 {
			return [2]int{}
		}
		at += from
		from = at + len("END ")
		start := at
		if start > 0 && text[start-1] == ' ' {
			start--
		}
		if start == 0 || text[start-1] != '-' {
			continue
		}
		end := from
		for end < len(text) && end-from < 64 && text[end] != '-' && text[end] != '\n' {
			end++
		}
		if !bytes.Contains(text[from:end], []byte("PRIVATE KEY")) {
			continue
		}
		for n := 0; start > 0 && text[start-1] == '-' && n < 5; n++ {
			start--
		}
		for end < len(text) && text[end] == '-' {
			end++
		}
		return [2]int{start, end}
	}
}

// isBody reports whether the text before the end on the same line is base64, possibly with blanks.
func isBody(b []byte) bool {
	return isAll(b, func(c byte) bool { return isKeyByte(c) || c == ' ' })
}

// add adds an edit for the part of a key on one line of the text.
func (b *keyBlock) add(start, end int, text []byte) {
	if n := len(b.edits); n > 0 && bytes.IndexByte(text[b.edits[n-1].end:start], '\n') < 0 {
		b.edits[n-1].end = end
		return
	}
	b.edits = append(b.edits, edit{start: start, end: end})
}

// isDecoration reports whether c may be around a line of a key in code, patches and quotations.
func isDecoration(c byte) bool {
	return isSpace(c) || isQuote(c) || c == '+' || c == '-' || c == '>' || c == '|' || c == '#' || c == '*'
}

// isKeyHeader reports whether a line is a header of a key: Proc-Type: 4,ENCRYPTED
func isKeyHeader(core []byte) bool {
	for _, h := range []string{"Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Hash:", "Charset:"} {
		if bytes.HasPrefix(core, []byte(h)) {
			return len(core) < 120
		}
	}
	return false
}

// blockLine replaces a line of a key whose other lines are other elements of the array. It reports whether the key
// continues.
func (s *scan) blockLine(text []byte) ([]edit, bool) {
	b := keyBlock{wholeText: s.openAny}
	if !b.line(text, 0, len(text)) {
		return nil, false
	}
	for i := range b.edits {
		b.edits[i].kind, b.edits[i].rule = removed, keyRule
	}
	return b.edits, !b.ended
}
