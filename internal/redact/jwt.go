package redact

import "bytes"

var jwtRule = &rule{id: "jwt", label: "jwt", confidence: High}

// webToken is the detector of JSON web tokens: two objects in base64 and a signature, with dots between. Its word is the
// dot with which the second begins.
func webToken(s *scan, t *target, at int) {
	start := at
	for start > 0 && at-start < 4096 && isTokenByte(s.text[start-1]) {
		start--
	}
	if isEscaped(s.text, start) {
		start++
	}
	// An underscore or a slash may stand before the token and be none of it.
	for start < at && !bytes.HasPrefix(s.text[start:], []byte("ey")) {
		start++
	}
	if at-start < 19 {
		return
	}
	end := at + 1
	for end < len(s.text) && isTokenByte(s.text[end]) {
		end++
	}
	if end-at < 20 {
		return
	}
	if end < len(s.text) && s.text[end] == '.' {
		signature := end + 1
		for signature < len(s.text) && (isTokenByte(s.text[signature]) || s.text[signature] == '=') {
			signature++
		}
		if signature > end+10 || signature == end+1 && (signature == len(s.text) || !isAlnum(s.text[signature])) {
			end = signature
		}
	}
	if entropy(s.text[start:end]) > 3 && !isPlaceholder(s.text[start:end]) {
		s.replace(start, end, jwtRule)
	}
}

func isTokenByte(c byte) bool { return isAlnum(c) || c == '_' || c == '-' || c == '/' || c == '+' }
