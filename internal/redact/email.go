package redact

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// domainEnd returns the end of the host name at p: letters of any script, digits, dots and dashes.
func domainEnd(text []byte, p int) int {
	for start := p; p < len(text) && p-start < 254; {
		r, n := utf8.DecodeRune(text[p:])
		if r != '.' && r != '-' && !isLetterOrDigit(r) || r == utf8.RuneError {
			break
		}
		p += n
	}
	return p
}

// localStart returns the start of the name before an @, at least start. The name has no symbols beyond ASCII.
func localStart(text []byte, start, at int) int {
	for p := at; p > start; {
		r, n := utf8.DecodeLastRune(text[start:p])
		if r >= 0x80 && !isLetterOrDigit(r) {
			return p
		}
		p -= n
	}
	return start
}

func isLetterOrDigit(r rune) bool {
	if r < 0x80 {
		return isAlnum(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// isMail reports whether name@domain is an e-mail address: the domain is below a public suffix, and it is neither an
// example nor the address of a machine.
func isMail(local, domain []byte) bool {
	host := asciiLower(string(domain))
	if slices.ContainsFunc(domain, func(c byte) bool { return c >= 0x80 }) {
		ascii, err := idna.ToASCII(strings.ToLower(string(domain)))
		if err != nil {
			return false
		}
		host = ascii
	}
	labels := strings.Split(host, ".")
	if len(labels) < 2 || !isPublic(host) || isReserved(labels) || slices.Contains(labels, "") {
		return false
	}
	numbers := 0
	for _, l := range labels[:len(labels)-1] {
		if isNumber([]byte(strings.TrimPrefix(l, "v"))) {
			numbers++
		}
	}
	second := labels[len(labels)-2]
	switch {
	case numbers > 1: // pkg@1.2.3-rc.io
		return false
	case len(second) == 2 && isDigit(second[0]) && second[1] == 'x': // icon@2x.zip
		return false
	case len(second) == 1 && utf8.RuneCount(local) == 1: // a@b.co
		return false
	}
	who := bytes.ToLower(local)
	return !holdsAny(who, "noreply", "no-reply", "donotreply", "do-not-reply") && string(who) != "git" &&
		!isPlaceholderName(who)
}

// isPublic reports whether a domain is below a public suffix, or is a public suffix of several labels, which may have
// addresses itself: mail.pl.
func isPublic(host string) bool {
	suffix, icann := publicsuffix.PublicSuffix(host)
	return icann || strings.IndexByte(suffix, '.') > 0
}

// isReserved reports whether a domain is reserved for documentation: RFC 2606 and RFC 6761.
func isReserved(labels []string) bool {
	top, second := labels[len(labels)-1], labels[len(labels)-2]
	switch top {
	case "example", "test", "invalid", "localhost":
		return true
	}
	return second == "example" && (top == "com" || top == "net" || top == "org")
}

// isPlaceholderName reports whether a name is that of an example.
func isPlaceholderName(who []byte) bool {
	return inList(
		who,
		" user username you your.email your-email youremail your.name yourname email name someone somebody nobody foo bar ",
	)
}

// encodedAt is the detector of an address in a query or in an escaped text: mara%40lampen.de.
func encodedAt(s *scan, t *target, at int) {
	stop, host := at, at+len("%40")
	if t.word[0] == 'u' { // \u0040
		if at == 0 || s.text[at-1] != '\\' {
			return
		}
		host = at + len("u0040")
		for stop = at - 1; stop > 0 && s.text[stop-1] == '\\'; stop-- {
		}
	}
	end := domainEnd(s.text, host)
	for end > host && (s.text[end-1] == '.' || s.text[end-1] == '-') {
		end--
	}
	if start := encodedStart(s.text, stop); start < stop && isMail(s.text[start:stop], s.text[host:end]) {
		s.replace(start, end, emailRule)
	}
}

// encodedStart returns the start of the name of an address that ends at stop. It may contain bytes written as %XX.
func encodedStart(text []byte, stop int) int {
	start := stop
	for start > 0 && stop-start < 64 && isAddress(text[start-1]) {
		start--
	}
	for i := stop - 2; i > start; i-- { // mailto%3Amara%2Blist%40lampen.de
		if text[i-1] == '%' && !inList(lowered(nil, text[i:i+2]), " 2b 2d 2e 5f ") {
			start = i + 2
			break
		}
	}
	if start < stop && isEscaped(text, start) {
		start++
	}
	return start
}
