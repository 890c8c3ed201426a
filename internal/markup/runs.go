package markup

import (
	"html/template"
	"strings"
)

// maxRun limits the lines in one element of a run: the style sheet has the signs for each number (assets/css/code.css).
const maxRun = 12

// Runs joins consecutive added lines in one element, and deleted ones, too, because they have most of the tags of a new
// file. h is HTML of [Diff], possibly cut. The result no longer keeps the line rule. An element never ends with an
// empty line, which would not be drawn.
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
	tag   *runTag // of the open element
	lines int     // number of lines in it
	empty int     // number of empty lines at its end, which are not written yet
}

// A runTag has the tags of a line that is an element.
type runTag struct{ start, end string }

var runTags = [...]runTag{{"<ins>", "</ins>\n"}, {"<del>", "</del>\n"}}

// add writes a line, with its newline.
func (r *runs) add(line string) {
	var tag *runTag
	inner := ""
	for i := range runTags {
		t := &runTags[i]
		if rest, ok := strings.CutPrefix(line, t.start); ok {
			if within, ok := strings.CutSuffix(rest, t.end); ok {
				tag, inner = t, within
			}
		}
	}
	switch {
	case tag == nil:
		r.end()
		r.b.WriteString(line)
	case tag == r.tag && r.lines < maxRun && inner == "":
		r.lines++
		r.empty++
	case tag == r.tag && r.lines < maxRun:
		r.lines++
		for range r.empty + 1 {
			r.b.WriteByte('\n')
		}
		r.empty = 0
		r.b.WriteString(inner)
	default:
		r.end()
		r.b.WriteString(tag.start)
		r.b.WriteString(inner)
		r.tag, r.lines = tag, 1
	}
}

// end closes the open element.
func (r *runs) end() {
	if r.tag == nil {
		return
	}
	r.b.WriteString(r.tag.end)
	for range r.empty {
		r.b.WriteString(r.tag.start)
		r.b.WriteString(r.tag.end)
	}
	r.tag, r.lines, r.empty = nil, 0, 0
}
