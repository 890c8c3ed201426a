package render

import (
	"fmt"
	"strings"
	"testing"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestTaskLists: what is drawn of the lists does not grow with the square of their changes.
func TestTaskLists(t *testing.T) {
	const changes = 1000
	var b strings.Builder
	for i := range changes {
		fmt.Fprintf(&b, `{"type":"assistant","uuid":"%08d-aaaa-4111-8111-111111111111","message":{"id":"m%[1]d","role":"assistant","content":[{"type":"tool_use","id":"t%[1]d","name":"TaskCreate","input":{"subject":"do %[1]d"}}]}}`+"\n", i)
	}
	main := transcript.Read("in.jsonl", []byte(b.String()))
	c := normalize.Build(normalize.Input{ID: "case", Main: &main})
	board, listed := taskBoard{}, 0
	board.follow(c)
	for g := range c.Groups() {
		state := board[g]
		list := state.list()
		if len(list)+state.earlier != len(state.tasks) || len(list) < min(fewTasks, len(state.tasks)) {
			t.Fatalf("of %d tasks %d are listed and %d said to stand before them", len(state.tasks), len(list),
				state.earlier)
		}
		listed += len(list)
	}
	if most := mostListed + mostTasks + changes*fewTasks; len(board) != changes || listed > most {
		t.Errorf("%d changes list %d tasks, want %d at most", len(board), listed, most)
	}
}
