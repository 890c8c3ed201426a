package mcp

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"viewer/internal/search"
	"viewer/internal/sitedata"
)

type searchInput struct {
	Query  string `json:"query" jsonschema:"words, and filters as on the pages: kind:prompt tool:Edit is:error path:src agent:codex project:x after:2026-07-01"`
	Limit  int    `json:"limit,omitempty" jsonschema:"at most this many messages, 1 to 100; 10 without it"`
	Cursor string `json:"cursor,omitempty" jsonschema:"where to continue a longer answer"`
}

func (in searchInput) cursor() string { return in.Cursor }

const (
	usualHits = 10
	maxHits   = 100
	excerpt   = 240 // bytes of a message shown for a hit
)

// find returns a paragraph for each session with a hit, the best first.
func (o Options) find(v *sitedata.View, in searchInput) (string, error) {
	limit := cmp.Or(in.Limit, usualHits)
	if limit < 1 || limit > maxHits {
		return "", fmt.Errorf("limit %d is invalid: 1 to %d", in.Limit, maxHits)
	}
	q := search.ParseQuery(in.Query, search.Options{})
	if q.Empty() {
		return "", errors.New("the query contains no word to search for")
	}
	if err := q.Check(); err != nil {
		return "", err
	}
	for _, name := range q.Agents() {
		if _, err := o.Agent(name); err != nil {
			return "", fmt.Errorf("agent: %w", err)
		}
	}
	found, err := v.Index.Find(q, limit)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	switch {
	case len(found.Groups) == 0:
		b.WriteString("nothing found\n")
	case found.Partial:
		b.WriteString("no message has all words; best match\n")
	}
	for _, near := range found.Near {
		fmt.Fprintf(&b, "%q is in no session", near.Word)
		if len(near.Terms) > 0 {
			fmt.Fprintf(&b, "; near: %s", strings.Join(near.Terms, ", "))
		}
		b.WriteString("\n")
	}
	for _, key := range q.Unknown() {
		fmt.Fprintf(&b, "%q is not a filter: it was searched for as a word\n", key)
	}
	for _, g := range found.Groups {
		if limit == 0 {
			break
		}
		fmt.Fprintf(&b, "\nsession %s · %s · %s\n", idOf(v, g.Session.Folder), oneLine(g.Session.Project, 80),
			oneLine(g.Session.Title, 160))
		for _, h := range g.Hits {
			if limit == 0 {
				break
			}
			limit--
			fmt.Fprintf(&b, "  %s%s\n", heading(&h.StoredDocument), around(&h))
		}
	}
	return b.String(), nil
}

// idOf returns the id of the session with a folder.
func idOf(v *sitedata.View, folder string) string {
	if id, ok := v.ID(folder); ok {
		return id
	}
	return folder // the folder names it, too
}

// around returns the text around the first match.
func around(h *search.Hit) string {
	from := 0
	if len(h.Spans) > 0 {
		from = max(0, min(h.Spans[0].Start-60, len(h.Text)))
	}
	for from > 0 && h.Text[from-1] != ' ' && h.Text[from-1] != '\n' {
		from--
	}
	if from == 0 {
		return oneLine(body(&h.StoredDocument), excerpt)
	}
	return "… " + oneLine(h.Text[from:], excerpt)
}
