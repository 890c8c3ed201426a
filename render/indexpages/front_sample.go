package indexpages

import (
	"viewer/render"
	"viewer/render/page"
)

// invitation is the text on the first page of the sample: what to look at, and how to build a site of your own
// sessions.
type invitation struct {
	Why, Command string
	Tries        []page.Link // a link, and a note on what it shows
}

// invite links the sessions of the sample; it is nil for any other site.
func (f frontPage) invite() *invitation {
	if f.Sample == "" || f.project != nil {
		return nil
	}
	v := &invitation{Why: f.Sample, Command: "viewer build ~/.claude/projects -o site"}
	try := func(s *render.Summary, place, note string) {
		v.Tries = append(v.Tries, page.Link{Href: f.root + place, Text: s.Title, Note: note})
	}
	has := func(is func(*render.Summary) bool) *render.Summary {
		for _, s := range f.sessions {
			if summary := f.List.summary(s); is(summary) {
				return summary
			}
		}
		return nil
	}
	if s := has(func(s *render.Summary) bool { return s.Outcome.Commits > 0 }); s != nil {
		try(s, s.Path(), "what was asked, how it ended, what it changed and cost")
	}
	if s := has(func(s *render.Summary) bool { return s.Totals.Agents > 0 }); s != nil {
		try(s, s.Path(), "an agent inside of its call, and where the context was compacted")
	}
	if s := has(func(s *render.Summary) bool { return s.Failure != "" }); s != nil {
		try(s, "s/"+s.Folder+"/"+s.Failure, "a call that failed, with its output and what the model did then")
	}
	return v
}
