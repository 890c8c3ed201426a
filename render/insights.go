package render

import (
	"slices"

	"viewer/internal/insights"
)

// Insights counts a session without drawing it.
func (b *Book) Insights() insights.Session { return b.b.insights(b.b.data.net().listed(b.b.data)) }

// insights counts the session. Places are pages with anchors, below its folder.
func (b *book) insights(files []ChangedFile) insights.Session {
	all := insights.Of(b.Conversation, b.data.tally)
	for i := range all.Rows {
		r := &all.Rows[i]
		if r.Place != "" {
			r.Place = b.data.place(r.Place)
		}
	}
	var undone []insights.Row
	for i := range files {
		if f := &files[i]; f.Undone && len(undone) < mostUndone {
			undone = append(undone, insights.Row{
				Kind: insights.Undone, Name: clip(f.Path, 120), Count: f.Calls, Place: f.Page,
			})
		}
	}
	all.Rows = append(append(all.Rows, undone...), b.noteRows()...)
	slices.SortStableFunc(all.Rows, func(a, b insights.Row) int { return int(a.Kind) - int(b.Kind) })
	return all
}

// mostUndone is how many files of a session are listed of which nothing is left.
const mostUndone = 30

// place returns the address of an anchor below the folder of the session, "" where no page has it.
func (s *sessionData) place(anchor string) string {
	if page := s.anchorPages[anchor]; page != "" {
		return page + "#" + anchor
	}
	return ""
}
