package redact

import "bytes"

var jwtRule = &rule{id: "jwt", label: "jwt", confidence: High}

// webToken is the detector of JSON web tokens: two objects in base64 and a signature, separated by dots. Its word is
// the dot before the second object.
func webToken(s *scan, t *target, at int) {
	start := at
	for start > 0 && at-start < 4096 && isTokenByte(s.text[start-1]) {
		start--
	}
	if isEscaped(s.text, start) {
		start++
	}
	// An underscore or a slash may precede the token without being part of it.
	for start < at && !bytes.HasPrefix(s.text[start:], []byte("ey")) {
		start++
	}
	if at-start < 19 {
		return
	}
	end := tokenEnd(s.text, at+1)
	if end-at < 20 {
		return
	}
	end = signatureEnd(s.text, end)
	if token := s.text[start:end]; entropy(token) > 3 && !isPlaceholder(token) {
		s.replace(start, end, jwtRule)
	}
}

// tokenEnd returns the end of the part of a token that starts at p.
func tokenEnd(text []byte, p int) int {
	for p < len(text) && isTokenByte(text[p]) {
		p++
	}
	return p
}

// signatureEnd returns the end of the signature of a token whose other parts end at end. It may be empty.
func signatureEnd(text []byte, end int) int {
	if end >= len(text) || text[end] != '.' {
		return end
	}
	p := end + 1
	for p < len(text) && (isTokenByte(text[p]) || text[p] == '=') {
		p++
	}
	if p > end+10 || p == end+1 && (p == len(text) || !isAlnum(text[p])) {
		return p
	}
	return end
}

func isTokenByte(c byte) bool { return isAlnum(c) || c == '_' || c == '-' || c == '/' || c == '+' }
