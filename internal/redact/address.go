package redact

import (
	"bytes"
	"strings"
)

var (
	urlRule   = &rule{id: "url-password", label: "password", confidence: High}
	emailRule = &rule{id: "email", label: "email", confidence: Personal}
	hostRule  = &rule{id: "host", label: "host", confidence: Personal}
	userRule  = &rule{id: "user", label: "user", confidence: Personal}
)

// atSign examines an @: the text before it may be the password of a URL, a name, or the user of a prompt.
func atSign(s *scan, i int) {
	if i < s.atSignEnd { // in a password
		return
	}
	from := max(s.atSignEnd, i-256) // the text before the previous @ was searched
	s.atSignEnd = i + 1
	if i == 0 || i+1 >= len(s.text) || !isSolid(s.text[i-1]) || isSpace(s.text[i+1]) {
		return
	}
	start := i
	for start > from && isSolid(s.text[start-1]) {
		start--
	}
	if scheme := bytes.LastIndex(s.text[start:i], []byte("://")); scheme >= 0 {
		s.userinfo(start+scheme+3, i)
		return
	}
	if (isAddress(s.text[i-1]) || s.text[i-1] >= 0x80) && (isAlnum(s.text[i+1]) || s.text[i+1] >= 0x80) {
		s.address(i)
	}
}

// userinfo examines user:password in a URL. at is the offset of the first @ after the scheme.
func (s *scan) userinfo(start, at int) {
	end := userinfoEnd(s.text, at)
	s.atSignEnd = end + 1
	user, secret, ok := bytes.Cut(s.text[start:end], []byte(":"))
	if bytes.IndexByte(user, '/') >= 0 || bytes.ContainsAny(secret, "/()[]{}<>,;|*`$\\") {
		return
	}
	if !ok {
		// https://TOKEN@host
		if isRandom(user, 16, 3.0) && !isPlaceholder(user) {
			s.replace(start, end, urlRule)
		}
		return
	}
	if isRandom(user, 16, 3.0) && !isPlaceholder(user) { // https://TOKEN:x-oauth-basic@host, https://TOKEN:@host
		s.replace(start, start+len(user), urlRule)
	}
	if len(secret) < 3 || isPlaceholder(secret) || bytes.EqualFold(user, secret) || isTrivialPassword(secret) {
		return
	}
	s.replace(end-len(secret), end, urlRule)
}

// userinfoEnd returns the offset of the last @ before the host, given the first one: a password may contain an @.
func userinfoEnd(text []byte, at int) int {
	end := at
	for i := at; i < len(text) && i-at < 256; i++ {
		c := text[i]
		if c == '@' {
			end = i
		} else if !isSolid(c) || strings.IndexByte(`/?#\,)><`, c) >= 0 {
			break
		}
	}
	return end
}

// isTrivialPassword reports whether a password is a well-known default, such as that of a database in a container.
func isTrivialPassword(v []byte) bool {
	var buffer [64]byte
	if len(v) > 40 {
		return false
	}
	return inList(lowered(buffer[:0], v), trivialPasswords)
}

const trivialPasswords = " password passwd pass pwd postgres postgresql mysql root admin user username secret test testing guest default redis mongo rabbitmq minio minioadmin " +
	"token apikey api_key key foo bar baz changeme dev local x xxx xxxxx 123 1234 12345 123456 pw p hunter "

func isAddress(c byte) bool {
	return isAlnum(c) || c == '.' || c == '_' || c == '-' || c == '+' || c == '%'
}

// address examines name@host.
func (s *scan) address(at int) {
	start, end := s.addressStart(at), s.addressEnd(at)
	if start > 0 && s.text[start-1] == '@' || end < len(s.text) && s.text[end] == '@' {
		return
	}
	local, domain := s.text[start:at], s.text[at+1:end]
	if len(local) == 0 || len(domain) == 0 {
		return
	}
	var next byte
	if end < len(s.text) {
		next = s.text[end]
	}
	switch {
	case s.isLogin(start, local, domain, next):
		if s.knows(local) || !isCommonUser(local) {
			s.edits = append(s.edits, edit{start: start, end: at, rule: userRule, key: asciiLower(string(local))})
		}
		s.edits = append(s.edits, edit{start: at + 1, end: end, rule: hostRule, key: string(domain)})
	case isMail(local, domain) && next != '(' && next != '@' && !(next == ':' && string(local) == "git"):
		s.replace(start, end, emailRule)
	}
}

// addressStart returns where the name before an @ starts, without characters that cannot begin a name.
func (s *scan) addressStart(at int) int {
	start := at
	for start > 0 && at-start < 64 && (isAddress(s.text[start-1]) || s.text[start-1] >= 0x80) {
		start--
	}
	start = skipBytes(s.text, localStart(s.text, start, at), at, ".-%+")
	if start < at && isEscaped(s.text, start) {
		start++
	}
	return behindColor(s.text, start, at)
}

// addressEnd returns where the host after an @ ends, without punctuation that ends a sentence.
func (s *scan) addressEnd(at int) int {
	end := domainEnd(s.text, at+1)
	for end > at && (s.text[end-1] == '.' || s.text[end-1] == '-') {
		end--
	}
	return end
}
