package transcript

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/jsonstring"
)

// Pretty indents valid JSON for reading. Deeply nested values could become a thousand times as long, so a result that
// would be more than three times as long has fewer indented levels. Very long values are not indented. Encrypted texts
// are replaced by their size, and bytes that are not UTF-8 by U+FFFD. Visible characters that need no escape have none.
func Pretty(v jsontext.Value) string { return strings.ToValidUTF8(pretty(v), "\uFFFD") }

func pretty(v jsontext.Value) string {
	if len(v) > longestPretty {
		return string(v)
	}
	v = withoutNeedlessEscapes(v)
	for _, levels := range []int{32, 4, 1} {
		if s, ok := indent(v, "  ", levels, 3*len(v)+4<<10); ok {
			return withoutEncrypted(s)
		}
	}
	return string(v)
}

// withoutNeedlessEscapes decodes "\u4e2d" and "\/", which some programs write for each character outside of ASCII and
// each slash.
func withoutNeedlessEscapes(v jsontext.Value) jsontext.Value {
	if !bytes.Contains(v, []byte(`\u`)) && !bytes.Contains(v, []byte(`\/`)) {
		return v
	}
	text := make([]byte, 0, len(v))
	for {
		plain := bytes.IndexByte(v, '\\')
		if plain < 0 {
			return append(text, v...)
		}
		text, v = append(text, v[:plain]...), v[plain:]
		r, n := jsonstring.Escape(v)
		if unicode.IsPrint(r) && r != '"' && r != '\\' && r != utf8.RuneError {
			text = utf8.AppendRune(text, r)
		} else {
			text = append(text, v[:n]...)
		}
		v = v[n:]
	}
}

// withoutEncrypted replaces encrypted texts by their size. These are Fernet tokens, which all begin with the same
// version. They are long, and only a model can read them.
func withoutEncrypted(json string) string {
	const begin, least = `"gAAAAA`, 100
	if !strings.Contains(json, begin) {
		return json
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(json, begin)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		n := 0
		for n < len(rest) && isBase64URL(rest[n]) {
			n++
		}
		if size := len(begin) - 1 + n; size >= least && strings.HasPrefix(rest[n:], `"`) {
			fmt.Fprintf(&b, `"encrypted text, %d bytes"`, size)
			n++
		} else {
			b.WriteString(begin + rest[:n])
		}
		json = rest[n:]
	}
}

func isBase64URL(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '='
}

// longestPretty is the length up to which a value is indented, in bytes.
const longestPretty = 4 << 20

// Indent writes each member of the outer levels of a valid value on a separate line, indented by one unit a level.
// Deeper members stay on one line, so that the result has at most levels units for each value more than v.
func Indent(v jsontext.Value, unit string, levels int) string {
	s, _ := indent(v, unit, levels, math.MaxInt)
	return s
}

// indent fails if the result has more than most bytes.
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
			next := skipSpace(v, i+1)
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
			end := skipString(v, i)
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
