package export

import (
	"strings"
	"testing"

	"viewer/internal/transcript"
)

// TestLinesAreNotMarkup: a line outside of a <summary> is Markdown, so a name, a command or a text in it must not be.
func TestLinesAreNotMarkup(t *testing.T) {
	c := read(
		`{"type":"user","uuid":"u1","message":{"content":"a"}}`,
		"{\"type\":\"assistant\",\"uuid\":\"u2\",\"message\":{\"id\":\"m\",\"content\":[{\"type\":\"tool_use\",\"id\":\"t\","+
			"\"name\":\"__look__\",\"input\":{\"command\":\"ls *.go `*` ![x](http://example.org/x)\"}}]}}",
		`{"type":"user","uuid":"u3","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]}}`,
		`{"type":"system","subtype":"informational","uuid":"u4","content":"![x](http://example.org/x) *y*"}`)
	data, err := Markdown(Session{Conversation: c}, Options{Level: Everything, Calls: CallRows})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"🔧 **\\_\\_look\\_\\_** ``ls *.go `*` ![x](http://example.org/x)``\n",
		"ℹ️ informational: !\\[x\\](http://example.org/x) \\*y\\*\n",
	} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%q is not in\n%s", want, data)
		}
	}
}

// TestAddedToResults: what the program added to the output of a call is written with everything, and only then.
func TestAddedToResults(t *testing.T) {
	c := read(
		`{"type":"user","uuid":"u1","message":{"content":"a"}}`,
		`{"type":"assistant","uuid":"u2","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Read",`+
			`"input":{"file_path":"/a"}}]}}`,
		`{"type":"user","uuid":"u3","message":{"content":[{"type":"tool_result","tool_use_id":"t",`+
			`"content":"tide\n\n<system-reminder>\nMind the rocks.\n</system-reminder>"}]}}`)
	for name, write := range map[string]func(Session, Options) ([]byte, error){"Markdown": Markdown, "text": Text} {
		for level, want := range map[Level]int{Tools: 0, Everything: 1} {
			data, err := write(Session{Conversation: c}, Options{Level: level})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(string(data), "Mind the rocks."); got != want {
				t.Errorf("%s, level %d: the reminder is written %d times, want %d", name, level, got, want)
			}
		}
	}
}

// TestEndWords: a run that failed says so, also if its subtype is that of a success.
func TestEndWords(t *testing.T) {
	for in, want := range map[string]string{
		`{"type":"result","subtype":"success","num_turns":9,"total_cost_usd":0.35}`: "success, 9 turns, $0.35",
		`{"type":"result","subtype":"success","is_error":true,"num_turns":1}`:       "failed, 1 turn",
		`{"type":"result","subtype":"error_max_turns","is_error":true}`:             "error max turns",
	} {
		if got := endWords(&transcript.Record{Raw: []byte(in)}); got != want {
			t.Errorf("%s: got %q, want %q", in, got, want)
		}
	}
}
