package render

import (
	"html/template"
	"strings"

	"viewer/internal/markup"
	"viewer/render/page"
)

// A passage is Markdown inside a call: the prompt of an agent, its answer, a web page. The rest of a long one is
// folded.
type passage struct {
	Head, Rest template.HTML
	All        string // what unfolding shows
	FullText   *fullText
}

// passage draws Markdown. It returns nil for an empty text.
func (p *pageState) passage(text, anchor string) *passage {
	v := new(passage)
	v.FullText = p.fitText(text, func(part string) int {
		head, rest := cutProse(part)
		v.Head, v.Rest = markup.Answer(head, anchor), markup.Answer(rest, anchor+"-r")
		return len(v.Head) + len(v.Rest)
	})
	if v.Head == "" && v.Rest == "" {
		return nil
	}
	v.All = "all " + count(markup.Lines(strings.Trim(text, "\n"))) + " lines"
	if v.FullText != nil {
		v.All = "more"
	}
	return v
}

// The part of prose that is not folded, and the largest rest that is not folded either, in lines of the width of a
// page.
const (
	proseFull  = 28
	proseSlack = 12
	proseWidth = 100
)

// linked matches link definitions, which are at the end of Markdown and used elsewhere.
var linked = page.Expression(`(?m)^ {0,3}\[[^\]\n]+\]:`)

// cutProse cuts Markdown at the first block after the part that is not folded. If there is none, or blocks depend on
// each other, rest is empty.
func cutProse(text string) (head, rest string) {
	if len(text) < 2*proseFull || strings.Contains(text, "]:") && linked().MatchString(text) {
		return text, ""
	}
	fence, above, cut, after, at := "", 0, 0, 0, 0
	blank := false
	for line := range strings.Lines(text) {
		words := strings.TrimSpace(line)
		if cut == 0 && above >= proseFull && fence == "" &&
			(blank && words != "" && line[0] != ' ' && line[0] != '\t' || startsItem(line)) {
			cut = at
		}
		height := 1 + len(words)/proseWidth
		if cut > 0 {
			after += height
		} else {
			above += height
		}
		switch mark := fenceMark(words); {
		case fence == "":
			fence = mark
		case strings.HasPrefix(mark, fence) && strings.Trim(words, mark[:1]) == "":
			fence = ""
		}
		blank = words == ""
		at += len(line)
	}
	if after <= proseSlack {
		return text, ""
	}
	return text[:cut], text[cut:]
}

// startsItem reports whether a line begins an item of a list that is not inside
// another.
func startsItem(line string) bool {
	rest := strings.TrimLeft(line, "0123456789")
	if rest != line {
		return strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")
	}
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ")
}

// fenceMark returns the ``` or ~~~ at the beginning of a line, "" for none.
func fenceMark(line string) string {
	for _, c := range []string{"`", "~"} {
		if mark := line[:len(line)-len(strings.TrimLeft(line, c))]; len(mark) >= 3 {
			return mark
		}
	}
	return ""
}
