package redact

import "bytes"

var (
	urlRule   = &rule{id: "url-password", label: "password", confidence: High}
	emailRule = &rule{id: "email", label: "email", confidence: Personal}
	hostRule  = &rule{id: "host", label: "host", confidence: Personal}
	userRule  = &rule{id: "user", label: "user", confidence: Personal}
)

// at looks at an @: what stands before it may be the password of a URL, a name, or the user of a prompt.
func at(s *scan, i int) {
	if i < s.at { // in a password
		return
	}
	from := max(s.at, i-256) // what stands before the @ before has been gone over
	s.at = i + 1
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
	if isAddress(s.text[i-1]) && (isAlnum(s.text[i+1]) || s.text[i+1] >= 0x80) {
		s.address(i)
	}
}

// userinfo looks at user:password in a URL; at is the place of the first @ behind its scheme.
func (s *scan) userinfo(start, at int) {
	// A password may hold an @ itself: the host comes behind the last one.
	end := at
	for i := at; i < len(s.text) && i-at < 256; i++ {
		switch c := s.text[i]; {
		case c == '@':
			end = i
		case c == '/' || c == '?' || c == '#' || c == '\\' || c == ',' || c == ')' || c == '>' || c == '<' || !isSolid(c):
			i = len(s.text)
		}
	}
	s.at = end + 1
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
	if len(secret) < 3 || isPlaceholder(secret) || bytes.EqualFold(user, secret) || isTrivialPassword(secret) {
		return
	}
	s.replace(end-len(secret), end, urlRule)
}

// isTrivialPassword says that a password is one that everybody has: that of a database in a container.
func isTrivialPassword(v []byte) bool {
	var buffer [64]byte
	if len(v) > 40 {
		return false
	}
	return inList(lowered(buffer[:0], v), everybodys)
}

const everybodys = " password passwd pass pwd postgres postgresql mysql root admin user username secret test testing guest default redis mongo rabbitmq minio minioadmin " +
	"token apikey api_key key foo bar baz changeme dev local x xxx xxxxx 123 1234 12345 123456 pw p hunter "

func isAddress(c byte) bool {
	return isAlnum(c) || c == '.' || c == '_' || c == '-' || c == '+' || c == '%'
}

// address looks at name@host.
func (s *scan) address(at int) {
	start, end := at, at+1
	for start > 0 && at-start < 64 && (isAddress(s.text[start-1]) || s.text[start-1] >= 0x80) {
		start--
	}
	for end < len(s.text) && end-at < 254 && (isAlnum(s.text[end]) || s.text[end] == '.' || s.text[end] == '-' || s.text[end] >= 0x80) {
		end++
	}
	for end > at && (s.text[end-1] == '.' || s.text[end-1] == '-') { // the end of a sentence
		end--
	}
	for start < at && (s.text[start] == '.' || s.text[start] == '-' || s.text[start] == '%' || s.text[start] == '+') {
		start++
	}
	if start < at && isEscaped(s.text, start) {
		start++
	}
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
		if s.knows(local) {
			s.edits = append(s.edits, edit{start: start, end: at, rule: userRule, key: string(local)})
		}
		s.edits = append(s.edits, edit{start: at + 1, end: end, rule: hostRule, key: string(domain)})
	case isMail(local, domain) && next != '(' && next != '@' && !(next == ':' && string(local) == "git"):
		s.replace(start, end, emailRule)
	}
}

// isMail says that name@domain is the address of somebody.
func isMail(local, domain []byte) bool {
	var buffer [256]byte
	low := lowered(buffer[:0], domain)
	dot := bytes.LastIndexByte(low, '.')
	if dot <= 0 || len(low)-dot-1 < 2 || len(low)-dot-1 > 24 {
		return false
	}
	top := low[dot+1:]
	for _, c := range top {
		if !isLower(c) && c < 0x80 {
			return false
		}
	}
	if len(top) > 2 && !inList(top, topLevels) && !bytes.HasPrefix(top, []byte("xn--")) || inList(top, notTopLevels) {
		return false
	}
	numbers, start := 0, 0
	for i := 0; i <= dot; i++ {
		if low[i] == '.' {
			if i == start {
				return false
			}
			if isNumber(low[start:i]) {
				numbers++
			}
			start = i + 1
		}
	}
	if numbers > 1 {
		return false // pkg@1.2.3-rc.io
	}
	second := low[:dot]
	if i := bytes.LastIndexByte(second, '.'); i >= 0 {
		second = second[i+1:]
	}
	if inList(second, exampleDomains) || len(second) == 1 || string(low) == "users.noreply.github.com" || bytes.HasSuffix(low, []byte("localhost")) {
		return false
	}
	var name [256]byte
	who := lowered(name[:0], local)
	return !holds(who, "noreply") && !holds(who, "no-reply") && !holds(who, "donotreply") && !holds(who, "do-not-reply") && string(who) != "git" && !isPlaceholderName(who)
}

func isPlaceholderName(who []byte) bool {
	return inList(who, " user username you your.email your-email youremail your.name yourname email name someone somebody nobody foo bar ")
}

// topLevels are those of more than two letters in which people have addresses; what looks like an address is
// often the version of a package or a file.
const topLevels = " com org net edu gov mil int info biz name pro mobi aero coop museum app dev tech cloud email online site store shop xyz page blog " +
	"agency company digital group live media network news one social software solutions studio systems team technology tools world work works zone " +
	"design engineering expert foundation global health law legal academy capital care center community consulting finance fund international life " +
	"partners services support swiss berlin hamburg koeln wien london paris amsterdam nyc tokyo eus cat scot wales vip club top space website fun art games "

const notTopLevels = " js ts py rb md sh so cc hh gz xz css png jpg svg "

const exampleDomains = " example test invalid localhost domain yourdomain your-domain mydomain company yourcompany mycompany acme foo bar baz foobar host hostname server email mail-example corp "

// isLogin says that name@host is the account that somebody works with: of a prompt, or behind ssh.
func (s *scan) isLogin(start int, local, domain []byte, next byte) bool {
	known := s.knows(local)
	if bytes.IndexByte(domain, '.') >= 0 {
		return hasSuffix(string(lowered(nil, domain)), ".local", ".lan", ".internal", ".home", ".fritz.box", ".localdomain")
	}
	if isPackage(domain) {
		return false
	}
	if known {
		return true
	}
	return s.beginsPrompt(start) && s.isPrompt(start+len(local)+1+len(domain), next)
}

// isPackage: the version of a package stands behind its @: v4, latest, 20, master.
func isPackage(domain []byte) bool {
	version := bytes.TrimLeft(domain, "v0123456789.-")
	return len(version) == 0 || string(version) == "x" || inList(domain, " latest next beta alpha rc canary stable main master head ")
}

// beginsPrompt says that a place is the beginning of a line, but for what shells put before a prompt.
func (s *scan) beginsPrompt(at int) bool {
	i := at
	for i > 0 && at-i < 48 {
		switch c := s.text[i-1]; {
		case c == '\n':
			return true
		case c == '[' || c == '(' || c == ')' || c == ' ' || c == 0x1b || isAlnum(c) || c == ';' || c == '.' || c == '-' || c == ']' || c == '?' || c == ':' || c == 0x07:
			i--
		default:
			return false
		}
	}
	return i == 0
}

// isPrompt says that what stands behind user@host is a prompt's: a folder, and $, #, % or > before the line ends.
func (s *scan) isPrompt(at int, next byte) bool {
	if next != ':' && next != ' ' && next != ']' && next != 0x1b {
		return false
	}
	if next == ':' && at+1 < len(s.text) && s.text[at+1] != '~' && s.text[at+1] != '/' && s.text[at+1] != 0x1b {
		return false
	}
	for i := at; i < len(s.text) && i-at < 120 && s.text[i] != '\n'; i++ {
		switch s.text[i] {
		case '$', '#', '%', '>':
			return i+1 >= len(s.text) || s.text[i+1] == ' ' || s.text[i+1] == '\n' || s.text[i+1] == 0x1b
		}
	}
	return false
}
