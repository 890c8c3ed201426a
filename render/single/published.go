package single

import (
	"time"

	"viewer/internal/words"
	"viewer/render/page"
)

// A Published is a session in a self-contained list.
type Published struct {
	Page    string // where its page is
	Title   string
	Project string
	Start   time.Time // zero if unknown
}

type publishedView struct {
	Head     page.Head
	Count    string
	Sessions []publishedRow
}

type publishedRow struct{ Page, Title, Project, Began string }

// DrawPublished draws a list of sessions, in this order, as one self-contained file.
func DrawPublished(sessions []Published, generator string) []byte {
	v := publishedView{
		Head:  page.NewHead("page-index", "Sessions", generator, "", []page.Link{{Text: "Sessions"}}),
		Count: words.Plural(len(sessions), "session", "sessions"),
	}
	v.Head.Policy = page.Policy()
	for _, s := range sessions {
		row := publishedRow{Page: s.Page, Title: s.Title, Project: s.Project}
		if !s.Start.IsZero() {
			row.Began = s.Start.UTC().Format("2006-01-02 15:04 UTC")
		}
		v.Sessions = append(v.Sessions, row)
	}
	return append(inlineAssets(page.Draw(nil, "page/published", v)), '\n')
}
