package tools

import (
	"strings"

	"viewer/internal/fields"
	"viewer/internal/words"
)

// overlong reports whether texts have too many lines to be compared: a diff takes ten times their size in memory.
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

// diffOf returns the diff of a change among several, below its path.
func (c *Call) diffOf(ch Change) Section {
	label := c.Short(ch.Path)
	switch {
	case ch.OldPath != "":
		label = c.Short(ch.OldPath) + " → " + label
	case ch.Created:
		label += ", new"
	case ch.Deleted:
		label += ", deleted"
	}
	if len(ch.Hunks) == 0 {
		return Section{Shape: Note, Text: label}
	}
	return Section{Shape: Diff, Hunks: ch.Hunks, Lang: ch.Path, Label: label}
}

// changed adds a change, and its numbers of lines as facts.
func (c *Call) changed(ch Change) {
	ch.count()
	c.Changes = append(c.Changes, ch)
	c.lines(ch.Added, ch.Removed)
}

func (c *Call) lines(added, removed int) { c.Facts = append(c.Facts, lineFacts(added, removed)...) }

// lineFacts returns the facts of an edit.
func lineFacts(added, removed int) []Fact {
	var all []Fact
	if added > 0 || removed == 0 {
		all = append(all, Fact{Text: "+" + words.Count(added), Tone: Added, Main: true})
	}
	if removed > 0 {
		all = append(all, Fact{Text: "−" + words.Count(removed), Tone: Removed, Main: true})
	}
	return all
}
