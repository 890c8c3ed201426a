package blame

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"viewer/internal/console"
	"viewer/internal/sitegen"
)

// Table returns a line for each line of the file, followed by a legend of the calls.
func (b *Result) Table(colored bool) string {
	p := console.Paint{On: colored}
	rows := make([][4]string, len(b.lines))
	var widths [4]int
	for i, l := range b.lines {
		rows[i] = l.row()
		for c, cell := range rows[i] {
			widths[c] = max(widths[c], ansi.StringWidth(cell))
		}
	}
	var out strings.Builder
	for i, l := range b.lines {
		for c, cell := range rows[i] {
			pad := strings.Repeat(" ", widths[c]-ansi.StringWidth(cell))
			switch {
			case c == 3:
				out.WriteString(pad + string(p.As(console.Grey, cell)) + "  ")
			case l.call == nil:
				out.WriteString(string(p.As(console.Grey, cell)) + pad + "  ")
			default:
				out.WriteString(string(p.As("", cell)) + pad + "  ")
			}
		}
		out.WriteString(string(p.As("", console.OneLine(strings.ReplaceAll(l.text, "\t", "    ")))) + "\n")
	}
	return out.String() + b.legend(p)
}

// row returns the cells before the text of a line.
func (l *fileLine) row() [4]string {
	number := strconv.Itoa(l.number)
	switch s := cmp.Or(l.call, l.words); {
	case s == nil:
		return [4]string{"unknown", "", "", number}
	case l.call == nil:
		return [4]string{"unknown", "(" + console.Line(s.Session.Short) + stepPrompt(s) + ")", "formatted", number}
	default:
		return [4]string{
			console.Line(s.Session.Short) + stepPrompt(s), console.Line(s.Tool),
			s.Time.Local().Format("2006-01-02 15:04"), number,
		}
	}
}

// stepPrompt returns the number of the prompt before a call.
func stepPrompt(s *sitegen.FileStep) string {
	if s.Prompt == 0 {
		return ""
	}
	return " #" + strconv.Itoa(s.Prompt)
}

// legend lists each prompt with its text, and where a site shows its first call.
func (b *Result) legend(p console.Paint) string {
	var out strings.Builder
	met := make(map[string]bool)
	for _, l := range b.lines {
		s := cmp.Or(l.call, l.words)
		if s == nil || met[s.Session.ID+stepPrompt(s)] {
			continue
		}
		met[s.Session.ID+stepPrompt(s)] = true
		c := b.calls[s]
		name := console.Line(s.Session.Short) + stepPrompt(s)
		fmt.Fprintf(&out, "%s  %s  %s\n", p.As(console.Bold, name), p.As("", console.Line(cmp.Or(c.Prompt, c.Title))),
			p.As(console.Grey, console.Line(c.Page)))
	}
	if out.Len() == 0 {
		return ""
	}
	return "\n" + out.String()
}
