package compare

import (
	"fmt"
	"strings"
	"testing"

	"viewer/internal/export"
	"viewer/internal/words"
)

// TestMarkdown: the table stays within its limits of bytes, rows and columns, and says what was left out.
func TestMarkdown(t *testing.T) {
	var runs []Run
	for i := range 1100 {
		runs = append(runs, Run{
			Asked: fmt.Sprintf("task %04d", i), AskedKey: fmt.Sprint(i), Turns: 1,
			Models: []string{fmt.Sprintf("m%02d", i%25)},
		})
	}
	c := Comparison{Runs: runs, Matrix: NewMatrix(runs, ByModel, ByTask)}
	none := func(*Run) string { return "" }
	for _, limit := range []int{0, 70, 500, 2000, 30_000, 1 << 20} {
		text := string(c.Markdown(limit, none))
		if len(text) > limit {
			t.Errorf("got %d bytes, want at most %d", len(text), limit)
		}
		rows := strings.Count(text, "\n| task ") - 1
		want := fmt.Sprintf("cut: %s tasks and 5 columns left out", words.Count(1100-rows))
		if rows > 0 && !strings.Contains(text, want) {
			t.Errorf("limit %d: got %d rows without the number of the others", limit, rows)
		}
		if limit == 1<<20 && rows != maxTableTasks {
			t.Errorf("got %d rows, want %d", rows, maxTableTasks)
		}
		if limit == 70 && !strings.Contains(text, "left out") {
			t.Errorf("without space the text is %q, want that the table was left out", text)
		}
	}
}

// TestUnknownCost: beside other figures an unknown cost says of what it is, and a model without a name has none.
func TestUnknownCost(t *testing.T) {
	runs := []Run{
		{Asked: "dive", AskedKey: "1", Turns: 6, Models: []string{"tern"}, Spent: export.Spent{Unpriced: []string{"tern"}}},
	}
	c := Comparison{Runs: runs, Matrix: NewMatrix(runs, ByModel, ByTask)}
	table := string(c.Markdown(1<<20, func(*Run) string { return "" }))
	if want := " · cost unknown · 6 turns |"; !strings.Contains(table, want) {
		t.Errorf("the table lacks %q:\n%s", want, table)
	}
	r := Run{Spent: export.Spent{CostUSD: 2, Unpriced: []string{"tern", export.ModelName("")}}}
	if _, note := r.Cost(); note != "without tern, an unnamed model" {
		t.Errorf("the note is %q", note)
	}
}
