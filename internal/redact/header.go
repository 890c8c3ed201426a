package redact

import (
	"bytes"
	"encoding/base64"
	"unicode/utf8"
)

var (
	authorizationRule = &rule{id: "authorization", label: "authorization", confidence: Likely}
	cookieRule        = &rule{id: "cookie", label: "cookie", confidence: Likely}
)

// header is the detector of Authorization headers and of text after Bearer.
func header(s *scan, t *target, at int) {
	if s.isName {
		s.nameClass = max(s.nameClass, classOf(s.text))
	}
	if s.insideSure(at) {
		return
	}
	end := at + len(t.word)
	if t.word == "earer " {
		if at > 0 && lower(s.text[at-1]) == 'b' {
			s.headerValue(at-1, len(s.text))
		}
		return
	}
	if p, ok := headerOperator(s.text, end); ok {
		s.headerValue(pairedValue(s.text, p), len(s.text))
	}
}

// pairedValue moves from the text after the name of a header to the member "value", if that has the value.
func pairedValue(text []byte, p int) int {
	if q, ok := valueMember(text, p); ok {
		return skipJoints(text, q, q+8)
	}
	return p
}

// headerOperator skips the text between the name of a header and its value: ": ", `": "`, `", "`, "=".
func headerOperator(text []byte, p int) (int, bool) {
	from, op := p, false
	for p < len(text) && p-from < 16 {
		switch c := text[p]; {
		case c == ':' || c == '=' || c == ',' && p > from:
			op = true
		case isQuote(c) || c == ' ' || c == '\\' || c == ']' || c == '>':
		default:
			return p, op
		}
		p++
	}
	return p, op
}

// headerValue replaces the credentials at p, after the name of their scheme. Without a scheme they must look random.
func (s *scan) headerValue(p, end int) {
	p, scheme := behindScheme(s.text, p, end)
	start := skipBytes(s.text, p, end, " ")
	for p = start; p < end && p-start < 8<<10 && isCredentialByte(s.text[p]); {
		p++
	}
	for p > start && (s.text[p-1] == '.' || s.text[p-1] == ':') {
		p--
	}
	v := s.text[start:p]
	switch {
	case len(v) < 8 || isPlaceholder(v) || isPath(v):
	case isRandom(v, 20, 3.0), scheme && (isRandom(v, 12, 2.8) || isBasic(v)):
		s.replace(start, p, authorizationRule)
	}
}

// behindScheme skips the name of an authentication scheme, if there is one.
func behindScheme(text []byte, p, end int) (int, bool) {
	for _, name := range []string{
		"bearer ", "basic ", "token ", "digest ", "api-token ", "apikey ", "api-key ", "negotiate ", "key ",
	} {
		if hasFoldAt(text, p, name) {
			return min(p+len(name), end), true
		}
	}
	return p, false
}

// isCredentialByte reports whether c may be part of the text after a scheme.
func isCredentialByte(c byte) bool {
	return isBase64(c) || c == '.' || c == '~' || c == ':' || c == '@'
}

// isBasic reports whether a value is user:password in base64.
func isBasic(v []byte) bool {
	b, err := base64.StdEncoding.DecodeString(string(v))
	return err == nil && utf8.Valid(b) && bytes.IndexByte(b, ':') > 0
}

// cookie is the detector of Cookie and Set-Cookie headers.
func cookie(s *scan, t *target, at int) {
	if s.isName {
		s.nameClass = max(s.nameClass, classOf(s.text))
	}
	if p, ok := headerOperator(s.text, at+len(t.word)); ok {
		s.cookies(pairedValue(s.text, p), len(s.text))
	}
}

// cookies replaces the values of name=value; name=value.
func (s *scan) cookies(p, end int) {
	for range 64 {
		name := p
		for p < end && (isName(s.text[p]) || s.text[p] == '$') {
			p++
		}
		if p == name || p >= end || s.text[p] != '=' {
			return
		}
		start := p + 1
		for p = start; p < end && p-start < 4096 && isCookieByte(s.text[p]); p++ {
		}
		if isCookie(s.text[start:p]) {
			s.replace(start, p, cookieRule)
		}
		if p >= end || s.text[p] != ';' {
			return
		}
		p = skipBytes(s.text, p+1, end, " ")
	}
}

// cookieObject is the detector of cookies in JSON, as browsers and HAR files have them: {"name": ..., "value": ...,
// "httpOnly": true}.
func cookieObject(s *scan, t *target, at int) {
	if at < s.markedEnd {
		return
	}
	s.valuesBeside(at, func(p int) {
		sign, n := quoteAt(s.text, p)
		if n == 0 {
			return
		}
		if end := sign.end(s.text, p+n); end > 0 && isCookie(s.text[p+n:end]) {
			s.replace(p+n, end, cookieRule)
		}
	})
}

func isCookieByte(c byte) bool { return isSolid(c) && c != ';' && c != ',' && c != '\\' }

// isCookie reports whether the value of a cookie is a secret: one that is generated, or one of several parts.
func isCookie(v []byte) bool {
	return (isRandom(bytes.TrimRight(v, "="), 12, 2.8) || len(v) >= 20 && contains(v, "%")) && !isPlaceholder(v)
}
