package tools

import (
	"fmt"
	"strings"
	"testing"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestTaskLists: the size of the drawn lists does not grow with the square of the number of changes.
func TestTaskLists(t *testing.T) {
	const changes = 1000
	var b strings.Builder
	for i := range changes {
		fmt.Fprintf(&b, `{"type":"assistant","uuid":"%08d-aaaa-4111-8111-111111111111","message":{"id":"m%[1]d","role":"assistant","content":[{"type":"tool_use",`+
			`"id":"t%[1]d","name":"TaskCreate","input":{"subject":"do %[1]d"}}]}}`+"\n", i)
	}
	main := transcript.Read("in.jsonl", []byte(b.String()))
	c := normalize.Build(normalize.Input{ID: "case", Main: &main})
	board, listed := TasksOf(c), 0
	for g := range c.Groups() {
		state := board[g]
		list := state.list()
		if len(list)+state.Earlier != len(state.Tasks) || len(list) < min(fewTasks, len(state.Tasks)) {
			t.Fatalf("of %d tasks got %d listed and %d counted before them",
				len(state.Tasks), len(list), state.Earlier)
		}
		listed += len(list)
	}
	if most := maxListed + maxTasks + changes*fewTasks; len(board) != changes || listed > most {
		t.Errorf("%d changes list %d tasks, want at most %d", len(board), listed, most)
	}
}
