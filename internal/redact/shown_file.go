package redact

import "bytes"

// fileShown replaces lines of a secret file that a text shows with the name of the file: after it, as searches print
// them, or below it, as in patches, headings and blocks of Markdown.
func (s *scan) fileShown(at int) {
	if at < s.shownEnd {
		return
	}
	text := s.text
	start, end := s.pathAt(at)
	s.shownEnd = end
	line, ok := lineStartNear(text, start)
	if !ok {
		return
	}
	stop := lineEnd(text, end)
	path := text[start:end]
	before := bytes.TrimLeft(text[line:start], " \t\"'`*#=-+|>│/")
	if len(before) == 0 && s.searchedLine(start, end, stop) {
		return
	}
	k := kindOf(bytes.TrimRight(path, ":."))
	if k != noFile {
		s.written(k, line, start)
	}
	if k == noFile || stop >= len(text) || !isFileName(path) {
		return
	}
	from := stop + 1
	switch {
	case contains(text[line:start], "diff --git "),
		bytes.HasPrefix(text[line:], []byte("+++ ")),
		bytes.HasPrefix(text[line:], []byte("--- ")):
		s.block(k, from, s.patchEnd(from))
	case isFence(text[from:]), isFence(text[line:start]):
		s.fenced(k, from)
	// a README has such a block, too
	case text[stop-1] == ':' && contains(text[line:start], "my ") &&
		isFence(bytes.TrimLeft(text[from:min(len(text), from+8)], "\r\n")):
		s.fenced(k, skipBytes(text, from, len(text), "\r\n"))
	case len(before) == 0 || inList(lowered(nil, bytes.TrimRight(before, " :\t*`")), headings):
		if after := bytes.TrimLeft(text[end:stop], " \t\"'`*:=<#│|"); len(after) == 0 && begins(k, text[from:]) {
			s.block(k, from, s.paragraphEnd(k, from))
		}
	case printsBelow(text[line:start], text[end:stop]) && begins(k, text[from:]):
		to := s.paragraphEnd(k, from)
		for _, next := range []string{"\n$ ", "\nEOF"} {
			if n := bytes.Index(text[from:to], []byte(next)); n >= 0 {
				to = from + n
			}
		}
		s.block(k, from, to)
	case text[stop-1] == ':' && stop-line < 200 && begins(k, text[from:]): // here is my .env:
		s.block(k, from, s.paragraphEnd(k, from))
	}
}

// written replaces the value in what a command on a line writes to the file whose name is at end: echo "A=b" >> .env
func (s *scan) written(k fileKind, line, end int) {
	before := bytes.TrimRight(s.text[line:end], " \"'")
	command := bytes.TrimRight(before, ">")
	if len(command) == len(before) { // tee -a
		command = bytes.TrimSuffix(bytes.TrimSuffix(before, []byte(" -a")), []byte("| tee"))
	}
	if len(command) == len(before) {
		return
	}
	from := line
	for _, earlier := range []string{">", "| tee"} { // echo "A=b" >> .env && echo "C=d" >> .env
		if i := bytes.LastIndex(command, []byte(earlier)); i >= 0 {
			from, command = from+i+1, command[i+1:]
		}
	}
	for _, program := range []string{"echo -e ", "echo ", "printf "} {
		i := bytes.LastIndex(command, []byte(program))
		if i < 0 || i > 0 && isName(command[i-1]) {
			continue
		}
		if a, ok := nextArgument(s.text[:from+len(command)], from+i+len(program)); ok {
			s.fileLine(k, a.start, a.start+len(bytes.TrimSuffix(s.text[a.start:a.end], []byte(`\n`))))
		}
		return
	}
}

// printsBelow reports whether the lines below a command are those of the file that it names: "$ cat .env" in the output
// of a terminal, and "cat > .env <<EOF".
func printsBelow(before, after []byte) bool {
	if len(bytes.Trim(after, " \t\r\"'`")) > 0 && !contains(before, "<<") && !contains(after, "<<") {
		return false
	}
	var buffer [200]byte
	if len(before) > len(buffer) {
		return false
	}
	for word := range bytes.FieldsSeq(lowered(buffer[:0], before)) {
		if inList(word, " cat bat type head tail gc get-content tee ") {
			return true
		}
	}
	return false
}

// searchedLine replaces the value in a line of a file that a search printed with the name of the file, which is at
// text[start:end]: .env:3:NAME=value, and .env-4-NAME=value for the lines around it.
func (s *scan) searchedLine(start, end, stop int) bool {
	path := s.text[start:end]
	if i := bytes.IndexByte(path, ':'); i > 1 && s.behindPath(path[:i], start+i, stop) {
		return true
	}
	for i := 1; i < len(path)-1; i++ {
		if path[i] == '-' && isDigit(path[i+1]) && path[0] != '-' && s.behindPath(path[:i], start+i, stop) {
			return true
		}
	}
	return false
}

// behindPath replaces the value in the rest of a line, up to stop, if it begins with the path of a secret file.
func (s *scan) behindPath(path []byte, end, stop int) bool {
	k := kindOf(path)
	if k == noFile || end+1 >= stop { // the name alone, before the lines of the file
		return false
	}
	s.shownEnd = stop
	s.fileLine(k, searched(s.text, end, stop), stop)
	return true
}

// fenced replaces the values in a code block of Markdown with the lines of a file.
func (s *scan) fenced(k fileKind, from int) {
	if isFence(s.text[from:]) {
		from = nextLine(s.text, from)
	}
	to := len(s.text)
	if n := bytes.Index(s.text[from:], []byte("```")); n >= 0 {
		to = from + n
	}
	if begins(k, s.text[from:to]) {
		s.block(k, from, to)
	}
}

// isFileName reports whether a text is a path, and not a member in code: process.env
func isFileName(path []byte) bool {
	return path[0] == '.' || bytes.ContainsAny(path, `/\`) || bytes.IndexByte(path, '.') < 0 ||
		!bytes.HasSuffix(bytes.TrimRight(path, ":."), []byte(".env"))
}

// begins reports whether a text begins like files of a kind, after empty lines and comments.
func begins(k fileKind, text []byte) bool {
	for p := 0; p < len(text) && p < 4<<10; p = nextLine(text, p) {
		end := lineEnd(text, p)
		line := bytes.TrimSpace(text[min(end, afterPrefix(text, p, end)):end])
		if len(line) > 0 && line[0] != '#' && line[0] != ';' {
			return isLineOf(k, line)
		}
	}
	return false
}

// isLineOf reports whether a line, which is not empty, may be in a file of one of the kinds.
func isLineOf(k fileKind, line []byte) bool {
	name, _, equal := bytes.Cut(line, []byte("="))
	name = bytes.TrimRight(name, " \t")
	member, _, named := bytes.Cut(line, []byte(":"))
	last := line[len(line)-1]
	return k&envFile != 0 && equal && isSetting(bytes.TrimPrefix(name, []byte("export ")), false) ||
		k&iniFile != 0 && equal && isSetting(name, false) && last != ';' ||
		k&iniFile != 0 && line[0] == '[' && last == ']' ||
		k&yamlFile != 0 && (named && isSetting(bytes.TrimPrefix(member, []byte("- ")), false) || line[0] == '[') ||
		k&jsonFile != 0 && line[0] == '{' ||
		k&(wordsFile|keyOfFile) != 0 && bytes.IndexByte(line, ' ') < 0 && len(line) >= 16 ||
		k&wordsFile != 0 && isLogin(line)
}

// isLogin reports whether a line may be in a .netrc: "machine a.dev login b", or one of its pairs of words.
func isLogin(line []byte) bool {
	word, _, more := bytes.Cut(line, []byte(" "))
	return more && inList(word, " machine default login account password ")
}

// headings are words before the name of a file whose content follows.
const headings = " file filename path "

// block replaces the values in the lines from from to to.
func (s *scan) block(k fileKind, from, to int) {
	s.shownEnd = max(s.shownEnd, to)
	s.fileLines(k, from, to)
}

// lineStartNear returns the start of the line of a place, if it is near.
func lineStartNear(text []byte, at int) (int, bool) {
	from := max(0, at-512)
	if i := bytes.LastIndexByte(text[from:at], '\n'); i >= 0 {
		return from + i + 1, true
	}
	return 0, from == 0
}

func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

func nextLine(text []byte, at int) int {
	if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}

func isFence(text []byte) bool { return bytes.HasPrefix(text, []byte("```")) }

// searched skips a line number and the symbol after it: :3:, -4-, :
func searched(text []byte, at, stop int) int {
	p := at + 1
	for p < stop && isDigit(text[p]) {
		p++
	}
	if p > at+1 && p < stop && (text[p] == ':' || text[p] == '-') {
		return p + 1
	}
	return at + 1
}

// patchEnd returns the end of the part of a patch for one file.
func (s *scan) patchEnd(from int) int {
	end := len(s.text)
	for _, next := range []string{"\ndiff --git ", "\ncommit "} {
		if n := bytes.Index(s.text[from:end], []byte(next)); n >= 0 {
			end = from + n
		}
	}
	return end
}

// paragraphEnd returns the end of the lines that may belong to a file.
func (s *scan) paragraphEnd(k fileKind, from int) int {
	for p := from; p < len(s.text); {
		next := nextLine(s.text, p)
		line := bytes.TrimSpace(s.text[min(next, afterPrefix(s.text, p, next)):next])
		switch {
		case len(line) == 0:
		case k&(envFile|iniFile) != 0 && bytes.IndexByte(line, '=') < 0 && line[0] != '#' && line[0] != ';' &&
			line[0] != '[':
			return p
		case k&(wordsFile|keyOfFile) != 0 && bytes.IndexByte(line, ' ') >= 0 && !isLogin(line):
			return p
		case bytes.HasPrefix(line, []byte("==>")), isFence(line):
			return p
		}
		p = next
	}
	return len(s.text)
}

// minPasted is the number of consecutive lines NAME=value that are taken for a file if one of them is a secret.
const minPasted = 3

// pastedLines replaces the values in the lines NAME=value around a secret, which are those of a pasted file.
func (s *scan) pastedLines(at int) {
	text := s.text
	from, ok := lineStartNear(text, at)
	if !ok {
		return
	}
	for from > 0 && at-from < longestLine {
		above := lineStart(text, from-1)
		if above < s.pastedEnd || !isPasted(text[above:from]) {
			break
		}
		from = above
	}
	end, n := from, 0
	for end < len(text) {
		next := nextLine(text, end)
		line := text[end:next]
		if !isPasted(line) {
			break
		}
		if bytes.IndexByte(line, '=') > 0 {
			n++
		}
		end = next
	}
	s.pastedEnd = max(end, nextLine(text, at))
	if n >= minPasted {
		s.fileLines(envFile, from, end)
	}
}

// isPasted reports whether a line is NAME=value, a comment or empty.
func isPasted(line []byte) bool {
	p := afterPrefix(line, 0, len(line))
	line = bytes.TrimPrefix(bytes.TrimSpace(line[p:]), []byte("export "))
	if len(line) == 0 || line[0] == '#' {
		return true
	}
	eq := bytes.IndexByte(line, '=')
	if eq <= 0 || eq > 120 || !isSetting(line[:eq], true) {
		return false
	}
	value := line[eq+1:]
	return len(value) == 0 || isQuote(value[0]) || bytes.IndexByte(value, ' ') < 0 // NAME=value program
}
