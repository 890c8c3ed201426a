package export

import (
	"strings"
	"testing"

	"viewer/internal/tools"
	"viewer/normalize"
)

// TestRemarksOfEnd: a call says with which exit code its command ended, also if that was after the call.
func TestRemarksOfEnd(t *testing.T) {
	for _, c := range []struct {
		exit  string
		state normalize.State
		want  string
	}{
		{"2", normalize.Done, "exit 2"}, {"2", normalize.Failed, "exit 2"}, {"", normalize.Failed, "failed"},
		{"", normalize.Done, ""},
	} {
		call := tools.DescribeInput("exec_command", []byte(`{"cmd":"make"}`), "")
		call.Exit = c.exit
		if got := strings.Join(remarks(call, c.state), ", "); got != c.want {
			t.Errorf("exit code %q, %s: got %q, want %q", c.exit, c.state, got, c.want)
		}
	}
}

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
