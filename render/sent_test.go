package render

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// sentLines returns the lines of the level "As sent" on the first page of a session.
func sentLines(t *testing.T, records ...string) []string {
	t.Helper()
	f := transcript.Read("in.jsonl", []byte(strings.Join(records, "\n")))
	page := DrawSession(Session{Conversation: normalize.Build(normalize.Input{ID: "in", Main: &f}),
		Main: &f}).Pages[0].HTML
	if !strings.Contains(string(page), `<p class="sent how">`) {
		t.Error("the page has no legend of the level")
	}
	var lines []string
	for _, m := range regexp.MustCompile(`(?s)<p class="sent ?([^"]*)">(.*?)</p>`).FindAllSubmatch(page, -1) {
		if string(m[1]) == "how" { // the legend
			continue
		}
		lines = append(lines, strings.TrimSpace(string(m[1])+": "+strings.ReplaceAll(string(m[2]), "\n", " | ")))
	}
	return lines
}

// TestSentLines: a call with its result, a hook that was not sent, an attachment, a call without a result, and an
// error. Sizes are those reported, or estimates that are marked as such.
func TestSentLines(t *testing.T) {
	got := sentLines(t,
		`{"type":"user","uuid":"u1","message":{"content":"a b c d e f g h"}}`,
		`{"type":"attachment","uuid":"u2","parentUuid":"u1","attachment":{"type":"date_change","newDate":"2026-05-01"}}`,
		`{"type":"assistant","uuid":"u3","parentUuid":"u2","message":{"id":"m1","model":"x","usage":{"input_tokens":41000,"output_tokens":5},"content":[{"type":"text","text":"b"}]}}`,
		`{"type":"assistant","uuid":"u4","parentUuid":"u3","message":{"id":"m1","model":"x","usage":{"input_tokens":41000,"output_tokens":9},"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"x"}}]}}`,
		`{"type":"attachment","uuid":"u5","parentUuid":"u4","attachment":{"type":"hook_success","hookEvent":"PreToolUse","toolUseID":"t1","content":""}}`,
		`{"type":"user","uuid":"u6","parentUuid":"u4","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"y"}]}}`,
		`{"type":"assistant","uuid":"u7","parentUuid":"u6","message":{"id":"m2","model":"x","content":[{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"x"}}]}}`,
		`{"type":"assistant","uuid":"u8","parentUuid":"u7","isApiErrorMessage":true,"message":{"id":"m3","model":"<synthetic>","content":[{"type":"text","text":"API Error"}]}}`,
		`{"type":"system","uuid":"u9","parentUuid":"u8","subtype":"informational","content":"i"}`,
		`{"type":"system","uuid":"v1","parentUuid":"u9","subtype":"informational","content":"j"}`,
		`{"type":"user","uuid":"v2","parentUuid":"v1","message":{"content":"on"}}`)
	want := []string{
		unloggedLine,
		": 1 user",
		"in txt rough: 1",
		": 2 assistant | 41k",
		"in: 2 | → 3 user",
		": 4 assistant | ~43",
		"ph: 5 user: [Tool result missing due to internal error], a placeholder: the call had no result",
		"no: synthetic API error",
		"no: system record",
		"no:",
		"in: 5",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got lines\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

const unloggedLine = "ph: also sent, not in the log: the system prompt, the tools, CLAUDE.md and the like"

// TestSentCompacted: a session that was compacted, and one that begins in the middle.
func TestSentCompacted(t *testing.T) {
	got := sentLines(t,
		`{"type":"user","uuid":"u1","message":{"content":"old"}}`,
		`{"type":"assistant","uuid":"u2","parentUuid":"u1","message":{"id":"m1","model":"x","usage":{"input_tokens":1000},"content":[{"type":"text","text":"b"}]}}`,
		`{"type":"system","uuid":"u3","subtype":"compact_boundary","content":"c"}`,
		`{"type":"user","uuid":"u4","parentUuid":"u3","isCompactSummary":true,"message":{"content":"summary"}}`,
		`{"type":"user","uuid":"u5","parentUuid":"u4","message":{"content":"new"}}`)
	want := []string{"no: before the compaction", "size: 1.0k", "no:", unloggedLine, ": 1 user", "in: 1"}
	if !slices.Equal(got, want) {
		t.Errorf("got lines\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	got = sentLines(t, `{"type":"assistant","uuid":"u2","message":{"id":"m1","model":"x","content":[{"type":"text","text":"b"}]}}`)
	want = []string{unloggedLine,
		"ph: 1 user: [no content], a placeholder: the log does not begin with a message of the user",
		": 2 assistant | ~3"}
	if !slices.Equal(got, want) {
		t.Errorf("got lines\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	got = sentLines(t, `{"type":"user","uuid":"u1","message":{"content":"go"}}`,
		`{"type":"attachment","uuid":"u2","parentUuid":"u1","attachment":{"type":"prompt_snapshot"}}`)
	if len(got) == 0 || got[0] != "ph: also sent, not in the log: CLAUDE.md and the like" {
		t.Errorf("a log with the system prompt begins with the lines\n%s", strings.Join(got, "\n"))
	}
}
