package normalize

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"viewer/internal/transcript"
)

// TestDeriveUUID uses values from the published descriptions of these functions.
func TestDeriveUUID(t *testing.T) {
	const parent = "9e503a42-53d3-4c76-a7ec-31e89bbb1ebb"
	for _, c := range []struct {
		parent string
		i      int
		want   string
	}{
		{parent, 0, "9e503a42-53d3-4c76-a7ec-000000000000"},
		{parent, 1, "9e503a42-53d3-4c76-a7ec-000000000001"},
		{parent, 10, "9e503a42-53d3-4c76-a7ec-00000000000a"},
		{parent, 255, "9e503a42-53d3-4c76-a7ec-0000000000ff"},
		{parent, math.MaxInt32, "9e503a42-53d3-4c76-a7ec-00007fffffff"},
		{strings.ToUpper(parent), 2, "9E503A42-53D3-4C76-A7EC-000000000002"},
		{"record-7", 3, "record-7-3"},
		{"", 1, "-1"},
		{"{" + parent + "}", 1, "{" + parent + "}-1"}, // in other notations of a UUID the suffix is appended
		{"urn:uuid:" + parent, 1, "urn:uuid:" + parent + "-1"},
		{strings.ReplaceAll(parent, "-", ""), 1, strings.ReplaceAll(parent, "-", "") + "-1"},
		{"9e503a42-53d3-4c76-a7ec-31e89bbb1ebx", 1, "9e503a42-53d3-4c76-a7ec-31e89bbb1ebx-1"},
	} {
		if got := deriveUUID(c.parent, c.i); got != c.want {
			t.Errorf("deriveUUID(%q, %d) = %q, want %q", c.parent, c.i, got, c.want)
		}
	}
}

func TestDeriveShortMessageId(t *testing.T) {
	for _, c := range []struct{ id, want string }{
		{"9e503a42-53d3-4c76-a7ec-31e89bbb1ebb", "8od560"}, // 0x9e503a4253 = 679950828115 = 8od560r7 in base 36
		{"9E503A42-53D3-4C76-A7EC-31E89BBB1EBB", "8od560"},
		{"ffffffff-ffff-4fff-8fff-ffffffffffff", "e13wu1"}, // 2^40-1 = e13wu1of
		{"01234567-8901-4000-8000-000000000000", "28tfc0"}, // 0x0123456789 = 4886718345 = 28tfc09
		{"00000000-0000-4000-8000-000000000000", "0"},
		{"00000000-0f00-4000-8000-000000000000", "f"},
		{"00000000-ff00-4000-8000-000000000000", "73"},
	} {
		if got := deriveShortMessageId(c.id); got != c.want {
			t.Errorf("deriveShortMessageId(%q) = %q, want %q", c.id, got, c.want)
		}
	}
	// Ids that do not start with 10 hex digits must also get a short id of full length, always the same one.
	seen := make(map[string]string)
	for _, id := range []string{"", "x", "record-1", "record-2", "12-34", "é", "+123456789", "0x12345678"} {
		got := deriveShortMessageId(id)
		if len(got) != shortLength || got != deriveShortMessageId(id) {
			t.Errorf("deriveShortMessageId(%q) = %q, want %d characters, the same each time", id, got, shortLength)
		}
		if other, taken := seen[got]; taken {
			t.Errorf("%q and %q share the short id %q", id, other, got)
		}
		seen[got] = id
	}
}

// session returns a log with many kinds of records, with ids that clash and records without ids.
func session() []string {
	lines := []string{
		`{"type":"ai-title","aiTitle":"Mill"}`,
		`{"type":"user","uuid":"01234567-8901-4000-8000-00000000000%d","message":{"content":"mend the mill"}}`,
		`{"type":"assistant","uuid":"01234567-8902-4000-8000-00000000000%d","message":{"id":"m%[1]d","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"I mend"},{"type":"tool_use","id":"t%[1]d","name":"Bash","input":{"prompt":"turn"}}]}}`,
		`{"type":"attachment","uuid":"7777777%d-0000-4000-8000-000000000000","attachment":{"type":"hook_success","hookEvent":"PreToolUse","toolUseID":"t%[1]d"}}`,
		`{"type":"user","uuid":"87654321-000%d-4000-8000-000000000000","isSidechain":true,"parentUuid":null,"message":{"content":"turn"}}`,
		`{"type":"assistant","uuid":"not a uuid %d","isSidechain":true,"parentUuid":"87654321-000%[1]d-4000-8000-000000000000","message":{"id":"s%[1]d","content":"turning"}}`,
		`{"type":"user","uuid":"01234567-8901-4000-8000-00000000001%d","message":{"content":[{"type":"tool_result","tool_use_id":"t%[1]d","content":"ok"}]}}`,
		`{"type":"user","uuid":"01234567-8901-4000-8000-00000000001%d","message":{"content":[{"type":"tool_result","tool_use_id":"t%[1]d","content":"ok"}]}}`,
		`{"type":"user","message":{"content":[{"type":"text","text":"<task-notification>%d</task-notification>"}]}}`,
		`{"type":"system","subtype":"turn_duration","durationMs":%d}`,
		`{"type":"user","message":{"content":["a","b%d"]}}`,
		`{"type":"system","uuid":"c%d","subtype":"compact_boundary"}`,
		`{"type":"tombstone","message":{"uuid":"01234567-8902-4000-8000-00000000000%d"}}`,
	}
	var all []string
	for i := range 4 {
		for _, l := range lines {
			if strings.Contains(l, "%") {
				l = fmt.Sprintf(l, i)
			}
			all = append(all, l)
		}
	}
	return all
}

// TestAnchorsStay: an anchor never changes when the session grows, so that links to published pages stay valid.
func TestAnchorsStay(t *testing.T) {
	lines := session()
	build := func(n int) map[string]string {
		f := transcript.Read("in.jsonl", []byte(strings.Join(lines[:n], "\n")+"\n"))
		in := Input{ID: "in", Main: &f}
		c := Build(in)
		checkPlaces(t, in, c)
		anchors := make(map[string]string)
		for inner := range c.All() {
			for _, m := range inner.Messages {
				anchors[at(m)] = m.Anchor
			}
		}
		return anchors
	}
	whole := build(len(lines))
	for n := range lines {
		for place, anchor := range build(n) {
			if whole[place] != anchor {
				t.Errorf("%s: anchor %q in the first %d lines, %q in all", place, anchor, n, whole[place])
			}
		}
	}
}

func TestSplitKeepsRecords(t *testing.T) {
	f := transcript.Read("in.jsonl", []byte(strings.Join(session(), "\n")))
	var got []string
	for _, m := range Split(pointers(f.Records)) {
		if m.Part == 0 {
			got = append(got, m.Record.Pos.String())
		}
		if blocks := content(m.Record); len(blocks) > 0 && m.Block != &blocks[m.Part] {
			t.Errorf("%s: the block is not part %d of the record", at(m), m.Part)
		}
	}
	var want []string
	for _, r := range f.Records {
		want = append(want, r.Pos.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records in file order (-want +got):\n%s", diff)
	}
}
