package prose

import (
	"strings"

	"viewer/render/page"
)

// The part of prose that is not folded, and the largest rest that is not folded either, in lines of the width of a
// page.
const (
	fullLines  = 28
	slackLines = 12
	lineWidth  = 100
)

// linked matches link definitions, which are at the end of Markdown and used elsewhere.
var linked = page.Expression(`(?m)^ {0,3}\[[^\]\n]+\]:`)

// Cut cuts Markdown at the first block after the part that is not folded. If there is none, or blocks depend on
// each other, rest is empty.
func Cut(text string) (head, rest string) {
	if len(text) < 2*fullLines || strings.Contains(text, "]:") && linked().MatchString(text) {
		return text, ""
	}
	fence, above, cut, after, at := "", 0, 0, 0, 0
	blank := false
	for line := range strings.Lines(text) {
		words := strings.TrimSpace(line)
		if cut == 0 && above >= fullLines && fence == "" &&
			(blank && words != "" && line[0] != ' ' && line[0] != '\t' || startsItem(line)) {
			cut = at
		}
		height := 1 + len(words)/lineWidth
		if cut > 0 {
			after += height
		} else {
			above += height
		}
		fence = fenceAfter(fence, words)
		blank = words == ""
		at += len(line)
	}
	if after <= slackLines {
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

// fenceAfter returns the mark of the fence that is open after a line, "" for none. Before the line it is fence.
func fenceAfter(fence, line string) string {
	switch mark := fenceMark(line); {
	case fence == "":
		return mark
	case strings.HasPrefix(mark, fence) && strings.Trim(line, mark[:1]) == "":
		return ""
	}
	return fence
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
