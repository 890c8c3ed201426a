package redact

import (
	"bytes"
	"strings"
)

// pgpass is the detector of lines of .pgpass, also without its name nearby, by usual ports:
// host:5432:base:user:password
func pgpass(s *scan, t *target, at int) {
	host := at
	for host > 0 && at-host < longestSetting && (isName(s.text[host-1]) || s.text[host-1] == '*') {
		host--
	}
	if host == at || host > 0 && !isSpace(s.text[host-1]) && !isQuote(s.text[host-1]) {
		return
	}
	from := at + len(":") + strings.IndexByte(t.word[1:], ':') + len(":") // after the port
	end := from
	for end < len(s.text) && end-from < longestSetting && isSolid(s.text[end]) {
		end++
	}
	fields := bytes.Split(s.text[from:end], []byte(":"))
	if len(fields) == 3 && (isAll(fields[0], isName) || string(fields[0]) == "*") && isAll(fields[1], isName) {
		s.fileValue(end-len(fields[2]), end)
	}
}

// netrc is the detector of entries of .netrc, also without its name nearby: machine x login y password z
func netrc(s *scan, t *target, at int) {
	if at > 0 && isAlnum(s.text[at-1]) && !isEscaped(s.text, at-1) {
		return
	}
	start, end := at, at+len(t.word)-1
	for _, word := range []string{"", "login", "", "password", ""} {
		start = skipBytes(s.text, end, end+longestSetting, blanks)
		for end = start; end < len(s.text) && end-start < longestSetting && isSolid(s.text[end]); {
			end++
		}
		if start == end || word != "" && string(s.text[start:end]) != word {
			return
		}
	}
	s.fileValue(start, end)
}

// fileValue replaces a value of a secret file, unless the file is an example.
func (s *scan) fileValue(start, end int) {
	if v := s.text[start:end]; len(v) >= minArgument && !isShell(v) && !isNotSecret(v, assignedValue{quoted: true}) {
		s.setting(start, end)
	}
}

// cookieLine is the detector of lines of a file of cookies, as curl and browsers write it: domain, TRUE or FALSE, path,
// TRUE or FALSE, time, name and value, with tabs between.
func cookieLine(s *scan, t *target, at int) {
	start, end := at, at+len(t.word)
	for i := range 5 { // from the rest of the path on
		for start = end; end < len(s.text) && end-start < longestLine && s.text[end] >= ' '; {
			end++
		}
		field := s.text[start:end]
		switch {
		case i == 4:
			if isCookie(field) {
				s.replace(start, end, cookieRule)
			}
			return
		case end == len(s.text) || s.text[end] != '\t',
			i == 1 && !hasFoldAt(field, 0, "true") && !hasFoldAt(field, 0, "false"),
			i == 2 && !isNumber(field):
			return
		}
		end++
	}
}

// recoveryCodes is the detector of lists of codes that replace a second factor, one a line below a heading.
func recoveryCodes(s *scan, t *target, at int) {
	from := at + len(t.word)
	n := bytes.IndexByte(s.text[from:min(len(s.text), from+longestHeading)], '\n')
	if n < 0 {
		return
	}
	var codes [][2]int
	for from += n + 1; from < len(s.text) && len(codes) < maxCodes; {
		end := lineEnd(s.text, from)
		start, to := codeIn(s.text, from, end)
		if start == to && len(codes) > 0 || start < to && !isRecoveryCode(s.text[start:to]) {
			break
		}
		if start < to {
			codes = append(codes, [2]int{start, to})
		}
		from = nextLine(s.text, end)
	}
	if len(codes) < minCodes {
		return
	}
	for _, c := range codes {
		s.replace(c[0], c[1], secretRule)
	}
}

// The limits of a list of codes: the rest of the heading in bytes, and the number of codes.
const (
	longestHeading = 80
	minCodes       = 4
	maxCodes       = 32
)

// codeIn returns what is on a line, without the sign or number of an element of a list. It is empty on an empty line
// and on a fence.
func codeIn(text []byte, from, end int) (start, to int) {
	start = skipBytes(text, from, end, " \t*-+`\"'")
	n := skipBytes(text, start, end, "0123456789")
	if n > start && n-start < 3 && n < end && (text[n] == '.' || text[n] == ')') {
		start = skipBytes(text, n+1, end, " \t`")
	}
	for to = end; to > start && (isSpace(text[to-1]) || isQuote(text[to-1]) || text[to-1] == ','); {
		to--
	}
	return start, to
}

// isRecoveryCode reports whether a line is a code, such as 1f3a9-c07be or 1234 5678.
func isRecoveryCode(v []byte) bool {
	letters, digits := 0, 0
	for _, c := range v {
		switch {
		case isDigit(c):
			digits++
		case isLetter(c):
			letters++
		case c != '-' && c != ' ':
			return false
		}
	}
	return len(v) <= 40 && letters+digits >= 8 && digits > 1 && (letters == 0 || bytes.IndexByte(v, ' ') < 0)
}
