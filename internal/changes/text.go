package changes

import (
	"cmp"
	"strings"
)

// A form is what distinguishes a text from its lines. Programs read and write files in one form and log them in
// another, so texts are compared without it.
type form struct {
	bom  bool
	crlf bool // every line ends in \r\n
}

const byteOrderMark = "\ufeff"

// formOf returns a text without its form, and the form.
func formOf(s string) (string, form) {
	var f form
	s, f.bom = strings.CutPrefix(s, byteOrderMark)
	if n := strings.Count(s, "\r\n"); n > 0 && n == strings.Count(s, "\n") {
		f.crlf = true
		s = strings.ReplaceAll(s, "\r\n", "\n")
	}
	return s, f
}

// in returns a text in the form of a file.
func (f form) in(s string) string {
	if f.crlf {
		s = strings.ReplaceAll(s, "\n", "\r\n")
	}
	if f.bom {
		s = byteOrderMark + s
	}
	return s
}

// split splits a text into lines, which keep their ends.
func split(s string) []string {
	if s == "" {
		return nil
	}
	n := strings.Count(s, "\n")
	lines := make([]string, 0, n+1)
	for s != "" {
		end := cmp.Or(strings.IndexByte(s, '\n')+1, len(s))
		lines = append(lines, s[:end])
		s = s[end:]
	}
	return lines
}

// isBinary reports whether a text has a zero byte.
func isBinary(s string) bool { return strings.IndexByte(s, 0) >= 0 }

// letters counts the letters and digits of a line, up to a limit.
func letters(s string) int {
	n := 0
	for i := 0; i < len(s) && n < enough; i++ {
		if c := s[i]; c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c >= 0x80 {
			n++
		}
	}
	return n
}

// enough is the number of letters above which an equal block is not a coincidence, as for git blame -M.
const enough = 20

// enoughOfCall is the same for lines that one call both removes and adds, which is mostly on purpose.
const enoughOfCall = 10

// SplitLines returns the lines of a text without their ends.
func SplitLines(s string) []string {
	s, _ = formOf(s)
	lines := split(s)
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(l, "\n")
	}
	return lines
}

// Align returns for each line of a text the index of the same line in an older text, or -1 for new lines.
func Align(older, newer []string) []int {
	at := make([]int, 0, len(newer))
	i := 0
	for _, s := range append(compare(older, newer), span{len(older), len(older), len(newer), len(newer)}) {
		for ; i < s.from0; i++ {
			at = append(at, i)
		}
		for i = s.to0; len(at) < s.to1; {
			at = append(at, -1)
		}
	}
	return at
}

// CountLines counts the lines of a text. The last one may lack its end.
func CountLines(s string) int { return len(SplitLines(s)) }
