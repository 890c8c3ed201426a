package render

import (
	"strings"

	"viewer/internal/markup"
	"viewer/internal/outcome"
)

// An Outcome describes how a session ended, for lists. See docs/reading.md for the rules.
type Outcome struct {
	Mark          outcome.Mark
	Asked         string // the first sentence of the first prompt, one line; "" for none
	Heading, Text string // heading and first sentences of the last answer, or the recap after it; one line each

	Commits      int
	PullRequests []string // addresses, http or https

	Files, Added, Removed        int    // net: files that have changed in the end, and lines by calls
	UnknownAdded, UnknownRemoved int    // lines in these files that others added and removed
	Changes                      string // address of their diffs, relative to the folder of the session; "" for none
}

// Line returns Heading and Text as one line.
func (o *Outcome) Line() string { return outcome.Sentence(o.Heading, o.Text) }

// Net describes the net change: "3 files +116 −17".
func (o *Outcome) Net() string { return netWords(o.Files, o.Added, o.Removed) }

// maxPullRequests is the maximum number of pull requests of a session in lists.
const maxPullRequests = 20

// summaryOutcome returns the outcome for lists. It must be called after all pages are drawn.
func (b *pagesData) summaryOutcome() Outcome {
	f := b.outcome()
	o := Outcome{Mark: f.Mark, Asked: own(f.Asked), Heading: own(f.Heading), Text: own(f.Text), Commits: len(f.Commits)}
	for _, pr := range f.PullRequests {
		if len(o.PullRequests) < maxPullRequests && markup.Link(pr.URL) != "" && len(pr.URL) < 300 {
			o.PullRequests = append(o.PullRequests, own(pr.URL))
		}
	}
	n := b.data.net()
	o.Files, o.Added, o.Removed = len(n.files), n.added, n.removed
	o.UnknownAdded, o.UnknownRemoved, o.Changes = n.unknownAdded, n.unknownRemoved, n.home
	return o
}

// own copies a text, so that the memory of the session can be freed.
func own(s string) string { return strings.Clone(s) }
