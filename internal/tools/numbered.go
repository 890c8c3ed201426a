package tools

import (
	"strconv"
	"strings"
)

// NumberedLines removes the line numbers that Read and other tools write for the model, and returns the first of them:
// " 1→text" up to 2.1.8x, "1\ttext" after, "1: text" by Amp. If a line has no number, it returns the text unchanged,
// and 0.
func NumberedLines(s string) (first int, code string) {
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	for i, l := range lines {
		n, rest, ok := cutNumber(l)
		if !ok || i > 0 && n != first+i {
			return 0, s
		}
		if i == 0 {
			first = n
		}
		lines[i] = rest
	}
	return first, strings.Join(lines, "\n")
}

func cutNumber(l string) (n int, rest string, ok bool) {
	l = strings.TrimLeft(l, " ")
	end := 0
	for end < len(l) && end < 9 && '0' <= l[end] && l[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(l[:end])
	if err != nil {
		return 0, "", false
	}
	if rest, ok = strings.CutPrefix(l[end:], "→"); ok {
		return n, rest, true
	}
	if rest, ok = strings.CutPrefix(l[end:], "\t"); ok {
		return n, rest, true
	}
	if l[end:] == ":" {
		return n, "", true
	}
	rest, ok = strings.CutPrefix(l[end:], ": ")
	return n, rest, ok
}
