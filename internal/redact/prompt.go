package redact

import (
	"bytes"
	"strings"
)

// isLogin reports whether name@host is an account: in a prompt, or after ssh.
func (s *scan) isLogin(start int, local, domain []byte, next byte) bool {
	if bytes.IndexByte(domain, '.') >= 0 {
		return hasSuffix(
			string(lowered(nil, domain)),
			".local",
			".lan",
			".internal",
			".home",
			".fritz.box",
			".localdomain",
		) ||
			isAll(domain, func(c byte) bool { return isDigit(c) || c == '.' }) && s.behindShell(start)
	}
	if isPackage(domain) {
		return false
	}
	if s.knows(local) {
		return true
	}
	end := start + len(local) + 1 + len(domain)
	if start > 2 && s.text[start-1] == ';' && isDigit(s.text[start-2]) && s.text[start-3] == ']' &&
		next == ':' { // the title of a terminal
		return true
	}
	return s.beginsPrompt(start) && s.isPrompt(end, next) || string(local) != "git" && s.behindShell(start)
}

func isCommonUser(name []byte) bool {
	return len(name) < 2 || isNumber(name) || inList(lowered(nil, name), commonUsers)
}

// behindShell reports whether a place is in the arguments of ssh, or of a program that uses it.
func (s *scan) behindShell(at int) bool {
	before := s.text[max(0, at-160):at]
	if i := bytes.LastIndexAny(before, "\n;|&`"); i >= 0 {
		before = before[i+1:]
	}
	for _, word := range []string{"ssh ", "scp ", "sftp ", "rsync ", "mosh ", "autossh ", "ssh-copy-id ", "sshfs ",
		"ssh://", "sftp://", "slogin "} {
		if i := bytes.Index(before, []byte(word)); i == 0 || i > 0 && !isName(before[i-1]) {
			return true
		}
	}
	return false
}

// isPackage reports whether the text after an @ is the version of a package: v4, latest, 20, master.
func isPackage(domain []byte) bool {
	version := bytes.TrimLeft(domain, "v0123456789.-")
	return len(version) == 0 || string(version) == "x" ||
		inList(domain, " latest next beta alpha rc canary stable main master head ")
}

// behindColor moves the beginning of a name after a colour whose escape character is written out or missing:
// [01;32mmara.
func behindColor(text []byte, start, at int) int {
	i := start
	for i < at && isDigit(text[i]) {
		i++
	}
	if i > start && i+1 < at && text[i] == 'm' && start > 0 && (text[start-1] == ';' || text[start-1] == '[') {
		return i + 1
	}
	return start
}

// skipColor skips such a colour.
func skipColor(text []byte, p int) int {
	i := p
	for i < len(text) && i-p < 8 && text[i] != '[' {
		if !isAlnum(text[i]) && text[i] != '\\' && text[i] != '^' && text[i] != 0x1b {
			return p
		}
		i++
	}
	if i < len(text) && i+1 < len(text) && text[i] == '[' && text[i+1] == '[' { // ^[[0m
		i++
	}
	for i++; i < len(text) && i-p < 24; i++ {
		switch c := text[i]; {
		case c == 'm':
			return i + 1
		case !isDigit(c) && c != ';':
			return p
		}
	}
	return p
}

// beginsPrompt reports whether a place is the beginning of a line, ignoring text that shells write before a prompt.
func (s *scan) beginsPrompt(at int) bool {
	i := at
	for i > 0 && at-i < 48 {
		c := s.text[i-1]
		if c == '\n' || c == 0x07 { // after the title of a terminal
			return true
		}
		if !isAlnum(c) && strings.IndexByte("[() \x1b;.-]?:\\^", c) < 0 {
			return false
		}
		i--
	}
	return i == 0
}

// isPrompt reports whether the text after user@host is that of a prompt: a folder, and $, #, % or > before the line
// ends, or at the beginning of the next one.
func (s *scan) isPrompt(at int, next byte) bool {
	if next == '\\' || next == '^' || next == '[' {
		p := skipColor(s.text, at)
		if p == at || p >= len(s.text) {
			return false
		}
		at, next = p, s.text[p]
	}
	switch next {
	case ':':
		if !s.isFolderBehind(at) {
			return false
		}
	case ' ', ']', 0x1b:
	default:
		return false
	}
	for _, system := range []string{" MINGW", " MSYS ", " UCRT64 "} {
		if bytes.HasPrefix(s.text[at:], []byte(system)) {
			return true
		}
	}
	for i := at; i < len(s.text) && i-at < 120; i++ {
		switch s.text[i] {
		case '$', '#', '%', '>':
			return endsPrompt(s.text, i+1)
		case '\n':
			return next == ':' && bytes.HasPrefix(s.text[i+1:], []byte("$ "))
		}
	}
	return false
}

// isFolderBehind reports whether a folder may follow the colon at a place: ~ or /, possibly in a colour.
func (s *scan) isFolderBehind(colon int) bool {
	if colon+1 >= len(s.text) {
		return true
	}
	p := min(skipColor(s.text, colon+1), len(s.text)-1)
	return s.text[p] == '~' || s.text[p] == '/' || s.text[colon+1] == 0x1b
}

// endsPrompt reports whether a command may be at p, after the symbol of a prompt.
func endsPrompt(text []byte, p int) bool {
	return p >= len(text) || text[p] == ' ' || text[p] == '\n' || text[p] == 0x1b || skipColor(text, p) > p
}

// kaliPrompt is the detector of prompts with a symbol between the user and the host: (mara㉿kali)-[~]
func kaliPrompt(s *scan, t *target, at int) {
	start, end := at, at+len("㉿")
	for start > 0 && at-start < 32 && isName(s.text[start-1]) {
		start--
	}
	for end < len(s.text) && end-at < 64 && isName(s.text[end]) {
		end++
	}
	if start == at {
		return
	}
	if name := s.text[start:at]; !isCommonUser(name) {
		s.edits = append(s.edits, edit{start: start, end: at, rule: userRule, key: asciiLower(string(name))})
	}
	s.replace(at+len("㉿"), end, hostRule)
}
