package tools

import (
	"strings"

	"viewer/internal/fields"
	"viewer/internal/markup"
	"viewer/internal/transcript"
	"viewer/internal/words"
)

// A patchHunk is a hunk of structuredPatch (format, section 10).
type patchHunk struct {
	OldStart, NewStart fields.Number
	Lines              []fields.Text
}

// editResult is what the results of tools that change text files have in common.
type editResult struct {
	StructuredPatch []patchHunk
	OriginalFile    *fields.Text // transcript leaves out a long one, see its unread.go
	UserModified    fields.Bool
	OldString       fields.Ignored
	NewString       fields.Ignored
}

// hunks takes the patch of the log, which has the real line numbers; without one it compares the texts.
func hunks(patch []patchHunk, edits ...[2]string) []markup.Hunk {
	var all []markup.Hunk
	for _, p := range patch {
		h := markup.Hunk{OldStart: int(p.OldStart), NewStart: int(p.NewStart)}
		for _, l := range p.Lines {
			h.Lines = append(h.Lines, string(l))
		}
		all = append(all, h)
	}
	if len(all) > 0 {
		return all
	}
	for _, e := range edits {
		all = append(all, markup.Edits(e[0], e[1])...)
	}
	return all
}

// overlong says that texts have more lines than are compared: what a diff is made of takes ten times their size.
func overlong(texts ...string) bool {
	n := 0
	for _, t := range texts {
		n += strings.Count(t, "\n")
	}
	return n > fields.Most
}

// count counts the lines that hunks add and remove.
func (ch *Change) count() {
	for _, h := range ch.Hunks {
		for _, l := range h.Lines {
			switch {
			case strings.HasPrefix(l, "+"):
				ch.Added++
			case strings.HasPrefix(l, "-"):
				ch.Removed++
			}
		}
	}
}

// changed adds a change and says its lines.
func (c *Call) changed(ch Change) {
	ch.count()
	c.Changes = append(c.Changes, ch)
	c.lines(ch.Added, ch.Removed)
}

func (c *Call) lines(added, removed int) { c.Facts = append(c.Facts, Lines(added, removed)...) }

// Lines are the facts of an edit.
func Lines(added, removed int) []Fact {
	var all []Fact
	if added > 0 || removed == 0 {
		all = append(all, Fact{Text: "+" + words.Count(added), Tone: Added, Main: true})
	}
	if removed > 0 {
		all = append(all, Fact{Text: "−" + words.Count(removed), Tone: Removed, Main: true})
	}
	return all
}

// original is the file as it was before, where the log has all of it.
func (r editResult) original() *string {
	if r.OriginalFile == nil {
		return nil
	}
	s := string(*r.OriginalFile)
	if transcript.LeftOut(s) {
		return nil
	}
	return &s
}
