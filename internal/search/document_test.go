package search

import (
	"strings"
	"testing"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// What is found in a result is what its page shows: not what is wrapped around it, which would be hits of
// "error" in every call that failed, on pages where there is nothing to see.
func TestResultAsShown(t *testing.T) {
	f := transcript.Read("s.jsonl", []byte(`{"type":"assistant","uuid":"00000001-aaaa-4111-8111-111111111111","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Read","input":{"file_path":"/home/mara/oven.go"}}]}}
{"type":"user","uuid":"00000002-aaaa-4111-8111-111111111111","parentUuid":"00000001-aaaa-4111-8111-111111111111","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","is_error":true,"content":"<tool_use_error>File does not exist.</tool_use_error>\n\n<system-reminder>\nBe careful.\n</system-reminder>"}]}}
`))
	c := normalize.Build(normalize.Input{ID: "s", Main: &f})
	said := ""
	for u := range Units(Session{Conversation: c, Page: func(string) string { return "index.html" }}) {
		said += u.Text
	}
	for _, want := range []string{"File does not exist.", "Be careful."} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in %q", want, said)
		}
	}
	for _, wrapper := range []string{"tool_use_error", "system-reminder"} {
		if strings.Contains(said, wrapper) {
			t.Errorf("%q is in %q", wrapper, said)
		}
	}
}
