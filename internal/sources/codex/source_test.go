package codex_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/sources/claude"
	"viewer/internal/sources/codex"
	"viewer/internal/testing/sourcetest"
	"viewer/internal/tools"
	"viewer/internal/transcript"
)

var list = sources.List{codex.Source{}, claude.Source{}}

// TestMatch: files are matched by their contents, with any white space.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"timestamp":"2026-06-18T10:00:00Z","type":"session_meta","payload":{"id":"a","base_instructions":{"text":"cut`: true,
		`{"timestamp":"t","ordinal":3,"type":"event_msg","payload":{}}`:                                                  true,
		"\ufeff\n{ \"type\" : \"turn_context\", \"payload\" : {} }":                                                      true,
		`{"id":"5973","timestamp":"2025-05-07T17:24:21Z","instructions":"cut`:                                            true,
		`{"id":"5973","timestamp":"2025-05-07T17:24:21Z","instructions":null,"git":{}}`:                                  true,
		`{"type":"function_call","name":"shell","arguments":"{}","call_id":"c"}`:                                         true,
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}`:                                 true,
		`{"record_type":"state"}`:                                                                           true,
		`{"type":"thread.started","thread_id":"a"}`:                                                         true,
		`{"type":"item.completed","item":{}}`:                                                               true,
		`{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"hi"}}`:               false,
		`{"type":"session","id":"a","timestamp":"t","cwd":"/w"}`:                                            false,
		`{"type":"session.start","data":{},"id":"a","timestamp":"t","parentId":null}`:                       false,
		`{"type":"message","id":"a","parentId":"b","timestamp":"t","message":{"role":"user","content":[]}}`: false,
		`{"type":"tomorrow","payload":{}}`:                                                                  false,
		`{"role":"user","content":"hi"}`:                                                                    false,
		"":                                                                                                  false,
	} {
		if got := (codex.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
}

// TestMatchLongHead: a rollout is matched if its instructions come before what tells its writer.
func TestMatchLongHead(t *testing.T) {
	head := `{"payload":{"base_instructions":{"text":"` + strings.Repeat("Look at the tide. ", 1000) + `"},"id":"a"},` +
		`"timestamp":"2026-06-18T10:00:00Z","type":"session_meta"}` + "\n"
	if got := list.Of([]byte(head)).Writer().Name; got != "Codex" {
		t.Errorf("got writer %q, want Codex", got)
	}
}

// TestFolders: the folders in which sessions are stored. Nothing else below the folder of the program is read.
func TestFolders(t *testing.T) {
	env := func(value string) func(string) string {
		return func(name string) string { return map[string]string{"CODEX_HOME": value}[name] }
	}
	for _, c := range []struct {
		env, home string
		want      []string
	}{
		{"", "/home/mara", []string{"/home/mara/.codex/sessions", "/home/mara/.codex/archived_sessions"}},
		{"/d/codex", "/home/mara", []string{"/d/codex/sessions", "/d/codex/archived_sessions"}},
		{"", "", nil},
	} {
		if got := (codex.Source{}).Folders(env(c.env), c.home); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}

// TestScan: a scan gives the facts of the records, in whatever pieces the file is read.
func TestScan(t *testing.T) {
	files := sourcetest.Cases(t, "codex_*")
	sourcetest.Scan(t, codex.Source{}, files, func(name string, want *sources.Facts) {
		switch name {
		case "codex_exec": // which is not a file of a thread
			want.FirstUUID = ""
		case "codex_document":
		default:
			want.FirstUUID = "o0.0@" + want.SessionID
		}
	})
	if facts := sources.ScanAll(codex.Source{}.NewScan(), files["codex_inherited"]); facts.Parent == "" {
		t.Error("an agent has no parent, want the session that started it")
	}
}

// TestAppend: a growing file, including incomplete lines, gives the same as reading it at once.
func TestAppend(t *testing.T) {
	sourcetest.Grow(t, codex.Source{}, sourcetest.Cases(t, "codex_*"))
}

// TestShuffled: lines in any order are all accounted for.
func TestShuffled(t *testing.T) {
	first := `{"timestamp":"2026-06-18T10:00:00Z","type":"session_meta","payload":{"id":"a"}}`
	sourcetest.Shuffle(t, codex.Source{}, first, sourcetest.Cases(t, "codex_*"))
}

// FuzzTranslate: any line becomes records or problems, and nothing panics.
func FuzzTranslate(f *testing.F) {
	sourcetest.Fuzz(f, codex.Source{}, sourcetest.Cases(f, "codex_*"))
}

// TestBulk: encrypted texts, and records that a compaction repeats, are not kept in memory.
func TestBulk(t *testing.T) {
	blob := strings.Repeat("x", 100_000)
	lines := fmt.Sprintf(`{"type":"session_meta","payload":{"id":"a"}}
{"type":"response_item","payload":{"type":"reasoning","summary":[],"encrypted_content":"%[1]s"}}
{"type":"compacted","payload":{"message":"","replacement_history":[{"type":"compaction","encrypted_content":"%[1]s"}]}}
{"type":"response_item","payload":{"type":"agent_message","author":"a","content":[{"type":"encrypted_content","encrypted_content":"%[1]s"}]}}
{"type":"event_msg","payload":{"type":"agent_message","message":"%[1]s"}}
{"type":"world_state","payload":{"state":"%[1]s"}}
`, blob)
	f := list.Read("in.jsonl", []byte(lines), transcript.Options{Own: true})
	for _, r := range f.Records {
		if len(r.Raw) > 1000 {
			t.Errorf("%s %s keeps %d bytes, want at most 1000", r.Type, r.Subtype, len(r.Raw))
		}
	}
	if n := f.Records[1].Message.Content[0].Encrypted; n != 100_000 {
		t.Errorf("the reasoning has %d encrypted bytes, want 100,000", n)
	}
}

// TestPatchInFolder: relative paths of a patch that a command applies are below the folder of the command. What the
// model said about the command is about the patch.
func TestPatchInFolder(t *testing.T) {
	line := `{"type":"response_item","payload":{"type":"function_call","name":"shell","call_id":"c","arguments":` +
		`"{\"command\":[\"apply_patch\",\"*** Begin Patch\\n*** End Patch\"],\"workdir\":\"/w/lamp\",\"justification\":\"More light\"}"}}`
	f := list.Read("in.jsonl", []byte(line), transcript.Options{Own: true})
	call := f.Records[0].Message.Content[0]
	got := transcript.String(transcript.Field(call.Input, "workdir"))
	if call.Name != "apply_patch" || got != "/w/lamp" {
		t.Errorf("got %s with folder %q, want apply_patch with /w/lamp", call.Name, got)
	}
	if c := tools.DescribeInput(call.Name, call.Input, ""); c.Description != "More light" {
		t.Errorf("got description %q", c.Description)
	}
}

// TestFolder: the folder of a command may be written as an address.
func TestFolder(t *testing.T) {
	for written, want := range map[string]string{
		"/w/lamp": "/w/lamp", "file:///w/my%20lamp": "/w/my lamp", "file:///C:/w": "C:/w", "file://%zz": "file://%zz",
		"file://lamp.local/w": "/w",
	} {
		line := `{"type":"event_msg","payload":{"type":"exec_command_end","call_id":"c","command":["ls"],"cwd":"` +
			written + `","exit_code":0}}`
		f := list.Read("in.jsonl", []byte(line), transcript.Options{Own: true})
		input := f.Records[0].Message.Content[0].Input
		if got := transcript.String(transcript.Field(input, "workdir")); got != want {
			t.Errorf("%s: got %q, want %q", written, got, want)
		}
	}
}

// TestFailedReturn: a script that prints the exit code of a failed command has failed.
func TestFailedReturn(t *testing.T) {
	for printed, want := range map[string]bool{
		"exit=0": false, "exit=2\n": true, "exit=undefined": false, "exit=1 of 2": false,
		`{"exit_code":1,"output":"dark"}`: true, `{"exit_code":0,"output":"lit"}`: false,
	} {
		said, _ := json.Marshal(printed)
		file := list.Read("in.jsonl", []byte(
			`{"type":"response_item","payload":{"type":"custom_tool_call","call_id":"c","name":"exec","input":"text(1)"}}
{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c","output":[`+
				`{"type":"input_text","text":"Script completed\nWall time 0.1 seconds\nOutput:\n"},`+
				`{"type":"input_text","text":"lamp.go"},{"type":"input_text","text":`+string(said)+`}]}}`,
		), transcript.Options{})
		last := file.Records[len(file.Records)-1]
		if got := last.Message.Content[0].IsError; got != want {
			t.Errorf("%s: got failed %v, want %v", printed, got, want)
		}
	}
}

// TestResultTextOnce: nothing but the blocks of a result keeps its texts in memory.
func TestResultTextOnce(t *testing.T) {
	const said = "the lamp is lit"
	file := list.Read("in.jsonl", []byte(strings.Join([]string{
		`{"timestamp":"2026-06-18T10:00:00Z","type":"session_meta","payload":{"id":"a","cwd":"/w"}}`,
		`{"timestamp":"2026-06-18T10:00:01Z","type":"response_item","payload":{"type":"custom_tool_call","call_id":"c","name":"exec","input":"text(1)"}}`,
		`{"timestamp":"2026-06-18T10:00:02Z","type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c","output":[{"type":"input_text","text":"Script completed\nWall time 0.1 seconds\nOutput:\n"},{"type":"input_text","text":"` + said + `"}]}}`,
	}, "\n")), transcript.Options{})
	last := file.Records[len(file.Records)-1]
	if last.Message == nil || !last.TextApart {
		t.Fatalf("got %+v, want a result with its texts apart", last)
	}
	result := last.Message.Content[0]
	if n := len(result.Content); n != 1 || result.Content[0].Text != said {
		t.Errorf("got %d blocks %+v, want the text", n, result.Content)
	}
	values := []jsontext.Value{last.Raw, result.Raw, last.ToolUseResult}
	for _, b := range result.Content[:cap(result.Content)] {
		values = append(values, b.Raw)
	}
	for _, v := range values {
		if strings.Contains(string(v), said) || cap(v) > 200 {
			t.Errorf("%s has the text, or the memory of the line", v)
		}
	}
}

// TestPlainOutput: an output is a text also if it is another JSON value.
func TestPlainOutput(t *testing.T) {
	for output, want := range map[string]string{`7`: "7", `true`: "true", `"lit"`: "lit", `null`: "", `[]`: ""} {
		line := `{"type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":` + output + `}}`
		f := list.Read("in.jsonl", []byte(line), transcript.Options{Own: true})
		got := ""
		for _, b := range f.Records[0].Message.Content[0].Content {
			got += b.Text
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", output, got, want)
		}
	}
}

// TestWindow: the size of the context is the one that the log states with the tokens of a request.
func TestWindow(t *testing.T) {
	c, _ := sourcetest.Draw(t, codex.Source{}, "r.jsonl", []byte(
		`{"timestamp":"2026-06-18T10:00:00Z","type":"session_meta","payload":{"id":"a","cwd":"/w/lamp"}}`+"\n"+
			`{"timestamp":"2026-06-18T10:00:01Z","type":"response_item","payload":{"type":"message","role":"assistant",`+
			`"content":[{"type":"output_text","text":"Lit."}]}}`+"\n"+
			`{"timestamp":"2026-06-18T10:00:02Z","type":"event_msg","payload":{"type":"token_count","info":{`+
			`"total_token_usage":{"input_tokens":9},"last_token_usage":{"input_tokens":9},`+
			`"model_context_window":258400}}}`+"\n"))
	if n := c.Turns[len(c.Turns)-1].Requests[0].Window; n != 258_400 {
		t.Errorf("window %d", n)
	}
}

// TestSpeed: requests are priced at the tier that was asked for, or at that in which they were served if the count says
// so. All settings without a tier end it.
func TestSpeed(t *testing.T) {
	settings := func(tier string) string {
		return `{"type":"event_msg","payload":{"type":"thread_settings_applied","thread_settings":{"model":"gpt-5.6-sol"` +
			tier + `}}}` + "\n"
	}
	n := 0
	count := func(tier string) string {
		n++
		return fmt.Sprintf(`{"type":"event_msg","payload":{"type":"token_count"%s,"info":{"total_token_usage":{`+
			`"input_tokens":%d},"last_token_usage":{"input_tokens":%d}}}}`+"\n", tier, n, n)
	}
	const fast, slow = `,"service_tier":"priority"`, `,"service_tier":"default"`
	log := `{"type":"session_meta","payload":{"id":"s"}}` + "\n" + count("") + settings(fast) + count("") +
		count(slow) + settings(`,"service_tier":null`) + count("") + count(fast) +
		settings(`,"service_tier":"flex"`) + count("")
	c, _ := sourcetest.Draw(t, codex.Source{}, "r.jsonl", []byte(log))
	var got []string
	for _, turn := range c.Turns {
		for _, r := range turn.Requests {
			got = append(got, r.Speed)
		}
	}
	if want := []string{"", "fast", "", "", "fast", "flex"}; !slices.Equal(got, want) {
		t.Errorf("got speeds %q, want %q", got, want)
	}
}

// TestReviewAskedOnce: the request of a review, of which the log has two events, is one prompt. The same words twice
// elsewhere are two.
func TestReviewAskedOnce(t *testing.T) {
	log, second := "", 10
	event := func(kind, more string) {
		log += fmt.Sprintf(`{"timestamp":"2026-06-18T10:00:%dZ","type":"event_msg","payload":{"type":%q%s}}`+"\n",
			second, kind, more)
		second++
	}
	ask := func() { event("user_message", `,"message":"Look at the lamp."`) }
	event("entered_review_mode", "")
	event("task_started", "")
	ask()
	ask()
	event("exited_review_mode", `,"review_output":{"overall_explanation":"It is dark."}`)
	ask()
	ask()
	c, _ := sourcetest.Draw(t, codex.Source{}, "r.jsonl", []byte(log))
	if n := sourcetest.Count(c).Prompts; n != 3 {
		t.Errorf("%d prompts, want 3", n)
	}
}

// TestSandboxed: the text of a command that the sandbox stopped has its exit code.
func TestSandboxed(t *testing.T) {
	const text = "failed in sandbox MacosSeatbelt with execution error: sandbox denied exec error, exit code: 2, stdout: , " +
		"stderr: sh: a: Operation not permitted"
	line := `{"type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"` + text + `"}}`
	f := list.Read("in.jsonl", []byte(line), transcript.Options{Own: true})
	r := f.Records[len(f.Records)-1]
	b := r.Message.Content[0]
	if code := transcript.TextOf(transcript.Field(r.ToolUseResult, "exitCode")); code != "2" || !b.IsError ||
		b.Content[0].Text != text {
		t.Errorf("exit code %q in %+v", code, b)
	}
}

// TestRejected: the text of a result tells whether the user, a rule or a hook stopped the call, also where the program
// calls all of them declined.
func TestRejected(t *testing.T) {
	for text, want := range map[string]string{
		"exec command rejected by user": "user-rejected",
		"user cancelled MCP tool call":  "user-rejected",
		"exec_command failed for `rm a`: CreateProcess { message: \"Rejected(\\\"rejected by user\\\")\" }":                   "user-rejected",
		"exec_command failed for `rm a`: CreateProcess { message: \"Rejected(\\\"`rm a` rejected: blocked by policy\\\")\" }": "permission-rule",
		"exec_command failed for `rm a`: No such file":                                                                        "",
		"`rm a` rejected: blocked by policy":                                                                                  "permission-rule",
		"patch rejected: writing outside of the project; rejected by user approval settings":                                  "permission-rule",
		"approval policy is Never; reject command — you cannot ask for escalated permissions":                                 "permission-rule",
		"Command blocked by PreToolUse hook: not on Fridays. Command: rm a":                                                   "hook",
	} {
		said, _ := json.Marshal(text)
		for _, c := range []struct{ line, otherwise string }{
			{`{"type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":` + string(said) + `}}`, ""},
			{`{"type":"item.completed","item":{"id":"c","type":"command_execution","command":"rm a","aggregated_output":` +
				string(said) + `,"exit_code":-1,"status":"declined"}}`, "user-rejected"},
		} {
			f := list.Read("in.jsonl", []byte(c.line), transcript.Options{Own: true})
			last := f.Records[len(f.Records)-1]
			if got := last.DenialKind("c"); got != cmp.Or(want, c.otherwise) || !last.Message.Content[0].IsError {
				t.Errorf("%s: got %q, failed %t, want %q", c.line, got, last.Message.Content[0].IsError, want)
			}
		}
	}
}
