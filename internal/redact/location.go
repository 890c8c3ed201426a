package redact

// longestLocation limits the length of the place of a line, in bytes.
const longestLocation = 256

// locationAt returns the start of the place of a line that ends at end, as searches print it before the line:
// src/a.go:12: and Makefile:12:5: and src/a.go:, and 12: from one file. It returns end if there is none.
func locationAt(text []byte, end int) int {
	path := end
	for numbers := 0; numbers < 3 && path > 1 && text[path-1] == ':'; numbers++ {
		n := path - 1
		for n > 0 && path-n < 8 && isDigit(text[n-1]) {
			n--
		}
		if n < path-1 && (n == 0 || text[n-1] == '\n') {
			return n
		}
		if n == path-1 || text[n-1] != ':' { // the path
			break
		}
		path = n
	}
	if path < 2 || text[path-1] != ':' {
		return end
	}
	start, isPath := path-1, path < end // a line number follows: Makefile:12:
	for start > 0 && end-start < longestLocation && isPathByte(text[start-1]) && text[start-1] != ':' {
		start--
		isPath = isPath || text[start] == '/' || text[start] == '.'
	}
	if !isPath || start > 0 && !isSpace(text[start-1]) && !isQuote(text[start-1]) && text[start-1] < 0x80 {
		return end
	}
	return start
}
