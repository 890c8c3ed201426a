package indexpages

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"viewer/internal/testing/htmlcheck"
)

// TestSubtotals draws the costs of branches and pull requests of a project.
func TestSubtotals(t *testing.T) {
	const one, two = "https://github.com/a/b/pull/1", "https://github.com/a/c/pull/1"
	sessions := manySessions(5, 1, time.Hour) // they cost 0.5, 0.4, ... 0.1 dollars
	for i, branch := range []string{"fix", "main", "fix", "", "<b>"} {
		sessions[i].Branch = branch
	}
	sessions[0].Outcome.PullRequests, sessions[1].Outcome.PullRequests = []string{one}, []string{one, two}
	site, _ := drawnSite(t, Site{Sessions: sessions, Generator: "viewer test"})
	htmlcheck.Site(t, site)
	if got := subtotalsOf(site["index.html"].Data, "page-branches"); got != nil {
		t.Errorf("the first page of the site has the subtotals %q, want none", got)
	}
	page := site["p/project-0/index.html"].Data
	for _, c := range []struct {
		id   string
		want []string
	}{
		{"page-branches", []string{"fix $0.80 Session 5, Session 3", "main $0.40 Session 4",
			"&lt;b&gt; $0.10 Session 1", "none $0.20 Session 2"}},
		{"page-pulls", []string{"github.com/a/b/pull/1 $0.90 Session 5, Session 4",
			"github.com/a/c/pull/1 $0.40 Session 4", "none $0.60 Session 3, Session 2, Session 1"}},
	} {
		if got := subtotalsOf(page, c.id); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.id, got, c.want)
		}
	}

	for i := range sessions {
		sessions[i].Branch, sessions[i].Outcome.PullRequests = "main", nil
	}
	sessions[0].Branch = ""
	site, _ = drawnSite(t, Site{Sessions: sessions})
	for _, id := range []string{"page-branches", "page-pulls"} {
		if got := subtotalsOf(site["p/project-0/index.html"].Data, id); got != nil {
			t.Errorf("a project with one branch and no pull request has %s: %q, want none", id, got)
		}
	}
}

// subtotalsOf returns name, cost and sessions of each row of a table of subtotals.
func subtotalsOf(page []byte, id string) (rows []string) {
	_, table, found := strings.Cut(string(page), fmt.Sprintf("<details id=%q>", id))
	if !found {
		return nil
	}
	table, _, _ = strings.Cut(table, "</tbody>")
	for _, row := range strings.Split(table, "<tr>")[2:] {
		var cells []string
		for _, cell := range strings.Split(strings.ReplaceAll(row, "</th>", "</td>"), "</td>") {
			text := ""
			for i, part := range strings.Split(cell, "<") {
				if _, after, ok := strings.Cut(part, ">"); ok && i > 0 {
					text += after
				}
			}
			cells = append(cells, text)
		}
		rows = append(rows, cells[0]+" "+cells[1]+" "+cells[6])
	}
	return rows
}
