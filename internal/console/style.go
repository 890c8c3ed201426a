package console

// A Style is how a terminal shows text, "" for plain text.
type Style string

// The styles that the program uses.
const (
	Bold       Style = "\x1b[1m"
	Grey       Style = "\x1b[2m"
	Red        Style = "\x1b[31m"
	BoldRed    Style = "\x1b[1;31m"
	Yellow     Style = "\x1b[33m"
	BoldYellow Style = "\x1b[1;33m"
	Green      Style = "\x1b[32m"
	BoldCyan   Style = "\x1b[1;36m"
	Cyan       Style = "\x1b[36m"
	reset      Style = "\x1b[0m"
)

var styles = []Style{Bold, Grey, Red, BoldRed, Yellow, BoldYellow, Green, BoldCyan, Cyan, reset}

const (
	escape       = 0x1b
	longestStyle = len(BoldRed)
)

// Styled is text with styles that the program added. Text of a transcript in it went through [Text] or [Line].
type Styled string

// Of returns a text in a style, safe to print.
func (s Style) Of(text string) Styled {
	if text == "" || s == "" {
		return Styled(Text(text))
	}
	return Styled(s) + Styled(Text(text)) + Styled(reset)
}

// A Paint styles texts for a terminal, or leaves them as they are.
type Paint struct{ On bool }

// As returns a text in a style, safe to print.
func (p Paint) As(style Style, s string) Styled {
	if !p.On {
		return Styled(Text(s))
	}
	return style.Of(s)
}

// styleLength returns the length of the style that b begins with, 0 for none.
func styleLength(b []byte) int {
	for _, s := range styles {
		if len(b) >= len(s) && Style(b[:len(s)]) == s {
			return len(s)
		}
	}
	return 0
}
