package markup

import (
	"html/template"
	"strings"
)

// maxRun is how many lines one element of a run has: the style sheet holds a sign for each (assets/css/code.css).
const maxRun = 12

// Runs gives added lines that follow each other one element, and deleted ones too: most of a new file's tags are
// theirs. The HTML is that of [Diff], after it was cut: what is returned no longer keeps the line rule. An element
// never ends with an empty line, which would not be drawn.
func Runs(h template.HTML) template.HTML {
	if !strings.Contains(string(h), "</ins>\n<ins>") && !strings.Contains(string(h), "</del>\n<del>") {
		return h
	}
	r := runs{}
	r.b.Grow(len(h))
	for line := range strings.Lines(string(h)) {
		r.add(line)
	}
	r.end()
	return template.HTML(r.b.String())
}

type runs struct {
	b     strings.Builder
	name  string // of the element that is open
	lines int    // in it
	empty int    // of them, the last ones, which are not written
}

// add writes a line, with its newline.
func (r *runs) add(line string) {
	name, inner := "", ""
	for _, n := range [...]string{"ins", "del"} {
		if rest, ok := strings.CutPrefix(line, "<"+n+">"); ok {
			if within, ok := strings.CutSuffix(rest, "</"+n+">\n"); ok {
				name, inner = n, within
			}
		}
	}
	switch {
	case name == "":
		r.end()
		r.b.WriteString(line)
	case name == r.name && r.lines < maxRun && inner == "":
		r.lines++
		r.empty++
	case name == r.name && r.lines < maxRun:
		r.lines++
		for range r.empty + 1 {
			r.b.WriteByte('\n')
		}
		r.empty = 0
		r.b.WriteString(inner)
	default:
		r.end()
		r.b.WriteString("<" + name + ">" + inner)
		r.name, r.lines = name, 1
	}
}

// end closes the element that is open.
func (r *runs) end() {
	if r.name == "" {
		return
	}
	r.b.WriteString("</" + r.name + ">\n")
	for range r.empty {
		r.b.WriteString("<" + r.name + "></" + r.name + ">\n")
	}
	r.name, r.lines, r.empty = "", 0, 0
}
