package console

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// joiner is the word joiner. It has no width, and no command of a runner contains it.
const joiner = "\u2060"

// Text returns a text that is safe to print. It keeps its lines. Calling Text on the result changes nothing.
func Text(s string) string {
	if isHarmless(s) {
		return s
	}
	var c cleaner
	c.begin()
	return string(c.append(make([]byte, 0, len(s)), []byte(s), true))
}

// Line returns Text on one line. Each run of white space becomes one blank, and none is left at the ends.
func Line(s string) string { return strings.Join(strings.Fields(Text(s)), " ") }

// OneLine is Text without line ends. It keeps all other blanks.
func OneLine(s string) string { return strings.ReplaceAll(Text(s), "\n", " ") }

// isHarmless reports whether Text would not change a text. It may return false for such a text.
func isHarmless(s string) bool {
	for i := range len(s) {
		if b := s[i]; b < ' ' && b != '\n' && b != '\t' || b >= 0x7f {
			return false
		}
	}
	return !strings.Contains(s, "::") && !strings.Contains(s, "##")
}

// A cleaner makes text safe that may come in pieces.
type cleaner struct {
	command finder
	styles  bool   // styles of the program are kept
	json    bool   // the text is lines of JSON, whose values must not change
	rest    []byte // the beginning of a character or a style that the next piece continues
}

func (c *cleaner) begin() { c.command = finder{atStart: true} }

// append writes a piece of text. Unless it is the last piece, its last bytes may wait for the next one.
func (c *cleaner) append(to, piece []byte, last bool) []byte {
	if len(c.rest) > 0 {
		piece = append(c.rest, piece...)
		c.rest = nil
	}
	for i := 0; i < len(piece); {
		if b := piece[i]; b >= ' ' && b < 0x7f {
			if c.command.ends(rune(b)) {
				if c.json && b == '[' {
					to = append(to, `\u005b`...)
					i++
					continue
				}
				to = append(to, joiner...)
			}
			to = append(to, b)
			i++
			continue
		}
		if !last && !utf8.FullRune(piece[i:]) {
			c.rest = append([]byte(nil), piece[i:]...)
			break
		}
		if c.styles && piece[i] == escape {
			n := styleLength(piece[i:])
			if n > 0 {
				to = append(to, piece[i:i+n]...)
				i += n
				continue
			}
			if !last && len(piece)-i < longestStyle {
				c.rest = append([]byte(nil), piece[i:]...)
				break
			}
		}
		r, n := utf8.DecodeRune(piece[i:])
		c.command.ends(r)
		if s := sign(r, n); s != "" && c.json && (isControl(r) || r == 0x7f) {
			to = fmt.Appendf(to, `\u%04x`, r)
		} else if s != "" {
			to = append(to, s...)
		} else {
			to = append(to, piece[i:i+n]...)
		}
		i += n
	}
	return to
}

// sign returns the replacement for a character of n bytes that a terminal may act on, "" for other characters.
func sign(r rune, n int) string {
	switch {
	case r == '\n' || r == '\t':
		return ""
	case r < ' ':
		return string(0x2400 + r)
	case r == 0x7f:
		return "\u2421"
	case r == utf8.RuneError && n == 1:
		return string(utf8.RuneError)
	case r < 0x7f:
		return ""
	case isControl(r):
		return fmt.Sprintf("<%U>", r)
	}
	return ""
}

// isControl reports whether a character outside of ASCII controls the text around it: its direction, lines or colours.
func isControl(r rune) bool {
	switch {
	case r < 0x80:
		return false
	case r < 0xa0, // C1
		r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, // direction
		r == 0x2028, r == 0x2029: // lines
		return true
	}
	return false
}

// A finder finds commands of runners, character by character.
type finder struct {
	atStart bool // nothing but blanks on the line so far
	colon   bool // and then one colon
	hashes  int  // number of hashes before this character, and then letters of a name
	letters int
}

// longestName is longer than any name that a service has between "##" and "[".
const longestName = 32

// ends reports whether r completes the beginning of a command.
func (f *finder) ends(r rune) bool {
	switch {
	case r == '\n':
		*f = finder{atStart: true}
		return false
	case f.atStart && isBlank(r):
		return false
	}
	found := f.colon && r == ':' || f.hashes >= 2 && r == '['
	f.colon = f.atStart && r == ':'
	f.atStart = false
	switch {
	case r == '#' && f.letters == 0:
		f.hashes++
	case r == '#':
		f.hashes, f.letters = 1, 0
	case f.hashes >= 2 && f.letters < longestName && r < 0x80 && unicode.IsLetter(r):
		f.letters++
	default:
		f.hashes, f.letters = 0, 0
	}
	return found
}

// isBlank reports whether runners ignore r at the beginning of a line, or when they compare.
func isBlank(r rune) bool {
	return unicode.IsSpace(r) || r == 0xfeff || r == 0xad || r >= 0x200b && r <= 0x200f || r >= 0x2060 && r <= 0x206f
}
