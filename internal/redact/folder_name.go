package redact

import (
	"bytes"
	"strings"
)

// isListed reports whether a name like -home-mara-src is in a list of such names, and not an option of a command: it is
// in quotes, it begins its line or its column, or it has several parts.
func isListed(text []byte, start, name int) bool {
	if start == 0 {
		return true
	}
	end := name
	for end < len(text) && isAlnum(text[end]) {
		end++
	}
	switch c := text[start-1]; {
	case c == ' ':
		column := start > 1 && text[start-2] == ' '
		if !column && (end+1 >= len(text) || text[end] != '-' || !isAlnum(text[end+1]) && text[end+1] != '-') {
			return false
		}
	case c != '\n' && c != '\t' && !isQuote(c) && strings.IndexByte(",[(:=", c) < 0:
		return isEscaped(text, start-1)
	}
	return !inList(
		lowered(nil, text[name:end]),
		" dir directory path folder file page url button icon link screen view ",
	)
}

// remoteHome returns the start of a home folder on another system whose path contains the word at at:
// \\\\wsl.localhost\Ubuntu\home\mara, \\server\Users\mara, vscode-remote://wsl+ubuntu/home/mara.
func remoteHome(text []byte, at int) (int, bool) {
	start := at
	for start > 0 && at-start < 80 && (isSolid(text[start-1])) && text[start-1] != '(' && text[start-1] != '[' &&
		text[start-1] != '=' {
		start--
	}
	before := text[start:at]
	if isShare(before) {
		return start, true
	}
	for _, host := range []string{"wsl.localhost", "wsl$"} {
		if i := bytes.Index(lowered(nil, before), []byte(host)); i > 0 && (before[i-1] == '\\' || before[i-1] == '/') {
			for i > 0 && (before[i-1] == '\\' || before[i-1] == '/') {
				i--
			}
			return start + i, true
		}
	}
	scheme := bytes.Index(before, []byte("://"))
	if scheme <= 0 || bytes.HasSuffix(before[:scheme], []byte("http")) ||
		bytes.HasSuffix(before[:scheme], []byte("https")) {
		return at, false
	}
	return at, bytes.IndexByte(before[scheme+3:], '/') < 0
}

// isShare reports whether the text before a folder is the name of a server and its share, as Windows writes them, and
// not an escaped path: it begins with two separators, of as many backslashes as the one before the folder.
func isShare(before []byte) bool {
	name := bytes.TrimLeft(before, `\`)
	rest := bytes.TrimRight(before, `\`)
	separator := len(before) - len(rest) + 1
	return len(name) > 1 && isAlnum(name[0]) && len(before)-len(name) == 2*separator
}

// isMention reports whether an @ mentions a file to an agent, and is not an alias of a folder in code: from
// '@/home/Hero'.
func isMention(text []byte, at int) bool {
	return at == 0 || isSpace(text[at-1]) || isEscaped(text, at-1)
}

// encodedHome is the detector of home folders in queries: file%3A%2F%2F%2Fhome%2Fmara%2Fsrc.
func encodedHome(s *scan, t *target, at int) {
	name := at + len(t.word)
	start, end := at, userEnd(s.text, name, '/')
	if space := bytes.Index(s.text[name:end], []byte("%20")); space > 0 && !hasFoldAt(s.text, end, "%2f") &&
		!hasFoldAt(s.text, end, "%5c") { // the name ends at a word of a sentence
		end = name + space
	}
	who := s.text[name:end]
	if len(who) < 2 || inList(lowered(nil, who), sharedFolders) ||
		end < len(s.text) && (s.text[end] == '{' || s.text[end] == '<' || s.text[end] == '$') {
		return
	}
	if t.word == "%5cusers%5c" && at >= 4 && hasFoldAt(s.text, at-3, "%3a") { // C%3A%5CUsers
		start = at - 4
	}
	s.edits = append(s.edits, edit{start: start, end: end, rule: homeRule, kind: tilde})
}

// idOutput is the detector of the names that id prints: uid=1000(mara) gid=1000(mara).
func idOutput(s *scan, t *target, at int) {
	line := s.text[at:min(lineEnd(s.text, at), at+400)]
	var owner []byte
	for i := 0; i < len(line); i++ {
		if line[i] != '(' {
			continue
		}
		n := bytes.IndexByte(line[i:], ')')
		if n < 0 {
			return
		}
		who := line[i+1 : i+n]
		if owner == nil && i < 20 {
			owner = who
		}
		if isDigit(line[i-1]) && isAll(who, isName) && (bytes.Equal(who, owner) || s.knows(who)) && !isCommonUser(who) {
			s.edits = append(
				s.edits,
				edit{start: at + i + 1, end: at + i + n, rule: userRule, key: asciiLower(string(who))},
			)
		}
		i += n
	}
}
