package compare

import (
	"fmt"
	"strings"
	"testing"

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
