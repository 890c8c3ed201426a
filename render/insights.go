package render

import (
	"slices"

	"viewer/internal/insights"
)

// Insights counts a session without drawing it.
func (b *Pages) Insights() insights.Session { return b.b.insights(b.b.data.net().listed(b.b.data)) }

// insights counts the session. Places are pages with anchors, relative to its folder.
func (b *pagesData) insights(files []ChangedFile) insights.Session {
	all := insights.Of(b.Conversation, b.data.tally)
	for i := range all.Rows {
		all.Rows[i].Place = b.data.place(all.Rows[i].Place)
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

// mostUndone is the maximum number of listed files without a net change.
const mostUndone = 30

// place returns the address of an anchor relative to the folder of the session, "" if it is on no page.
func (s *sessionData) place(anchor string) string {
	if page := s.anchorPages[anchor]; page != "" {
		return page + "#" + anchor
	}
	return ""
}
