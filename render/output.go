package render

import (
	"html/template"
	"strings"

	"viewer/markup"
)

// An output is a block of text: its first lines, the rest folded, and a link
// to the whole when it is too long for a page.
type output struct {
	Look       string // term, code, plain, diff
	Head, Rest template.HTML
	// One line number a line; "" without numbers.
	HeadGutter, RestGutter string
	Lines                  int    // of the text
	All                    string // what unfolding shows
	WholeHref, WholeSize   string // of the file that holds all of it
}

const (
	screenful = 24       // lines that show before the rest is folded
	slack     = 6        // so few more are not worth a fold
	longest   = 64 << 10 // bytes of a text that stay on the page
	excerpt   = 16 << 10 // bytes that stay of a longer one
)

// terminal draws what a command printed.
func (d *drawer) terminal(s string) *output {
	return d.output("term", s, markup.ANSI, nil)
}

// plain draws text as it is.
func (d *drawer) plain(s string) *output {
	return d.output("plain", s, markup.Text, nil)
}

// code draws source; lang is a file name, an extension or a name.
func (d *drawer) code(s, lang string) *output {
	return d.output("code", s, func(s string) template.HTML { return markup.Code(s, lang) }, nil)
}

// numbered draws source with line numbers from first.
func (d *drawer) numbered(s, lang string, first int) *output {
	o := d.output("code", s, func(s string) template.HTML { return markup.Code(s, lang) },
		func(lines int) string { return markup.Numbers(first, lines) })
	return o
}

// diff draws hunks with the numbers of their lines.
func (d *drawer) diff(hunks []markup.Hunk, lang string) *output {
	if len(hunks) == 0 {
		return nil
	}
	code, gutter := markup.Diff(hunks, lang)
	o := &output{Look: "diff", Lines: markup.Lines(code)}
	o.fold(code, gutter, 3*screenful)
	return o
}

func (d *drawer) output(look, s string, draw func(string) template.HTML, gutter func(lines int) string) *output {
	s = strings.TrimRight(s, " \t\r\n")
	if gutter == nil { // else the numbers would be those of other lines
		s = strings.TrimLeft(s, "\n")
	}
	if s == "" {
		return nil
	}
	o := &output{Look: look, Lines: markup.Lines(s)}
	if len(s) > longest {
		o.WholeHref = d.root + d.media.add([]byte(s), ".txt")
		o.WholeSize = size(len(s)) + ", " + plural(o.Lines, "line", "lines")
		s = cutBytes(s, excerpt)
	}
	html := draw(s)
	numbers := ""
	if gutter != nil {
		numbers = gutter(markup.Lines(s))
	}
	o.fold(html, numbers, screenful)
	return o
}

func (o *output) fold(html template.HTML, gutter string, lines int) {
	o.Head, o.HeadGutter = html, gutter
	if markup.Lines(html) > lines+slack {
		o.All = "all " + count(o.Lines) + " lines"
		if o.WholeHref != "" {
			o.All = "more"
		}
		o.Head, o.Rest = markup.Cut(html, lines)
		o.HeadGutter, o.RestGutter = markup.CutText(gutter, lines)
	}
}

// cutBytes keeps whole lines, or whole characters of a very long line.
func cutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if i := strings.LastIndexByte(s[:n], '\n'); i > n/2 {
		return s[:i]
	}
	return strings.ToValidUTF8(s[:n], "")
}
