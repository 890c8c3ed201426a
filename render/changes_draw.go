package render

import (
	"html/template"
	"maps"
	"slices"
	"strings"

	"viewer/internal/changes"
	"viewer/internal/markup"
	"viewer/render/page"
)

// changesView is a list of net diffs, on the first page of a session or on a separate page.
type changesView struct {
	Facts      []metaFact
	Files      []changedView
	Undone     []string // files without a net change
	MoreUndone string   // number of such files that are not listed
}

// changedView is the net diff of one file.
type changedView struct {
	ID, Dir, Name string
	Facts         []page.Fact
	Open          bool
	Notes         []string
	Parts         []changedPart
	Lines         []string // ids of lines that are not on the page
	FullText      *fullText
}

// A changedPart is one diff.
type changedPart struct {
	ID     string     // id of the lines of Call
	Call   *page.Link // that made the change; nil for the net diff
	Note   string
	Gutter string
	Margin []marginLine // one for each line of code
	Code   template.HTML
}

// A marginLine names the call that wrote this line and the following ones. The first one of a call on the page has an
// ID and a tab stop: a page may have hundreds of the others.
type marginLine struct {
	ID, Href, Text, Title string
}

// openLines is the number of lines of diffs that a page shows unfolded.
const openLines = 400

// maxUndone is the maximum number of listed files without a net change.
const maxUndone = 20

// A changesDrawer draws net diffs on one page.
type changesDrawer struct {
	*pageState
	net *netChange
	ids map[string]bool // of lines that are already on the page
}

// files draws some of the files.
func (d *changesDrawer) files(from, to int) []changedView {
	all := make([]changedView, 0, to-from)
	left := openLines
	for i := from; i < to; i++ {
		v := d.file(&d.net.files[i])
		_, v.ID, _ = strings.Cut(d.net.places[i], "#")
		lines := 0
		for _, part := range v.Parts {
			lines += markup.Lines(part.Code)
		}
		if v.Open = lines <= left; v.Open {
			left -= lines
		}
		all = append(all, v)
	}
	return all
}

// summarize counts the files and their lines.
func (v *changesView) summarize(n *netChange, s *sessionData) {
	all := metaFact{Strong: plural(len(n.files), "file", "files")}
	if n.added+n.removed > 0 {
		all.Text = page.Execute("partial/lines", page.PlusMinus(n.added, n.removed))
	}
	v.Facts = append(v.Facts, all)
	words := "of " + plural(n.edits, "edit", "edits")
	margin := template.HTML("in the margin: the call that wrote the line")
	if n.numbered() {
		margin = "#n in the margin: a call of prompt n wrote the line"
	}
	v.Facts = append(v.Facts, metaFact{Text: markup.Text(words)}, metaFact{Text: margin})
	if n.unknownAdded+n.unknownRemoved > 0 {
		v.Facts = append(v.Facts, metaFact{
			Text:  "by others " + page.Execute("partial/lines", page.PlusMinus(n.unknownAdded, n.unknownRemoved)),
			Title: "A command, a hook or a person did this between two calls: it is in the diffs, but in no other figure.",
		})
	}
	for i := range n.undone[:min(len(n.undone), maxUndone)] {
		v.Undone = append(v.Undone, clip(s.below(n.undone[i].Path), 160))
	}
	v.MoreUndone = unlisted(len(n.undone) - maxUndone)
}

// file draws the net diff of one file.
func (d *changesDrawer) file(f *changes.File) changedView {
	var v changedView
	v.Dir, v.Name = page.DisplayedPath(d.below(f.Path))
	v.Facts, v.Notes = d.facts(f), d.notes(f)
	parts := slices.Collect(diffsOf(f))
	plain := make([][]markup.Hunk, len(parts))
	size := 0
	for i, part := range parts {
		plain[i] = part.plain()
		size += patchSize(plain[i])
	}
	var ids map[string]bool
	all := d.fit(size, func(most int) int {
		v.Parts, ids = nil, make(map[string]bool)
		html := 0
		for i, part := range parts {
			if most <= 0 || len(part.hunks) == 0 {
				continue
			}
			drawn := d.part(f, part, cutPatch(plain[i], most), ids)
			most -= patchSize(plain[i])
			html += len(drawn.Code) + len(drawn.Gutter)
			for _, l := range drawn.Margin {
				html += 1 + len(l.ID) + len(l.Href) + 2*len(l.Title)
			}
			v.Parts = append(v.Parts, drawn)
		}
		return html
	})
	if !all {
		var text strings.Builder
		for _, hunks := range plain {
			text.WriteString(patchText(hunks))
		}
		v.FullText = d.fullText(text.String())
	}
	maps.Copy(d.ids, ids)
	for by := range causes(f) {
		if id := linesID(d.net.steps[by].Anchor); !d.ids[id] {
			d.ids[id] = true
			v.Lines = append(v.Lines, id)
		}
	}
	return v
}

// facts returns the facts on the row of a file.
func (d *changesDrawer) facts(f *changes.File) []page.Fact {
	var all []page.Fact
	label := func(is bool, words string) {
		if is {
			all = append(all, page.Fact{Text: words, Main: true})
		}
	}
	label(f.From != "", "renamed")
	label(f.Created(), "new")
	label(f.Gone(), "deleted")
	label(f.Binary, "binary")
	label(f.Large, "too large")
	all = append(all, page.Fact{Text: d.net.editWords(f)})
	if added, removed := f.ByCalls(); added+removed > 0 {
		all = append(all, page.PlusMinus(added, removed)...)
	}
	return all
}

// notes describes what is unknown about the changes of a file, and what others changed.
func (d *changesDrawer) notes(f *changes.File) []string {
	var all []string
	note := func(is bool, words string) {
		if is {
			all = append(all, words)
		}
	}
	note(f.From != "", "It was "+clip(d.below(f.From), 160)+" before.")
	note(f.Binary, "It is not text, so there is no diff.")
	note(f.Large, "It is too large to be compared.")
	unknown := 0
	for i := range f.Alone {
		if f.Alone[i].LinesUnknown() {
			unknown++
		}
	}
	switch {
	case unknown == len(f.Steps):
		note(unknown > 0, "The log does not show which lines changed.")
	case unknown == 1:
		note(true, "The log does not show which lines one of the edits changed.")
	default:
		note(unknown > 0, "The log does not show which lines "+count(unknown)+" of the edits changed.")
	}
	alone := len(f.Alone) > unknown
	switch {
	case f.Late:
		note(alone, "The log does not have the file as it was at first: what changed before its first text is shown by "+
			"itself.")
	case f.Begin == changes.Unclear:
		note(alone, "The log does not have the file as a whole: each change is shown by itself.")
	default:
		note(alone, "Somebody else wrote to the file in between: changes after that are shown by themselves.")
	}
	note(!f.Late && f.Begin == changes.Unclear && len(f.Net.Hunks) > 0,
		"The log has only those parts of the file that changed.")
	note(f.Late && len(f.Alone) == 0, "A command may have changed or removed it before the log first has its text: that "+
		"is not counted.")
	note(f.Altered, "A command may have changed it in the end: the log does not have its text after that.")
	var others []string
	for _, l := range page.LineFacts(f.Net.ForeignAdded, f.Net.ForeignRemoved) {
		others = append(others, l.Text)
	}
	note(others != nil, "No call of the log wrote the lines with ? ("+strings.Join(others, " ")+
		"): a command, a hook or a person did.")
	return all
}

// numbered reports whether a prompt led to one of the calls.
func (n *netChange) numbered() bool {
	for i := range n.files {
		for _, step := range n.files[i].Steps {
			if ofPrompt(&n.steps[step]) {
				return true
			}
		}
	}
	return false
}

// ofPrompt reports whether a call belongs to a prompt, and not to a command or to what comes before the first prompt.
func ofPrompt(s *changes.Step) bool { return s.Prompt > 0 && s.Command == "" }

// editWords counts the calls that changed a file, with their prompts: "6 edits in prompt 3". If some belong to none,
// it names no prompt.
func (n *netChange) editWords(f *changes.File) string {
	words := plural(len(f.Steps), "edit", "edits")
	first, last := n.steps[f.Steps[0]].Prompt, 0
	for _, i := range f.Steps {
		s := &n.steps[i]
		if !ofPrompt(s) {
			return words
		}
		first, last = min(first, s.Prompt), max(last, s.Prompt)
	}
	if first == last {
		return words + " in prompt " + count(last)
	}
	return words + " in prompts " + count(first) + "–" + count(last)
}

// stepWords names a call: "Edit in prompt 3".
func stepWords(s *changes.Step) string {
	words := clip(s.Tool, 40)
	if s.Agent != "" {
		words += " by an agent"
	}
	switch {
	case s.Command != "":
		words += " in " + clip(s.Command, 40)
	case ofPrompt(s):
		words += " in prompt " + count(s.Prompt)
	}
	return words
}

// part draws the first hunks of a diff, already cut, with a margin that names the calls.
func (d *changesDrawer) part(f *changes.File, of diffPart, shown []markup.Hunk, ids map[string]bool) changedPart {
	var part changedPart
	code, gutter := markup.Diff(shown, f.Path)
	part.Code, part.Gutter = markup.Runs(code), gutter
	if of.alone == nil {
		part.Margin = d.margin(of.hunks, shown, ids)
		return part
	}
	s := &d.net.steps[of.alone.Step]
	part.Call = &page.Link{Href: d.drawnHref(s.Anchor), Text: stepWords(s)}
	if of.hunks[0].OldStart+of.hunks[0].NewStart == 0 {
		part.Note, part.Gutter = "the log does not say where in the file", ""
	}
	if id := linesID(s.Anchor); !d.ids[id] && !ids[id] {
		ids[id], part.ID = true, id
	}
	return part
}

// margin returns one line for each line of the diff.
func (d *changesDrawer) margin(hunks []changes.Hunk, shown []markup.Hunk, ids map[string]bool) []marginLine {
	var all []marginLine
	for i := range shown {
		if i > 0 {
			all = append(all, marginLine{}) // between hunks
		}
		left, last := len(shown[i].Lines), changes.Begin
		for _, l := range hunks[i].Lines {
			if left == 0 {
				break
			}
			var m marginLine
			switch {
			case l.Sign == ' ':
				last = changes.Begin
			case l.Cause != last:
				m, last = d.marginLine(l.Cause, ids), l.Cause
			}
			all = append(all, m)
			if left--; l.NoEnd && left > 0 {
				all = append(all, marginLine{})
				left--
			}
		}
	}
	return all
}

// marginLine returns the margin of the first line of a call.
func (d *changesDrawer) marginLine(by changes.Writer, ids map[string]bool) marginLine {
	if by < 0 {
		return marginLine{Text: "?", Title: "by no call of the log"}
	}
	s := &d.net.steps[by]
	m := marginLine{Href: d.drawnHref(s.Anchor), Text: "#" + count(s.Prompt), Title: stepWords(s)}
	if !ofPrompt(s) {
		m.Text = "call"
	}
	if id := linesID(s.Anchor); !d.ids[id] && !ids[id] {
		ids[id], m.ID = true, id
	}
	return m
}
