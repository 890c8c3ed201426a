package markup

import (
	"html/template"
	"strconv"
	"strings"
)

// Lines counts the lines of text, or of HTML that keeps the line rule. A
// trailing newline does not start a line; "" has none.
func Lines[T ~string](s T) int {
	n := strings.Count(string(s), "\n")
	if s != "" && s[len(s)-1] != '\n' {
		n++
	}
	return n
}

// Cut splits HTML made by [Code], [ANSI], [Text] or [Diff] after n lines. The newline stays with head, so head+rest is
// h and their lines add up. Both parts are well formed because no element spans a line end.
func Cut(h template.HTML, n int) (head, rest template.HTML) {
	i := lineStart(string(h), n)
	return h[:i], h[i:]
}

// CutText does the same for plain text, such as a gutter.
func CutText(s string, n int) (head, rest string) {
	i := lineStart(s, n)
	return s[:i], s[i:]
}

// lineStart returns the offset after n lines of s, or the end.
func lineStart(s string, n int) int {
	i := 0
	for ; n > 0; n-- {
		j := strings.IndexByte(s[i:], '\n')
		if j < 0 {
			return len(s)
		}
		i += j + 1
	}
	return i
}

// Numbers returns the gutter of n lines from first: "41\n42\n43".
func Numbers(first, n int) string {
	if n <= 0 {
		return ""
	}
	b := make([]byte, 0, n*(1+len(strconv.Itoa(first+n))))
	for i := range n {
		if i > 0 {
			b = append(b, '\n')
		}
		b = strconv.AppendInt(b, int64(first+i), 10)
	}
	return string(b)
}
