package normalize

import (
	"slices"
	"testing"

	"viewer/internal/transcript"
)

func TestResultText(t *testing.T) {
	for _, c := range []struct{ wrapped, text, reminder string }{
		{"", "", ""},
		{"as it is\n", "as it is\n", ""},
		{"<tool_use_error>File does not exist.</tool_use_error>", "File does not exist.", ""},
		{"<tool_use_error>One\nTwo</tool_use_error>\n", "One\nTwo", ""},
		{"said <tool_use_error>inside</tool_use_error>", "said <tool_use_error>inside</tool_use_error>", ""},
		{"text\n\n<system-reminder>\nBe careful.\n</system-reminder>\n", "text", "Be careful."},
		{"<tool_use_error>No</tool_use_error>\n<system-reminder>Go on</system-reminder>", "No", "Go on"},
		{"a <system-reminder> in a text</system-reminder> that goes on", "a <system-reminder> in a text</system-reminder> that goes on", ""},
		{"<system-reminder>not closed", "<system-reminder>not closed", ""},
	} {
		if text, reminder := ResultText(c.wrapped); text != c.text || reminder != c.reminder {
			t.Errorf("ResultText(%q) = %q, %q, want %q, %q", c.wrapped, text, reminder, c.text, c.reminder)
		}
	}
}

// TestStructured: a record has one structured result, however many results it has. It belongs to the first one, as what
// the server added. Other members belong to the first block of each type.
func TestStructured(t *testing.T) {
	f := transcript.Read("in.jsonl",
		[]byte(`{"type":"user","toolUseResult":{"a":1},"mcpMeta":{"b":2},"error":"lost","message":{"content":[`+
			`{"type":"text","text":"x"},{"type":"tool_result","tool_use_id":"t1"},`+
			`{"type":"tool_result","tool_use_id":"t2"}]}}`))
	var got []string
	for _, m := range Split(pointers(f.Records)) {
		got = append(got, string(m.Structured())+string(m.ServerMeta())+string(m.Member("error")))
	}
	if want := []string{`{"a":1}{"b":2}"lost"`, `{"a":1}{"b":2}"lost"`, ""}; !slices.Equal(got, want) {
		t.Errorf("structured results %q, want %q", got, want)
	}
}
