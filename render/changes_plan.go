package render

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"viewer/internal/changes"
	"viewer/internal/markup"
)

// A changesPlan assigns the net diffs of a session to pages: its first page if they are short, else separate pages.
type changesPlan struct {
	home   string            // address of the first of them, below the folder of the session; "" when there are none
	pages  [][2]int          // the first file of each page and that after its last; empty if all are on the first page
	places []string          // the address of each file
	lines  map[string]string // address of the lines of a call that changed a file, by its anchor; "" if none is left
}

// inlineChanges is the id of the changes on the first page.
const inlineChanges = "page-changes"

// planChanges makes a plan from the sizes of the diffs.
func (b *pagesData) planChanges(n *netChange) changesPlan {
	p := changesPlan{lines: make(map[string]string)}
	total := 0
	weights := make([]int, len(n.files))
	for i := range n.files {
		weights[i] = changesWeight(&n.files[i])
		total += weights[i]
	}
	isInline := b.single || total <= maxInline
	from, weight := 0, 0
	for i := range n.files {
		if weight += weights[i]; !isInline && weight > pageFull && i > from {
			p.pages = append(p.pages, [2]int{from, i})
			from, weight = i, weights[i]
		}
		name := changesName(len(p.pages))
		if isInline {
			name = pageName(nil, 0)
		}
		p.place(n, i, name)
	}
	for i := range n.undone {
		p.noteCalls(n, &n.undone[i], "", "")
	}
	switch {
	case len(n.files) == 0:
	case isInline:
		p.home = pageName(nil, 0) + "#" + inlineChanges
	default:
		p.pages = append(p.pages, [2]int{from, len(n.files)})
		p.home = changesName(0) + "#main"
	}
	return p
}

// changesName returns the name of page i of the changes, from 0.
func changesName(i int) string {
	if i == 0 {
		return "changes.html"
	}
	return fmt.Sprintf("changes-%d.html", i+1)
}

// place records the page of a file, and the places of the lines of its calls.
func (p *changesPlan) place(n *netChange, i int, page string) {
	f := &n.files[i]
	sum := sha256.Sum256([]byte(f.Path))
	id := "f-" + hex.EncodeToString(sum[:5])
	for j := i - 1; j >= 0 && n.files[j].Path == f.Path; j-- { // a renamed file, and another one with its name
		id += "-"
	}
	p.places = append(p.places, page+"#"+id)
	p.noteCalls(n, f, page, id)
}

// noteCalls records where the lines of the calls are that changed a file: in the first file that has any.
func (p *changesPlan) noteCalls(n *netChange, f *changes.File, page, id string) {
	hasLines := false
	for by := range causes(f) {
		hasLines = true
		if anchor := n.steps[by].Anchor; p.lines[anchor] == "" {
			p.lines[anchor] = page + "#" + linesID(anchor)
		}
	}
	for i := range f.Alone {
		if a := &f.Alone[i]; a.LinesUnknown() && p.lines[n.steps[a.Step].Anchor] == "" {
			p.lines[n.steps[a.Step].Anchor] = page + "#" + id
		}
	}
	for _, step := range f.Steps {
		anchor := n.steps[step].Anchor
		if id == "" && !n.steps[step].Writes() { // that nothing is left of a removal says nothing
			continue
		}
		if p.lines[anchor] == "" {
			p.lines[anchor] = ""
			if !hasLines && id != "" {
				p.lines[anchor] = page + "#" + id
			}
		}
	}
}

// linesID returns the id of the first line of a call.
func linesID(anchor string) string { return "by-" + anchor }

// causes returns the calls with lines in the diffs of a file, each once, in the order of the page.
func causes(f *changes.File) func(yield func(changes.Writer) bool) {
	return func(yield func(changes.Writer) bool) {
		known := make(map[changes.Writer]bool)
		for part := range diffsOf(f) {
			for i := range part.hunks {
				for _, l := range part.hunks[i].Lines {
					if l.Sign == ' ' || l.Cause < 0 || known[l.Cause] {
						continue
					}
					known[l.Cause] = true
					if !yield(l.Cause) {
						return
					}
				}
			}
		}
	}
}

// A diffPart is the net diff of a file, or a change that is self-contained.
type diffPart struct {
	hunks []changes.Hunk
	alone *changes.Alone // nil for the net diff
}

// plain returns the hunks without the writers of their lines.
func (p diffPart) plain() []markup.Hunk {
	all := make([]markup.Hunk, len(p.hunks))
	for i := range p.hunks {
		h := &p.hunks[i]
		all[i] = markup.Hunk{OldStart: h.OldStart, NewStart: h.NewStart, Lines: make([]string, 0, len(h.Lines))}
		for _, l := range h.Lines {
			all[i].Lines = append(all[i].Lines, string(l.Sign)+l.Text)
			if l.NoEnd {
				all[i].Lines = append(all[i].Lines, noEnd)
			}
		}
	}
	return all
}

// noEnd follows a last line without newline in patches.
const noEnd = `\ No newline at end of file`

// diffsOf returns the diffs of a file, in the order of the page.
func diffsOf(f *changes.File) func(yield func(diffPart) bool) {
	return func(yield func(diffPart) bool) {
		for _, early := range []bool{true, false} {
			for i := range f.Alone {
				if a := &f.Alone[i]; a.Early == early && !yield(diffPart{a.Hunks, a}) {
					return
				}
			}
			if early && !yield(diffPart{f.Net.Hunks, nil}) {
				return
			}
		}
	}
}

// changesWeight estimates the bytes of HTML that a file becomes.
func changesWeight(f *changes.File) int {
	const frame, call, line = 900, 130, 26
	w := frame
	for part := range diffsOf(f) {
		text, lines := 0, 0
		for i := range part.hunks {
			last := changes.Begin
			for _, l := range part.hunks[i].Lines {
				text += len(l.Text) + 1
				lines += line
				if l.Sign != ' ' && l.Cause != last {
					w += call
				}
				last = l.Cause
			}
		}
		if text > maxText {
			lines, text = lines*excerptText/text, excerptText
		}
		w += lines + 2*text
	}
	return w
}
