package export

import (
	"testing"

	"viewer/normalize"
)

// TestTextContexts: what was attached to a prompt has its kind, unless there is no name for it.
func TestTextContexts(t *testing.T) {
	var w writer
	w.contexts(&normalize.Message{Contexts: []normalize.Context{
		{Kind: normalize.ContextFile, Label: "tide.go"},
		{Kind: normalize.ContextOther, Name: "chart", Label: "Brest"},
		{Kind: normalize.ContextOther, Label: "sent with the prompt"},
	}})
	const want = "[file: tide.go]\n[chart: Brest]\n[sent with the prompt]\n"
	if got := w.b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
