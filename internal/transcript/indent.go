package transcript

import (
	"math"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Pretty indents JSON, whose syntax was checked, for reading. A value may be nested so deep that its
// indentation is a thousand times as long as itself: what would become more than
// three times as long has fewer levels on lines of their own. One that nobody reads to its end stays as it is.
func Pretty(v jsontext.Value) string {
	if len(v) > longestPretty {
		return string(v)
	}
	for _, levels := range []int{32, 4, 1} {
		if s, ok := indent(v, "  ", levels, 3*len(v)+4<<10); ok {
			return s
		}
	}
	return string(v)
}

// longestPretty is how long a value is indented, in bytes.
const longestPretty = 4 << 20

// Indent puts the members of the outer levels of a value, whose syntax was checked, on
// lines of their own, each behind its level times the unit. What lies deeper stays on the
// line: a result has at most levels units a value more than v, however deep v is.
func Indent(v jsontext.Value, unit string, levels int) string {
	s, _ := indent(v, unit, levels, math.MaxInt)
	return s
}

// indent gives up on more than most bytes.
func indent(v jsontext.Value, unit string, levels, most int) (string, bool) {
	var b strings.Builder
	b.Grow(len(v) + len(v)/4)
	depth := 0
	line := func() {
		b.WriteByte('\n')
		for range depth {
			b.WriteString(unit)
		}
	}
	for i := 0; i < len(v); i++ {
		switch c := v[i]; c {
		case ' ', '\t', '\r', '\n':
		case '{', '[':
			b.WriteByte(c)
			next := i + 1
			for next < len(v) && strings.IndexByte(" \t\r\n", v[next]) >= 0 {
				next++
			}
			if next < len(v) && (v[next] == '}' || v[next] == ']') {
				b.WriteByte(v[next])
				i = next
				continue
			}
			if depth++; depth <= levels {
				line()
			}
		case '}', ']':
			if depth--; depth < levels {
				line()
			}
			b.WriteByte(c)
		case ',':
			b.WriteByte(c)
			if depth <= levels {
				line()
			} else {
				b.WriteByte(' ')
			}
		case ':':
			b.WriteString(": ")
		case '"':
			end := i + 1
			for end < len(v) && v[end] != '"' {
				if v[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(v))
			b.Write(v[i:end])
			i = end - 1
		default:
			b.WriteByte(c)
		}
		if b.Len() > most {
			return "", false
		}
	}
	return b.String(), true
}
