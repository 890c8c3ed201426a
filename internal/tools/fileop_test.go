package tools

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// shown returns a call with a result that has only text for the model.
func shown(tool, input, result string) *normalize.Group {
	g := &normalize.Group{
		Call:  &normalize.Message{Name: tool, Block: &transcript.Block{Input: jsontext.Value(input)}},
		State: normalize.Done,
	}
	g.Result = &normalize.Message{Record: new(transcript.Record), Block: &transcript.Block{
		Type: "tool_result", Content: []transcript.Block{{Type: "text", Text: result}},
	}}
	return g
}

// TestShownFiles: a text for the model is a file only if it is the whole of it, as it is on disk.
func TestShownFiles(t *testing.T) {
	const openCode = "<path>/w/a.go</path>\n<type>file</type>\n<content>\n"
	for _, c := range []struct {
		name, tool, input, result string
		want                      FileTexts
	}{
		{"OpenCode numbers lines, and does not show the last line end", "read", `{"filePath":"/w/a.go"}`,
			openCode + "1: package a\n2: \n3: var x = 1\n\n(End of file - total 3 lines)\n</content>",
			FileTexts{Before: new("package a\n\nvar x = 1"), EndUnknown: true}},
		{"and reminds of instructions", "read", `{"filePath":"/w/a.go"}`,
			openCode + "1: x\n\n(End of file - total 1 lines)\n</content>\n\n<system-reminder>\ny\n</system-reminder>",
			FileTexts{Before: new("x"), EndUnknown: true}},
		{"a part from the first line on", "read", `{"filePath":"/w/a.go","limit":1}`,
			openCode + "1: x\n\n(Showing lines 1-1 of 9. Use offset=2 to continue.)\n</content>", FileTexts{}},
		{"the last part", "read", `{"filePath":"/w/a.go","offset":2}`,
			openCode + "2: x\n\n(End of file - total 2 lines)\n</content>", FileTexts{}},
		{"a line that was cut off", "read", `{"filePath":"/w/a.go"}`,
			openCode + "1: " + strings.Repeat("x", 2000) + "... (line truncated to 2000 chars)\n\n" +
				"(End of file - total 1 lines)\n</content>", FileTexts{}},
		{"Pi", "read", `{"path":"a"}`, "x\ny\n", FileTexts{Before: new("x\ny\n")}},
		{"Pi, more lines than there are", "read", `{"path":"a","limit":50}`, "x\ny", FileTexts{Before: new("x\ny")}},
		{"Pi, a part", "read", `{"path":"a","limit":1}`, "x\n\n[1 more lines in file. Use offset=2 to continue.]",
			FileTexts{}},
		{"Pi, a part, first versions", "read", `{"path":"a","limit":1}`,
			"x\n\n... (1 more lines not shown. Use offset=2 to continue reading)", FileTexts{}},
		{"Pi, the end", "read", `{"path":"a","offset":2}`, "y\n", FileTexts{}},
		{"Oh My Pi", "read", `{"path":"a"}`, "1#AB|x\n2#CD|y", FileTexts{}},
		{"Gemini CLI", "read_file", `{"file_path":"a"}`, "x\ny\n", FileTexts{Before: new("x\ny\n")}},
		{"Gemini CLI, up to a line after the last", "read_file", `{"file_path":"a","start_line":1,"end_line":9}`,
			"x\n", FileTexts{Before: new("x\n")}},
		{"Gemini CLI, a part", "read_file", `{"file_path":"a","start_line":1,"end_line":1}`,
			"\nIMPORTANT: The file content has been truncated.\nStatus: Showing lines 1-1 of 2 total lines.\n\n" +
				"--- FILE CONTENT (truncated) ---\nx", FileTexts{}},
		{"Gemini CLI, the end", "read_file", `{"file_path":"a","start_line":2}`, "y\n", FileTexts{}},
		{"Gemini CLI, with instructions that it found", "read_file", `{"file_path":"a"}`,
			"x\n\n--- Newly Discovered Project Context ---\ny", FileTexts{}},
		{"Qwen Code, a part", "read_file", `{"absolute_path":"a"}`,
			"[File content truncated: showing lines 1-1 of 2 total lines.]\nx", FileTexts{}},
		{"Cursor does not say whether it is the whole", "read_file", `{"target_file":"a"}`, "x\n", FileTexts{}},
		{"Goose", "developer__text_editor", `{"command":"view","path":"a"}`, "### a\n```\n1: x\n2: \n```\n",
			FileTexts{Before: new("x\n"), EndUnknown: true}},
		{"Goose, a part", "developer__text_editor", `{"command":"view","path":"a","view_range":[1,1]}`,
			"### a (lines 1-1)\n```\n1: x\n```\n\n\n[Showing lines 1-1 of 2. Use view_range=[2, 2] to see more.]",
			FileTexts{}},
		{"Copilot", "view", `{"path":"a"}`, "x\n", FileTexts{Before: new("x\n")}},
		{"Copilot, with numbers", "view", `{"path":"a"}`, "1. x\n2.   y\n3. ", FileTexts{Before: new("x\n  y\n")}},
		{"Copilot, a part", "view", `{"path":"a","view_range":[1,1]}`, "x", FileTexts{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ops := FileOps(shown(c.tool, c.input, c.result))
			if len(ops) != 1 || ops[0].Kind != ReadFile {
				t.Fatalf("got %+v, want one read", ops)
			}
			if diff := cmp.Diff(c.want, ops[0].Load()); diff != "" {
				t.Error("-want +got\n" + diff)
			}
		})
	}
}

// TestMentionedFile reads the files that OpenCode adds to a prompt.
func TestMentionedFile(t *testing.T) {
	const text = "<path>/w/a.go</path>\n<type>file</type>\n<content>\n1: x\n\n(End of file - total 1 lines)\n</content>"
	m := &normalize.Message{Kind: normalize.Injected, Text: text, Record: new(transcript.Record)}
	ops := MentionedFile(m)
	if len(ops) != 1 || ops[0].Path != "/w/a.go" {
		t.Fatalf("got %+v", ops)
	}
	if diff := cmp.Diff(FileTexts{Before: new("x"), EndUnknown: true}, ops[0].Load()); diff != "" {
		t.Error("-want +got\n" + diff)
	}
	for _, other := range []*normalize.Message{
		{Kind: normalize.Prompt, Text: text, Record: new(transcript.Record)},
		{Kind: normalize.Injected, Text: strings.Replace(text, "file", "directory", 1), Record: new(transcript.Record)},
	} {
		if ops := MentionedFile(other); ops != nil {
			t.Errorf("%s %q: got %+v, want nothing", other.Kind, other.Text, ops)
		}
	}
}

// TestStatedFiles: a structured result has the lines of a file, or both versions of a file that was edited.
func TestStatedFiles(t *testing.T) {
	for _, c := range []struct {
		name, tool, input, text, result string
		want                            FileTexts
	}{
		{"a whole file", "read_file", `{"path":"a"}`, "x\ny", `{"startLine":1,"numLines":2,"totalLines":2}`,
			FileTexts{Before: new("x\ny"), EndUnknown: true}},
		{"its end", "view", `{"file_path":"a"}`, "y", `{"startLine":2,"numLines":1,"totalLines":2}`, FileTexts{}},
		{"of unknown length", "view", `{"file_path":"a"}`, "x", `{"startLine":1,"numLines":1}`, FileTexts{}},
		{"a part", "Read", `{"file_path":"a"}`, "", `{"type":"text","file":{"filePath":"a","content":"y\n",` +
			`"startLine":2,"numLines":1,"totalLines":3}}`, FileTexts{Part: new("y\n"), First: 2}},
		{"an edit", "edit", `{"file_path":"a","old_string":"x","new_string":"y"}`, "",
			`{"originalFile":"x\n","newFile":"y\n"}`,
			FileTexts{Before: new("x\n"), After: new("y\n"), Edits: []Replacement{{Old: "x", New: "y"}}}},
		{"a patch", "patch", `{"mode":"replace","path":"a","old_string":"x","new_string":"y"}`, "", `{}`,
			FileTexts{Edits: []Replacement{{Old: "x", New: "y"}}}},
	} {
		g := shown(c.tool, c.input, c.text)
		g.Result.Record.ToolUseResult = jsontext.Value(c.result)
		ops := FileOps(g)
		if len(ops) != 1 || ops[0].Path != "a" {
			t.Fatalf("%s: got %v, want one file", c.name, ops)
		}
		if diff := cmp.Diff(c.want, ops[0].Load()); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, diff)
		}
	}
}
