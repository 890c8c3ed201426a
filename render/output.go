package render

import (
	"html/template"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/markup"
	"viewer/internal/transcript"
)

// An output is a block of text: its first lines, the rest folded, and a link to the whole text if it is too long for a
// page.
type output struct {
	Look       string // term, code, plain, diff
	Head, Rest template.HTML
	// One line number for each line; "" without numbers.
	HeadGutter, RestGutter string
	Lines                  int       // of the text
	All                    string    // what unfolding shows
	FullText               *fullText // if the page has only the beginning
}

const (
	screenful = 24 // lines that are not folded
	slack     = 6  // a rest of up to so many lines is not folded
)

// terminal draws what a command printed.
func (p *pageState) terminal(s string) *output {
	return p.output("term", s, markup.ANSI, nil)
}

// plain draws text without formatting.
func (p *pageState) plain(s string) *output {
	return p.output("plain", s, markup.Text, nil)
}

// code draws source; lang is a file name, an extension or a name.
func (p *pageState) code(s, lang string) *output {
	return p.output("code", s, func(s string) template.HTML { return markup.Code(s, lang) }, nil)
}

// numbered draws source with line numbers from first.
func (p *pageState) numbered(s, lang string, first int) *output {
	o := p.output("code", s, func(s string) template.HTML { return markup.Code(s, lang) },
		func(lines int) string { return markup.Numbers(first, lines) })
	return o
}

// diff draws hunks with the numbers of their lines.
func (p *pageState) diff(hunks []markup.Hunk, lang string) *output {
	if len(hunks) == 0 {
		return nil
	}
	var code template.HTML
	var gutter string
	all := p.fit(patchSize(hunks), func(most int) int {
		code, gutter = markup.Diff(cutPatch(hunks, most), lang)
		return len(code) + len(gutter)
	})
	o := &output{Look: "diff", Lines: markup.Lines(code)}
	if !all {
		o.FullText = p.fullText(patchText(hunks))
	}
	o.fold(code, gutter, 3*screenful)
	o.Head, o.Rest = markup.Runs(o.Head), markup.Runs(o.Rest)
	return o
}

func (p *pageState) output(look, s string, draw func(string) template.HTML, gutter func(lines int) string) *output {
	s = strings.TrimRight(s, " \t\r\n")
	if gutter == nil { // otherwise the numbers would be wrong
		s = strings.TrimLeft(s, "\n")
	}
	if s == "" {
		return nil
	}
	o := &output{Look: look, Lines: markup.Lines(s)}
	var html template.HTML
	numbers := ""
	o.FullText = p.fitText(s, func(part string) int {
		html = draw(part)
		if gutter != nil {
			numbers = gutter(markup.Lines(part))
		}
		return len(html) + len(numbers)
	})
	o.fold(html, numbers, screenful)
	return o
}

func (o *output) fold(html template.HTML, gutter string, lines int) {
	o.Head, o.HeadGutter = html, gutter
	if markup.Lines(html) > lines+slack {
		o.All = "all " + count(o.Lines) + " lines"
		if o.FullText != nil {
			o.All = "more"
		}
		o.Head, o.Rest = markup.Cut(html, lines)
		o.HeadGutter, o.RestGutter = markup.CutText(gutter, lines)
	}
}

// anyText draws text of unknown kind: JSON indented, other text like terminal output, since colours are common in it.
func (p *pageState) anyText(s string) *output {
	trimmed := jsontext.Value(strings.TrimSpace(s))
	if len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[') && trimmed.IsValid() {
		return p.code(transcript.Pretty(trimmed), "json")
	}
	return p.output("plain", s, markup.ANSI, nil)
}

// paths draws a list of paths, one on each line.
func (p *pageState) paths(names []text) *output {
	var all []string
	for _, n := range names {
		all = append(all, p.path(string(n)))
	}
	return p.plain(strings.Join(all, "\n"))
}
