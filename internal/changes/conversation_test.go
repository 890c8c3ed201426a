package changes

import (
	"fmt"
	"strings"
	"testing"

	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestSteps: the steps that change files, in the order in which they happened, with their prompts.
func TestSteps(t *testing.T) {
	n := 0
	at := func(minute int) string { return fmt.Sprintf(`"timestamp":"2026-01-01T10:%02d:00Z"`, minute) }
	call := func(id, tool, in string, minute int, more string) string {
		n++
		return fmt.Sprintf(`{"type":"assistant","uuid":"c%s",%s,%s"message":{"id":"m%d",`+
			`"content":[{"type":"tool_use","id":%q,"name":%q,"input":%s}]}}`, id, at(minute), more, n, id, tool, in)
	}
	result := func(id string, minute int, failed bool, structured, more string) string {
		return fmt.Sprintf(`{"type":"user","uuid":"r%s",%s,%s"message":{"content":[`+
			`{"type":"tool_result","tool_use_id":%q,"is_error":%v,"content":"x"}]},"toolUseResult":%s}`, id,
			at(minute), more, id, failed, structured)
	}
	edit := `{"file_path":"/w/a","old_string":"1","new_string":"2"}`
	done := `{"originalFile":"` + strings.Repeat("0", 600) +
		`1\n","oldString":"1","newString":"2","structuredPatch":[]}`
	main := strings.Join([]string{
		`{"type":"user","uuid":"p1","cwd":"/w",` + at(0) + `,"message":{"content":"first"}}`,
		call("ok", "Edit", edit, 1, ""), result("ok", 2, false, done, ""),
		call("failed", "Edit", edit, 3, ""), result("failed", 3, true, `"Error"`, ""),
		call("pending", "Edit", edit, 3, ""),
		`{"type":"user","uuid":"p2",` + at(4) + `,"parentUuid":"rok","message":{"content":"taken back"}}`,
		call("back", "Edit", edit, 5, `"parentUuid":"p2",`), result("back", 5, false, done, `"parentUuid":"cback",`),
		`{"type":"user","uuid":"p3",` + at(6) + `,"parentUuid":"rok","message":{"content":"second"}}`,
		call("agent", "Agent", `{"prompt":"go"}`, 7, `"parentUuid":"p3",`),
		result("agent", 20, false, `{"agentId":"x1"}`, `"parentUuid":"cagent",`),
		call("read", "Read", `{"file_path":"/w/a"}`, 21, `"parentUuid":"ragent",`),
		result("read", 21, false,
			`{"type":"text","file":{"filePath":"/w/a","content":"1\n","numLines":2,"startLine":1,"totalLines":2}}`,
			`"parentUuid":"cread",`),
		call("part", "Read", `{"file_path":"/w/a"}`, 22, `"parentUuid":"rread",`),
		result("part", 22, false,
			`{"type":"text","file":{"filePath":"/w/a","content":"1\n","numLines":1,"startLine":2,"totalLines":2}}`,
			`"parentUuid":"cpart",`),
	}, "\n")
	agent := strings.Join([]string{
		`{"type":"user","uuid":"q","isSidechain":true,"agentId":"x1",` + at(7) + `,"message":{"content":"go"}}`,
		call("write", "Write", `{"file_path":"/w/b","content":"x\n"}`, 8, `"isSidechain":true,`),
		result("write", 9, false, `{"type":"create","content":"x\n","structuredPatch":[],"originalFile":null}`,
			`"isSidechain":true,`),
		call("cell", "NotebookEdit", `{"notebook_path":"/w/c.ipynb","new_source":"x"}`, 10, `"isSidechain":true,`),
		result("cell", 10, false, `{"original_file":"{}\n","updated_file":"{1}\n"}`, `"isSidechain":true,`),
	}, "\n")
	read := func(text string, o transcript.Options) *transcript.File {
		f := o.Read("s.jsonl", []byte(text))
		return &f
	}
	for _, c := range []struct {
		o    transcript.Options
		want string
	}{
		{transcript.Options{Originals: true}, "ok 1 602 true, write 2 0 true x1, cell 2 3 true x1, read 2 2 false, part 2 0 false"},
		{transcript.Options{}, "ok 1 0 true, write 2 0 true x1, cell 2 3 true x1, read 2 2 false, part 2 0 false"},
	} {
		agents := []normalize.AgentFile{{ID: "x1", File: read(agent, c.o)}}
		session := normalize.Build(normalize.Input{Main: read(main, c.o), Agents: agents})
		var got []string
		for _, s := range Steps(session) {
			texts, before := s.Ops[0].Load(), 0
			if texts.Before != nil {
				before = len(*texts.Before)
			}
			got = append(got, strings.TrimSpace(fmt.Sprint(s.ID, " ", s.Prompt, " ", before, " ",
				s.Ops[0].Kind == change, " ", s.Agent)))
		}
		if all := strings.Join(got, ", "); all != c.want {
			t.Errorf("got steps %s, want %s", all, c.want)
		}
	}
}

// TestStepsOfCommands: a step has the number of the last prompt, also of one that a part of a session leaves out, and
// the command that started its turn.
func TestStepsOfCommands(t *testing.T) {
	edit := func(id string) string {
		return fmt.Sprintf(`{"type":"assistant","message":{"id":"m%s","content":[{"type":"tool_use","id":%[1]q,`+
			`"name":"Edit","input":{"file_path":"/w/a","old_string":"1","new_string":"2"}}]}}`+"\n"+
			`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":%[1]q,"content":"x"}]},`+
			`"toolUseResult":{"oldString":"1","newString":"2","structuredPatch":[]}}`, id)
	}
	f := transcript.Read("s.jsonl", []byte(strings.Join([]string{
		`{"type":"user","message":{"content":"first"}}`, edit("a"),
		`{"type":"user","message":{"content":"<command-name>/tidy</command-name>"}}`, edit("b"),
		`{"type":"user","message":{"content":"second"}}`, edit("c"),
	}, "\n")))
	c := normalize.Build(normalize.Input{ID: "s", Main: &f})
	c.Turns[0].Skipped = 3
	var got []string
	for _, s := range Steps(c) {
		got = append(got, strings.TrimSpace(fmt.Sprint(s.ID, " ", s.Prompt, " ", s.Command)))
	}
	if all := strings.Join(got, ", "); all != "a 4, b 4 /tidy, c 5" {
		t.Errorf("got steps %s, want a 4, b 4 /tidy, c 5", all)
	}
}

// TestChangedByCommand: the changes that the log notes of a command are followed like those of other tools.
func TestChangedByCommand(t *testing.T) {
	const log = `{"type":"assistant","message":{"id":"m1","content":[` +
		`{"type":"tool_use","id":"c1","name":"Bash","input":{"command":"make"}}]}}` + "\n" +
		`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"c1","content":"ok"}]},` +
		`"toolUseResult":{"stdout":"ok","bashEditDiff":{"files":[` +
		`{"filePath":"/w/a","hunks":[{"oldStart":1,"newStart":1,"lines":["-1","+2"]}]},` +
		`{"filePath":"/w/b","created":true,"hunks":[{"oldStart":0,"newStart":1,` +
		`"lines":["+1","+2","\\ No newline at end of file"]}]},` +
		`{"filePath":"/w/c","deleted":true,"hunks":[]},{"filePath":"/w/d","hunks":[]}]}}}` + "\n"
	f := transcript.Read("s.jsonl", []byte(log))
	var got []string
	for _, s := range Steps(normalize.Build(normalize.Input{ID: "s", Main: &f})) {
		for _, op := range s.Ops {
			var texts tools.FileTexts
			if op.Load != nil {
				texts = op.Load()
			}
			after := ""
			if texts.After != nil {
				after = *texts.After
			}
			got = append(got, fmt.Sprintf("%s %d %d %q", op.Path, op.Kind, len(texts.Hunks), after))
		}
	}
	want := fmt.Sprintf(`/w/a %d 1 "", /w/b %d 0 "1\n2", /w/c %d 0 ""`, tools.ChangeFile, tools.ChangeFile,
		tools.DeleteFile)
	if all := strings.Join(got, ", "); all != want {
		t.Errorf("got %s, want %s", all, want)
	}
}

// TestEditors: edits and deletions by tools of editors change files, also if the log lacks the lines.
func TestEditors(t *testing.T) {
	var log strings.Builder
	for i, c := range []struct{ tool, in, result string }{
		{"edit_file", `{"target_file":"/w/a","code_edit":"2"}`, `{"fileDiff":"@@ -1 +1 @@\n-1\n+2\n"}`},
		{"insert_edit_into_file", `{"filePath":"/w/b","code":"..."}`, `{}`},
		{"delete_file", `{"target_file":"/w/c"}`, `{}`},
		{"developer__text_editor", `{"path":"/w/e","diff":"--- e\n+++ e\n@@ -1 +1 @@\n-1\n+2\n"}`, `{}`},
		{"developer__text_editor", `{"path":"/w/g","diff":"+++ g\n@@ -1 +1 @@\n-1\n+2\n+++ h\n@@ -1 +1 @@\n-1\n+2\n"}`, `{}`},
		{"developer__text_editor", `{"path":"/w/f","insert_line":2,"new_str":"3\n"}`, `{}`},
		{"developer__undo_edit", `{"path":"/w/f"}`, `{}`},
		{"textEditGroup", `{"filePath":"/w/d","edits":[{"lines":"1","text":"2"}]}`, `{}`},
	} {
		fmt.Fprintf(&log, `{"type":"assistant","message":{"id":"m%d","content":[`+
			`{"type":"tool_use","id":"c%d","name":%q,"input":%s}]}}`+"\n", i, i, c.tool, c.in)
		fmt.Fprintf(&log, `{"type":"user","message":{"content":[`+
			`{"type":"tool_result","tool_use_id":"c%d","content":"ok"}]},"toolUseResult":%s}`+"\n", i, c.result)
	}
	f := transcript.Read("s.jsonl", []byte(log.String()))
	var got []string
	for _, s := range Steps(normalize.Build(normalize.Input{ID: "s", Main: &f})) {
		op, hunks := s.Ops[0], 0
		if op.Load != nil {
			hunks = len(op.Load().Hunks)
		}
		got = append(got, fmt.Sprint(op.Path, " ", op.Kind, " ", hunks))
	}
	want := fmt.Sprintf("/w/a %[1]d 1, /w/b %[1]d 0, /w/c %[2]d 0, /w/e %[1]d 1, /w/g %[1]d 0, /w/f %[1]d 1, /w/f %[1]d 0, "+
		"/w/d %[1]d 0", tools.ChangeFile, tools.DeleteFile)
	if all := strings.Join(got, ", "); all != want {
		t.Errorf("got %s, want %s", all, want)
	}
}

// TestRestored: after a commit or a stash it is unknown which text a file is restored to.
func TestRestored(t *testing.T) {
	for _, c := range []struct {
		commands []string
		want     string
	}{
		{[]string{"git checkout a", "git commit -am x", "git checkout b"}, "a"},
		{[]string{"git checkout a", "git stash && make && git checkout b && git stash pop", "git checkout c"}, "a"},
		{[]string{"git checkout a", "make commit", "git checkout b"}, "a b"},
		{[]string{"git checkout a", "git add -A", "git checkout b"}, "a"},
		{[]string{"git commit -am x && git checkout a"}, ""},
	} {
		var log strings.Builder
		for i, command := range c.commands {
			fmt.Fprintf(&log, `{"type":"assistant","message":{"id":"m%d","content":[`+
				`{"type":"tool_use","id":"c%d","name":"Bash","input":{"command":%q}}]}}`+"\n", i, i, command)
			fmt.Fprintf(&log, `{"type":"user","message":{"content":[`+
				`{"type":"tool_result","tool_use_id":"c%d","content":""}]}}`+"\n", i)
		}
		f := transcript.Read("s.jsonl", []byte(log.String()))
		var got []string
		for _, s := range Steps(normalize.Build(normalize.Input{ID: "s", Main: &f})) {
			for _, op := range s.Ops {
				if op.Kind == tools.RestoreFile {
					got = append(got, op.Path)
				}
			}
		}
		if all := strings.Join(got, " "); all != c.want {
			t.Errorf("%q: restored %s, want %s", c.commands, all, c.want)
		}
	}
}
