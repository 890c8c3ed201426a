package listing

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"viewer/internal/insights"
	"viewer/internal/sitegen"
)

// TestListTable: a list fits into a terminal, and is complete elsewhere. Cached tokens are only shown if there is
// space, and other numbers make room for the title.
func TestListTable(t *testing.T) {
	sessions := []sitegen.Listed{
		{ID: "0badcafe-1111-4111-8111-111111111111", Short: "0badcafe-1", Project: "roof", Title: "A long title that goes on and on until no line holds it"},
		{ID: "0badcafe-2222-4111-8111-111111111111", Short: "0badcafe-2", Project: "work/a-name-of-some-length", Title: "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字"},
		{ID: "x", Project: "roof", Title: "short"},
	}
	for width, first := range map[int]string{
		0:   "0badcafe-1111-4111-8111-111111111111         0        0       0             roof                        A long title that goes on and on until no line holds it",
		138: "0badcafe-1         0        0       0             roof                        A long title that goes on and on until no line holds it",
		90:  "0badcafe-1         0        0             roof                        A long title that g…",
		70:  "0badcafe-1         0        0             roof      A long title that…",
		56:  "0badcafe-1         0              roof      A long titl…",
		40:  "0badcafe-1  roof      A long title that…",
		30:  "0badcafe-1  roof      A long …",
	} {
		table := Table(sessions, width)
		lines := strings.Split(table, "\n")
		if lines[1] != first {
			t.Errorf("%d columns: got\n%q\nwant\n%q", width, lines[1], first)
		}
		for _, line := range lines {
			if n := ansi.StringWidth(line); width > 0 && n > width {
				t.Errorf("%d columns: a line has %d: %q", width, n, line)
			}
		}
	}
}

// TestGroupTable: a group of sessions of several projects does not name one of them.
func TestGroupTable(t *testing.T) {
	sessions := []sitegen.Listed{
		{ID: "a", Agent: "codex", Project: "roof"}, {ID: "b", Agent: "codex", Project: "pump"},
		{ID: "c", Agent: "codex", Project: "roof"}, {ID: "d", Agent: "pi", Project: "roof"},
	}
	table := GroupTable(Groups(sessions, ByAgent), ByAgent, 0)
	for _, want := range []string{" 2 projects  codex\n", " roof        pi\n"} {
		if !strings.Contains(table, want) {
			t.Errorf("%q is not in the table:\n%s", want, table)
		}
	}
}

// TestContextAdded: requests have the mean of what they add to the context, not the sum.
func TestContextAdded(t *testing.T) {
	row := insights.Row{Kind: insights.ContextAdded, Name: "a request", Count: 1, Tokens: 1500}
	x := Count([]sitegen.Listed{{Insights: insights.Session{Rows: []insights.Row{row, row}}}})
	if got := x.Overview(10); !strings.Contains(got, "mean 1.5k  a request\n") {
		t.Errorf("the mean is not in the overview:\n%s", got)
	}
}
