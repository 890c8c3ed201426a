package sources

import (
	"strconv"
	"strings"
)

// CutLineNumbers returns the lines of a file without their numbers, as tools write them for the model ("     7|text"),
// the number of the first one, and how many they are. It returns 0 lines if one of them has no number.
func CutLineNumbers(text string) (code string, first, count int) {
	var b strings.Builder
	for line := range strings.Lines(text) {
		number, rest, ok := strings.Cut(strings.TrimLeft(line, " "), "|")
		n, err := strconv.Atoi(number)
		if !ok || err != nil || n < 1 || count > 0 && n != first+count {
			return text, 0, 0
		}
		if count == 0 {
			first = n
		}
		count++
		b.WriteString(rest)
	}
	return b.String(), first, count
}
