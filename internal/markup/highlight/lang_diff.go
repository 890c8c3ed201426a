package highlight

import (
	"strconv"
	"strings"
)

// scanDiff reads unified diffs line by line. The header of a hunk tells how many lines it has, so that a deleted line
// that begins with "--" is not mistaken for the name of a file.
func scanDiff(src string, emit func(class byte, end int)) {
	old, new := 0, 0 // remaining lines of the hunk on either side
	for pos := 0; pos < len(src); {
		end := pos + strings.IndexByte(src[pos:], '\n') + 1
		if end == pos {
			end = len(src)
		}
		line := src[pos:end]
		class := diffClass(line)
		if old <= 0 && new <= 0 {
			old, new = hunkLines(line)
		} else {
			switch line[0] {
			case '-':
				class = 'd'
				old--
			case '+':
				class = 'i'
				new--
			case ' ', '\n':
				old--
				new--
			case '\\':
			default: // the count was wrong
				old, new = hunkLines(line)
			}
		}
		emit(class, end)
		pos = end
	}
}

// diffClass returns the class of a line outside of a hunk, or in a hunk of unknown length.
func diffClass(line string) byte {
	switch {
	case strings.HasPrefix(line, "\\ "):
		return 'c'
	case strings.HasPrefix(line, "@@"), strings.HasPrefix(line, "diff "),
		strings.HasPrefix(line, "index "), strings.HasPrefix(line, "Index: "),
		strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
		return 'h'
	case strings.HasPrefix(line, "+"):
		return 'i'
	case strings.HasPrefix(line, "-"):
		return 'd'
	}
	return 0
}

// hunkLines returns the number of lines on either side from a header such as "@@ -1,2 +3 @@", 0 for any other line.
func hunkLines(line string) (old, new int) {
	counts, ok := strings.CutPrefix(line, "@@ -")
	if !ok {
		return 0, 0
	}
	first, rest, _ := strings.Cut(counts, " +")
	second, _, ok := strings.Cut(rest, " @@")
	if !ok {
		return 0, 0
	}
	return sideLines(first), sideLines(second)
}

// sideLines returns the count in "12,3", and 1 for "12".
func sideLines(s string) int {
	_, count, ok := strings.Cut(s, ",")
	if !ok {
		return 1
	}
	n, err := strconv.Atoi(count)
	if err != nil {
		return 0
	}
	return n
}
