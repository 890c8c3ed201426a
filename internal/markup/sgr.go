package markup

import (
	"html/template"
	"image/color"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// The parameters of SGR that set and clear flags. 8, concealed, is left out: a page has no hidden text.
var (
	sgrSets   = [30]uint8{1: bold, 2: dim, 3: italic, 4: underline, 7: reverse, 9: struck, 21: underline}
	sgrClears = [30]uint8{22: bold | dim, 23: italic, 24: underline, 27: reverse, 29: struck}
)

// set executes an SGR sequence.
func (s *style) set(params ansi.Params) {
	if len(params) == 0 {
		*s = style{link: s.link}
	}
	for i := 0; i < len(params); i++ {
		p, sub, _ := params.Param(i, 0)
		switch {
		case p == 0:
			*s = style{link: s.link}
		case p > 0 && p < 30:
			s.flags |= sgrSets[p]
			s.flags &^= sgrClears[p]
			if p == 4 && sub { // 4:0 is no underline, 4:3 a wavy one
				if i++; params[min(i, len(params)-1)].Param(1) == 0 {
					s.flags &^= underline
				}
			}
		case p == 38 || p == 48 || p == 58:
			n := s.setColor(p, params[i:])
			if n == 0 {
				return // the rest would be read as attributes
			}
			i += n - 1
		default:
			s.setBasicColor(p)
		}
	}
}

// setBasicColor sets one of the sixteen colours, or none.
func (s *style) setBasicColor(p int) {
	switch {
	case p >= 30 && p <= 37:
		s.fg = uint8(p-30) + 1
	case p == 39:
		s.fg = 0
	case p >= 40 && p <= 47:
		s.bg = uint8(p-40) + 1
	case p == 49:
		s.bg = 0
	case p >= 90 && p <= 97:
		s.fg = uint8(p-90) + 9
	case p >= 100 && p <= 107:
		s.bg = uint8(p-100) + 9
	}
}

// setColor sets the colour that params begin with, and returns how many of them it has; 0 for none.
func (s *style) setColor(p int, params ansi.Params) int {
	var c color.Color
	n := ansi.ReadStyleColor(params, &c)
	if n == 0 || c == nil {
		return n
	}
	switch p {
	case 38:
		s.fg = nearest(c)
	case 48:
		s.bg = nearest(c)
	}
	return n
}

// nearest returns the closest of the sixteen colours, counted from 1. It compares hues: by distance most colours of the
// usual palettes would become grey.
func nearest(c color.Color) uint8 {
	switch c := c.(type) {
	case ansi.BasicColor:
		return uint8(c)&15 + 1
	case ansi.IndexedColor:
		if c < 16 {
			return uint8(c) + 1
		}
	}
	r32, g32, b32, _ := c.RGBA()
	r, g, b := int(r32>>8), int(g32>>8), int(b32>>8)
	high, low := max(r, g, b), min(r, g, b)
	if span := high - low; span < 24 || span*4 < high {
		switch {
		case high < 48:
			return 1 // black
		case high < 144:
			return 9 // grey
		case high < 216:
			return 8 // light grey
		}
		return 16 // white
	}
	// A channel is set if it is nearer to the highest than to the lowest.
	n := uint8(0)
	for bit, v := range [...]int{r, g, b} {
		if v-low > high-v {
			n |= 1 << bit
		}
	}
	if high >= 192 && low >= 64 {
		n += 8
	}
	return n + 1
}

// html returns the HTML of the screen. Each line has its own elements, so that no element spans a line end.
func (s *screen) html() template.HTML {
	var b strings.Builder
	b.Grow(len(s.text) + len(s.text)/4)
	for y := range s.lines {
		if y > 0 {
			b.WriteByte('\n')
		}
		l := &s.lines[y]
		if l.split {
			l.runs = join(l.cells)
		}
		for i := 0; i < len(l.runs); {
			n := i + 1
			for n < len(l.runs) && l.runs[n].style == l.runs[i].style {
				n++
			}
			s.write(&b, l.runs[i:n])
			i = n
		}
	}
	return template.HTML(b.String())
}

// join converts the cells of a line to runs. Blanks at its end that come from erasing are dropped.
func join(cells []cell) []run {
	for len(cells) > 0 && cells[len(cells)-1] == (cell{r: ' '}) {
		cells = cells[:len(cells)-1]
	}
	var runs []run
	var b strings.Builder
	for i, c := range cells {
		b.WriteRune(c.r)
		if i+1 == len(cells) || cells[i+1].style != c.style {
			runs = append(runs, run{b.String(), c.style})
			b.Reset()
		}
	}
	return runs
}

// write writes runs of one style.
func (s *screen) write(b *strings.Builder, runs []run) {
	st := runs[0].style
	href := ""
	if st.link > 0 {
		href = s.links[st.link-1]
		st.link = 0
		// One target may be repeated on a megabyte of lines.
		if s.href -= len(href); s.href < 0 {
			href = ""
		}
	}
	if href != "" {
		b.WriteString("<a")
		attribute(b, "href", href)
		b.WriteString(linkAttributes + ">")
	}
	if st != (style{}) {
		b.WriteString(`<span class="`)
		st.classes(b)
		b.WriteString(`">`)
	}
	for _, r := range runs {
		escape(b, r.text, false)
	}
	if st != (style{}) {
		b.WriteString("</span>")
	}
	if href != "" {
		b.WriteString("</a>")
	}
}

func (s style) classes(b *strings.Builder) {
	first := true
	add := func(letter byte, number int) {
		if !first {
			b.WriteByte(' ')
		}
		first = false
		b.WriteByte(letter)
		if number >= 0 {
			b.WriteString(strconv.Itoa(number))
		}
	}
	if s.fg > 0 {
		add('a', int(s.fg)-1)
	}
	if s.bg > 0 {
		add('b', int(s.bg)-1)
	}
	for i := range 6 {
		if s.flags&(1<<i) != 0 {
			add("BDIUSR"[i], -1)
		}
	}
}
