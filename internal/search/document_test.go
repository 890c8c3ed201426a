package search

import (
	"strings"
	"testing"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestResultAsShown: the index has the text of a result as its page shows it, without the wrapper. Otherwise "error"
// would match every call that failed, on pages that do not show the word.
func TestResultAsShown(t *testing.T) {
	text := indexed(`{"type":"assistant","uuid":"00000001-aaaa-4111-8111-111111111111","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Read","input":{"file_path":"/home/mara/oven.go"}}]}}
{"type":"user","uuid":"00000002-aaaa-4111-8111-111111111111","parentUuid":"00000001-aaaa-4111-8111-111111111111","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","is_error":true,"content":"<tool_use_error>File does not exist.</tool_use_error>\n\n<system-reminder>\nBe careful.\n</system-reminder>"}]}}
`)
	for _, want := range []string{"File does not exist.", "Be careful."} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q: %q", want, text)
		}
	}
	for _, wrapper := range []string{"tool_use_error", "system-reminder"} {
		if strings.Contains(text, wrapper) {
			t.Errorf("the text has the wrapper %q: %q", wrapper, text)
		}
	}
}

// TestPatchWithoutCall: the lines around a change are found even if the log lacks the call that made it.
func TestPatchWithoutCall(t *testing.T) {
	text := indexed(`{"type":"user","uuid":"00000002-aaaa-4111-8111-111111111111","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"Updated."}]},"toolUseResult":{"structuredPatch":[{"oldStart":1,"oldLines":2,"newStart":1,"newLines":2,"lines":[" preheat","-bake","+roast"]}]}}
`)
	if !strings.Contains(text, "preheat") {
		t.Errorf("the text lacks the unchanged line: %q", text)
	}
}

// TestPictureData: the data of a picture is not in the index, not even of a small one; its address is.
func TestPictureData(t *testing.T) {
	log := `{"type":"user","uuid":"00000001-aaaa-4111-8111-111111111111","message":{"role":"user","content":[{"type":"text","text":"this loaf"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}},{"type":"image","source":{"type":"url","url":"https://bakery.example/loaf.png"}}]}}
{"type":"assistant","uuid":"00000002-aaaa-4111-8111-111111111111","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Read","input":{"file_path":"/home/mara/loaf.png"}}]}}
{"type":"user","uuid":"00000003-aaaa-4111-8111-111111111111","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]}]}}
`
	further := strings.NewReplacer("00000003-", "00000004-",
		`[{"type":"image"`, `[{"type":"text","text":"another"},{"type":"image"`)
	log += further.Replace(log[strings.LastIndex(log, `{"type":"user"`):])
	text := indexed(log)
	for _, want := range []string{"this loaf", "another", "https://bakery.example/loaf.png"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q: %q", want, text)
		}
	}
	if strings.Contains(text, "iVBOR") {
		t.Errorf("the text has the data of a picture: %q", text)
	}
}

// indexed returns what the index has of a log.
func indexed(log string) (text string) {
	f := transcript.Read("s.jsonl", []byte(log))
	c := normalize.Build(normalize.Input{ID: "s", Main: &f})
	for u := range Units(Session{Conversation: c, Page: func(string) string { return "index.html" }}) {
		text += u.Text
	}
	return text
}
