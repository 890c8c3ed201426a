package tools

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"viewer/internal/markup"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestEdits: edits are decoded once, for drawing and for replaying.
func TestEdits(t *testing.T) {
	const patch = `"structuredPatch":[{"oldStart":7,"newStart":8,"lines":[" a","-b","+c","+d"]},` +
		`{"oldStart":20,"newStart":22,"lines":["-e"]}]`
	real := []markup.Hunk{
		{OldStart: 7, NewStart: 8, Lines: []string{" a", "-b", "+c", "+d"}},
		{OldStart: 20, NewStart: 22, Lines: []string{"-e"}},
	}
	for _, c := range []struct {
		name, tool, input, result string
		drawn                     []markup.Hunk
		added, removed            int
		replayed                  FileTexts
	}{
		{"the patch of the log has the real lines", "Edit",
			`{"file_path":"f","old_string":"x","new_string":"y"}`, `{` + patch + `}`, real, 2, 2,
			FileTexts{Edits: []Replacement{{Old: "x", New: "y"}}, Hunks: real}},
		{"without one the texts are compared", "Edit",
			`{"file_path":"f","old_str":"a\nb\n","new_str":"a\nc\n","replace_all":true}`, `"ok"`,
			[]markup.Hunk{{OldStart: 1, NewStart: 1, Lines: []string{" a", "-b", "+c"}}}, 1, 1,
			FileTexts{Edits: []Replacement{{Old: "a\nb\n", New: "a\nc\n", All: true}}}},
		{"each edit is compared by itself", "MultiEdit",
			`{"file_path":"f","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":"d"}]}`, `{}`,
			[]markup.Hunk{
				{OldStart: 1, NewStart: 1, Lines: []string{"-a", "+b"}},
				{OldStart: 1, NewStart: 1, Lines: []string{"-c", "+d"}},
			}, 2, 2,
			FileTexts{Edits: []Replacement{{Old: "a", New: "b"}, {Old: "c", New: "d"}}}},
		{"what was replaced counts, not what was asked for", "Edit",
			`{"file_path":"f","old_string":"\"x\"","new_string":"\"y\""}`,
			`{"originalFile":"“x”","oldString":"“x”","newString":"“y”","userModified":true}`,
			[]markup.Hunk{{OldStart: 1, NewStart: 1, Lines: []string{`-"x"`, `+"y"`}}}, 1, 1,
			FileTexts{Before: new("“x”"), Edits: []Replacement{{Old: "“x”", New: "“y”"}}, Proposed: []string{`"y"`}}},
		{"nothing changes", "Edit", `{"file_path":"f","old_string":"","new_string":""}`, `{}`, nil, 0, 0,
			FileTexts{Edits: []Replacement{{}}}},
		{"an edit that lacks a text is drawn, but was not made", "Edit", `{"file_path":"f","old_string":"a\n"}`, `{}`,
			[]markup.Hunk{{OldStart: 1, NewStart: 1, Lines: []string{"-a"}}}, 0, 1, FileTexts{}},
		{"there is nothing", "MultiEdit", `{"file_path":"f"}`, `{}`, nil, 0, 0, FileTexts{}},
		{"lines that are not text count as they are", "Write", `{"file_path":"f","content":"x"}`,
			`{"structuredPatch":[{"lines":["","+","-","\\ No newline at end of file"]}]}`,
			[]markup.Hunk{{Lines: []string{"", "+", "-", `\ No newline at end of file`}}}, 1, 1,
			FileTexts{
				After: new("x"),
				Hunks: []markup.Hunk{{Lines: []string{"", "+", "-", `\ No newline at end of file`}}},
			}},
		{"a new file", "Write", `{"file_path":"f","content":"x\ny"}`,
			`{"type":"create","structuredPatch":[]}`, nil, 2, 0,
			FileTexts{Absent: true, After: new("x\ny")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := editGroup(c.tool, c.input, c.result)
			call := Describe(g, Context{})
			if call.Err != nil || len(call.Changes) != 1 || len(call.Rest) > 2 {
				t.Fatalf("the call has %d changes, rest %s: %v", len(call.Changes), call.Rest, call.Err)
			}
			ch := call.Changes[0]
			if diff := cmp.Diff(c.drawn, ch.Hunks); diff != "" {
				t.Errorf("drawn hunks (-want +got):\n%s", diff)
			}
			if ch.Path != "f" || ch.Added != c.added || ch.Removed != c.removed {
				t.Errorf("the change of %q counts +%d −%d, want +%d −%d",
					ch.Path, ch.Added, ch.Removed, c.added, c.removed)
			}
			ops := FileOps(g)
			if len(ops) != 1 || ops[0].Kind != ChangeFile || ops[0].Path != "f" {
				t.Fatalf("the operations are %v", ops)
			}
			if diff := cmp.Diff(c.replayed, ops[0].Load()); diff != "" {
				t.Errorf("replayed texts (-want +got):\n%s", diff)
			}
		})
	}
}

// editGroup returns a successful call.
func editGroup(tool, input, result string) *normalize.Group {
	call := &normalize.Message{
		Kind: normalize.Call, Name: tool, Record: new(transcript.Record),
		Block: &transcript.Block{Type: "tool_use", Name: tool, Input: jsontext.Value(input)},
	}
	answer := &normalize.Message{
		Kind: normalize.Result, Record: &transcript.Record{ToolUseResult: jsontext.Value(result)},
		Block: &transcript.Block{Type: "tool_result"},
	}
	return &normalize.Group{Call: call, Result: answer, State: normalize.Done}
}

// TestCreatedByText: without a structured result, as in logs of agents, the text says that there was no file.
func TestCreatedByText(t *testing.T) {
	for _, c := range []struct {
		tool, text string
		failed     bool
		want       bool
	}{
		{"Write", "File created successfully at: /w/f", false, true},
		{"Write", "The file /w/f has been updated successfully.", false, false},
		{"Write", "File created successfully at: /w/f", true, false},
		{"Edit", "File created successfully at: /w/f", false, false},
	} {
		g := editGroup(c.tool, `{"file_path":"f","content":"x\ny","old_string":"a","new_string":"b"}`, "")
		g.Result.Block.Content = []transcript.Block{{Type: "text", Text: c.text}}
		g.Result.Block.IsError = c.failed
		if got := Describe(g, Context{}).Changes[0].Created; got != c.want {
			t.Errorf("%+v: drawn as created: %t", c, got)
		}
		if got := FileOps(g)[0].Load().Absent; got != c.want {
			t.Errorf("%+v: replayed as created: %t", c, got)
		}
	}
}
