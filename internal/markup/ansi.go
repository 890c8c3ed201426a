package markup

import (
	"html/template"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// ANSI draws terminal output as it looks in the end on a terminal of unlimited width. Colours and other SGR attributes
// become classes. After a carriage return or backspace the text that follows overwrites, so only the last state of a
// progress bar stays. Erasing a line works, and so does moving up and erasing what is below, as spinners do. Clearing
// the screen has no effect, because a reader wants to see what was there. Other escape sequences are dropped. The
// result keeps the line rule.
//
// If an escape sequence is cut off, ESC is shown by its number and the rest as text. So are the one-byte forms (C1),
// which no program writes in UTF-8.
func ANSI(text string) template.HTML {
	if plainTerminal(text) {
		return Text(text)
	}
	s := screen{text: lineEnds(text)}
	s.padding = len(s.text) + 4096
	s.href = 4*len(s.text) + 4096
	s.read()
	return s.html()
}

// plainTerminal reports whether text can be drawn without a screen.
func plainTerminal(text string) bool {
	if strings.IndexByte(text, '\x1b') >= 0 || strings.IndexByte(text, '\b') >= 0 {
		return false
	}
	for i := 0; ; i++ {
		n := strings.IndexByte(text[i:], '\r')
		if n < 0 {
			return true
		}
		if i += n; i+1 >= len(text) || text[i+1] != '\n' {
			return false
		}
	}
}

// A screen has the lines of a terminal. Most lines are only written at their end and stay runs of the input. A line
// that is written to elsewhere becomes cells, one for each character.
//
//	                  write at the end          anything else
//	runs              append a run              become cells
//	cells             overwrite or append       overwrite, erase
type screen struct {
	text    string
	lines   []row
	y, x    int // of the next character; x counts characters
	pen     style
	links   []string // targets; style.link counts from 1
	padding int      // blanks that moving right may still add
	href    int      // bytes of targets that may still be written
	parser  *ansi.Parser
}

type row struct {
	runs  []run
	width int // characters in runs
	cells []cell
	split bool // the line is in cells, not in runs
}

type run struct {
	text string
	style
}

type cell struct {
	r rune
	style
}

// A style is the state that SGR and OSC 8 set. Colours count from 1, 0 is the default.
type style struct {
	fg, bg uint8
	flags  uint8
	link   uint16
}

const (
	bold = 1 << iota
	dim
	italic
	underline
	struck
	reverse
)

// read processes the text.
func (s *screen) read() {
	s.lines = make([]row, 1, 1+strings.Count(s.text, "\n"))
	t := s.text
	for i := 0; i < len(t); {
		switch t[i] {
		case '\n':
			s.down()
			i++
		case '\r':
			s.x = 0
			i++
		case '\b':
			s.x = max(0, s.x-1)
			i++
		case '\x1b':
			n := s.escape(t[i:])
			if n == 0 {
				n = 1 // not a sequence: the character itself
				s.put(t[i:i+n], 1)
			}
			i += n
		default:
			n := i + 1
			for n < len(t) && !terminalControl[t[n]] {
				n++
			}
			s.put(t[i:n], utf8.RuneCountInString(t[i:n]))
			i = n
		}
	}
}

var terminalControl = [256]bool{'\n': true, '\r': true, '\b': true, '\x1b': true}

func (s *screen) down() {
	s.y++
	s.x = 0
	if s.y == len(s.lines) {
		s.lines = append(s.lines, row{})
	}
}

// put writes text of n characters at the cursor.
func (s *screen) put(text string, n int) {
	l := &s.lines[s.y]
	if gap := s.x - l.length(); gap > 0 {
		gap = min(gap, s.padding)
		s.padding -= gap
		l.append(strings.Repeat(" ", gap), gap, style{})
		s.x = l.length()
	}
	if s.x == l.length() {
		l.append(text, n, s.pen)
	} else {
		l.toCells()
		x := s.x
		for _, r := range text {
			if x < len(l.cells) {
				l.cells[x] = cell{r, s.pen}
			} else {
				l.cells = append(l.cells, cell{r, s.pen})
			}
			x++
		}
	}
	s.x += n
}

func (l *row) length() int {
	if l.split {
		return len(l.cells)
	}
	return l.width
}

func (l *row) append(text string, n int, pen style) {
	if l.split {
		for _, r := range text {
			l.cells = append(l.cells, cell{r, pen})
		}
		return
	}
	l.runs = append(l.runs, run{text, pen})
	l.width += n
}

func (l *row) toCells() {
	if l.split {
		return
	}
	l.cells = make([]cell, 0, l.width+8)
	for _, r := range l.runs {
		for _, c := range r.text {
			l.cells = append(l.cells, cell{c, r.style})
		}
	}
	*l = row{cells: l.cells, split: true}
}

// escape executes the escape sequence at the start of t and returns its length, or 0 if there is none.
func (s *screen) escape(t string) int {
	if len(t) < 2 {
		return 0
	}
	const intro = 2
	switch kind := t[1]; {
	case kind == '[':
		return s.csi(t, intro)
	case kind == ']' || kind == 'P' || kind == 'X' || kind == '^' || kind == '_':
		return s.controlString(kind, t, intro)
	case kind >= ' ' && kind <= '/': // as ESC ( B, a character set
		for n := 2; n < len(t); n++ {
			if c := t[n]; c >= '0' && c <= '~' {
				return n + 1
			} else if c < ' ' || c > '/' {
				break
			}
		}
		return 0
	case kind == 'c': // reset
		s.pen = style{}
		return 2
	case kind >= '0' && kind <= '~':
		return 2
	}
	return 0
}

// csi executes the control sequence at the start of t, whose introducer has n bytes.
func (s *screen) csi(t string, n int) int {
	start := n
	for n < len(t) && t[n] >= '0' && t[n] <= '?' {
		n++
	}
	for n < len(t) && t[n] >= ' ' && t[n] <= '/' {
		n++
	}
	if n == len(t) || t[n] < '@' || t[n] > '~' {
		return 0
	}
	n++
	if n-start > 256 {
		return n // longer than any real one
	}
	if s.parser == nil {
		s.parser = new(ansi.Parser)
		s.parser.SetParamsSize(64)
		s.parser.SetHandler(ansi.Handler{HandleCsi: s.control})
	}
	s.parser.Reset()
	s.parser.Advance('\x1b')
	s.parser.Advance('[')
	for i := start; i < n; i++ {
		s.parser.Advance(t[i])
	}
	return n
}

const (
	farthest = 200 // columns that a sequence may move right; a terminal is not wider
	highest  = 200 // lines that a sequence may move up
)

func (s *screen) control(cmd ansi.Cmd, params ansi.Params) {
	if cmd.Prefix() != 0 || cmd.Intermediate() != 0 {
		return
	}
	arg := func(def int) int {
		n, _, _ := params.Param(0, def)
		return n
	}
	// count returns how far to move: 0 means 1.
	count := func(most int) int { return min(max(arg(1), 1), most) }
	l := &s.lines[s.y]
	switch cmd.Final() {
	case 'm':
		s.pen.set(params)
	case 'A':
		s.y = max(0, s.y-count(highest))
	case 'F':
		s.y, s.x = max(0, s.y-count(highest)), 0
	case 'B', 'E': // not below what was written, so that no blank lines are added
		s.y = min(s.y+count(highest), len(s.lines)-1)
		if cmd.Final() == 'E' {
			s.x = 0
		}
	case 'C':
		s.x = max(s.x, min(s.x+count(farthest), max(l.length(), farthest)))
	case 'D':
		s.x = max(0, s.x-count(1<<20))
	case 'G':
		s.x = min(count(1<<20)-1, max(l.length(), farthest))
	case 'K':
		switch arg(0) {
		case 0:
			l.truncate(s.x)
		case 1:
			if s.x < farthest { // otherwise each sequence could cost the length of the line
				l.toCells()
				for x := range min(s.x+1, len(l.cells)) {
					l.cells[x] = cell{r: ' '}
				}
			}
		case 2:
			l.truncate(0)
		}
	case 'J':
		// There is something below only after moving up. The other ways to clear start a new screen; the old one is
		// part of the log.
		if arg(0) == 0 {
			l.truncate(s.x)
			s.lines = s.lines[:s.y+1]
		}
	}
}

// truncate erases the columns from x on.
func (l *row) truncate(x int) {
	switch {
	case x >= l.length():
	case x == 0:
		*l = row{}
	default:
		l.toCells()
		l.cells = l.cells[:x]
	}
}

// controlString skips the string, such as a window title or a picture, that starts t, and returns its length. A string
// ends at ST or BEL. A sequence with a line end or another ESC in it is not a string.
func (s *screen) controlString(kind byte, t string, n int) int {
	for i := n; i < len(t); i++ {
		end := 0
		switch {
		case t[i] == '\a' && kind == ']':
			end = i + 1
		case t[i] == '\x1b' && i+1 < len(t) && t[i+1] == '\\':
			end = i + 2
		case t[i] == '\x1b', t[i] == '\n', t[i] == 0x18, t[i] == 0x1a:
			return 0
		}
		if end > 0 {
			if link, ok := strings.CutPrefix(t[n:i], "8;"); ok && kind == ']' {
				s.link(link)
			}
			return end
		}
	}
	return 0
}

// link opens or closes the hyperlink of an OSC 8: "params;target".
func (s *screen) link(arg string) {
	s.pen.link = 0
	_, target, _ := strings.Cut(arg, ";")
	if strings.HasPrefix(strings.ToLower(target), "http") && len(target) <= 2083 && len(s.links) < 1<<16-1 {
		if href := Link(target); href != "" {
			s.links = append(s.links, href)
			s.pen.link = uint16(len(s.links))
		}
	}
}
