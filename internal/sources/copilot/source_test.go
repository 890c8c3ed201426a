package copilot_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/copilot"
	"viewer/internal/testing/sourcetest"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestMatch: files are matched by their contents, in any order of members.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"type":"session.start","data":{"sessionId":"a"},"id":"a","timestamp":"t","parentId":null}`: true,
		`{"type":"session.start","data":{"sessionId":"cut`:                                           true,
		`{"id":"a","timestamp":"t","parentId":null,"type":"user.message","data":{"content":"hi"}}`:   true,
		"\ufeff\n{ \"type\" : \"abort\", \"data\" : {}, \"id\" : \"a\" }":                            true,
		`{"type":"session.start"}`:                                                            false,
		`{"type":"session_meta","timestamp":"t","payload":{}}`:                                false,
		`{"type":"session","id":"a","timestamp":"t","cwd":"/w"}`:                              false,
		`{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"hi"}}`: false,
		`{"type":"thread.started","thread_id":"a"}`:                                           false,
		"": false,
	} {
		if got := (copilot.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
}

// TestFolders: the folders in which sessions are stored.
func TestFolders(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		home string
		want []string
	}{
		{nil, "/h", []string{"/h/.copilot/session-state", "/h/.copilot/history-session-state"}},
		{map[string]string{"COPILOT_HOME": "/d"}, "/h", []string{"/d/session-state", "/d/history-session-state"}},
		{map[string]string{"XDG_STATE_HOME": "/s"}, "", []string{
			"/s/.copilot/session-state", "/s/.copilot/history-session-state",
		}},
		{nil, "", nil},
	} {
		got := (copilot.Source{}).Folders(func(name string) string { return c.env[name] }, c.home)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}

// TestArrange: a session is named by its folder, which also has a file with its title.
func TestArrange(t *testing.T) {
	tree := &sources.Tree{
		Base: "session-state",
		Paths: []string{
			"5d1c/checkpoints/001.md", "5d1c/events.jsonl", "5d1c/workspace.yaml", "other/events.jsonl", "old.jsonl",
			"session_4b0b_17.json",
		},
		Head: func(p string) []byte {
			if p == "5d1c/events.jsonl" {
				return []byte(`{"type":"session.start","data":{},"id":"a"}`)
			}
			if strings.HasPrefix(p, "session_") {
				return []byte(`{"sessionId":"4b0b","startTime":"t","chatMessages":[{"role":"us`)
			}
			return []byte(`{"event":"click"}`)
		},
	}
	want := []sources.Folder{{Name: "session-state", Sessions: []sources.Session{
		{ID: "4b0b", Log: 5, Path: "session_4b0b_17.json"},
	}}, {Name: "session-state", Sessions: []sources.Session{
		{ID: "5d1c", Log: 1, Path: "5d1c/events.jsonl", Beside: []int{2}},
	}}}
	if got := (copilot.Source{}).Arrange(tree); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for file, want := range map[string]string{
		"id: 5d1c\nsummary: Mend the lamp\ncwd: /w\n": "Mend the lamp", "summary: \"A \\\"b\\\"\"\n": `A "b"`,
		"summary: 'it''s on'\n": "it's on", "summary: |\n  x\n": "", "  summary: inner\n": "", "": "",
	} {
		if got := (copilot.Source{}).Title([]byte(file)); got != want {
			t.Errorf("%q: got %q, want %q", file, got, want)
		}
	}
}

// TestScan: a scan gives the facts of the records, in whatever pieces the file is read. All cases are of one
// repository.
func TestScan(t *testing.T) {
	repository := sources.HashRepository("https://github.com/noor/lamp.git")
	adjust := func(name string, want *sources.Facts) {
		if name != "copilot_document" { // which has no repository
			want.FirstUUID, want.Repository = "", repository
		} else if !want.End.After(want.Start) || want.CWD != "/w/lamp" {
			t.Errorf("got facts of a document %+v", want)
		}
	}
	sourcetest.Scan(t, copilot.Source{}, sourcetest.Cases(t, "copilot_*"), adjust)
}

// TestAppend: a growing file, including incomplete lines, gives the same as reading it at once.
func TestAppend(t *testing.T) {
	sourcetest.Grow(t, copilot.Source{}, sourcetest.Cases(t, "copilot_*"))
}

// TestShuffled: lines in any order are all accounted for.
func TestShuffled(t *testing.T) {
	first := `{"type":"session.start","data":{"sessionId":"a"},"id":"a"}`
	sourcetest.Shuffle(t, copilot.Source{}, first, sourcetest.Cases(t, "copilot_*"))
}

// TestBulk: a result that is in a file three times is kept once, and its repetition in hooks is not kept.
func TestBulk(t *testing.T) {
	text := strings.Repeat("x", 50_000)
	data := strings.ReplaceAll(`{"type":"session.start","data":{"sessionId":"a"},"id":"a"}
{"type":"assistant.message","data":{"messageId":"m","toolRequests":[{"toolCallId":"c","name":"bash","arguments":{}}]},"id":"b"}
{"type":"hook.start","data":{"hookInvocationId":"h","hookType":"postToolUse","input":{"toolName":"bash","toolArgs":"{}","toolResult":{"textResultForLlm":"TEXT","sessionLog":"TEXT"}}},"id":"c"}
{"type":"hook.end","data":{"hookInvocationId":"h","hookType":"postToolUse","success":true},"id":"d"}
{"type":"tool.execution_complete","data":{"toolCallId":"c","success":true,"result":{"content":"TEXT","detailedContent":"TEXT"}},"id":"e"}
`, "TEXT", text)
	f := sources.List{copilot.Source{}}.Read("in.jsonl", []byte(data), transcript.Options{Own: true})
	texts := 0
	for _, r := range f.Records {
		texts += strings.Count(string(r.Raw), text) + strings.Count(string(r.ToolUseResult), text)
		if r.Message == nil {
			continue
		}
		for _, b := range r.Message.Content {
			for _, inner := range b.Content {
				texts += strings.Count(inner.Text, text) + strings.Count(string(inner.Raw), text)
			}
		}
	}
	if texts != 1 {
		t.Errorf("the result is kept %d times, want once", texts)
	}
}

// FuzzTranslate: any line becomes records or problems, and nothing panics.
func FuzzTranslate(f *testing.F) {
	sourcetest.Fuzz(f, copilot.Source{}, sourcetest.Cases(f, "copilot_*"))
}

// TestHookEvents: the events of hooks have the names that those of Claude Code have.
func TestHookEvents(t *testing.T) {
	for event, want := range map[string]string{"": "", "preToolUse": "PreToolUse", "état": "État"} {
		line := `{"type":"hook.end","data":{"hookType":"` + event + `"},"id":"e1"}`
		f := sources.List{copilot.Source{}}.Read("events.jsonl", []byte(line), transcript.Options{})
		if got := f.Records[0].Attachment.HookEvent; got != want {
			t.Errorf("got %q for %q, want %q", got, event, want)
		}
	}
}

// TestVersions: records have the version of the program that wrote them, which may change when a session is resumed.
func TestVersions(t *testing.T) {
	var events []string
	for i, e := range []string{
		`"session.start","data":{"sessionId":"s","copilotVersion":"1.0.64","context":{"cwd":"/w"}}`,
		`"user.message","data":{"content":"Paint."}`,
		`"session.resume","data":{"copilotVersion":"1.0.74"}`,
		`"user.message","data":{"content":"Go on."}`,
	} {
		events = append(events, fmt.Sprintf(`{"id":"e%d","timestamp":"2026-07-24T10:00:0%dZ","type":%s}`, i, i, e))
	}
	c, _ := sourcetest.Draw(t, copilot.Source{}, "events.jsonl", []byte(strings.Join(events, "\n")))
	if want := []string{"1.0.64", "1.0.74"}; !slices.Equal(c.Facts.Versions, want) {
		t.Errorf("got %q, want %q", c.Facts.Versions, want)
	}
}

// eventsOf returns a session with a prompt and further events.
func eventsOf(more ...string) []byte {
	events := append([]string{
		`"session.start","data":{"sessionId":"s","copilotVersion":"1.0.90","context":{"cwd":"/w"}}`,
		`"user.message","data":{"content":"Paint."}`,
	}, more...)
	for i, e := range events {
		events[i] = fmt.Sprintf(`{"id":"e%d","timestamp":"2026-07-24T10:00:%02dZ","type":%s}`, i, i, e)
	}
	return []byte(strings.Join(events, "\n"))
}

// TestEmptyAnswer: an answer without text ends a turn if it makes no call.
func TestEmptyAnswer(t *testing.T) {
	for requests, want := range map[string]string{
		`[]`: "end_turn",
		`[{"toolCallId":"c","name":"bash","arguments":{}}]`: "",
	} {
		c, _ := sourcetest.Draw(t, copilot.Source{}, "events.jsonl", eventsOf(
			`"assistant.message","data":{"messageId":"m","content":"","toolRequests":`+requests+`}`))
		got := c.Messages[len(c.Messages)-1].Record.Message.StopReason
		if got != want {
			t.Errorf("requests %s: got %q, want %q", requests, got, want)
		}
	}
}

// TestContinued: what autopilot writes to go on is not a prompt of the human.
func TestContinued(t *testing.T) {
	c, _ := sourcetest.Draw(t, copilot.Source{}, "events.jsonl", eventsOf(
		`"user.message","data":{"content":"Go on until it is done.","isAutopilotContinuation":true}`))
	if n := c.Prompts(); n != 1 {
		t.Errorf("got %d prompts, want 1", n)
	}
}

// TestEnds: how a session and a turn ended.
func TestEnds(t *testing.T) {
	for event, want := range map[string]string{
		`"abort","data":{"reason":"user_initiated"}`:                                      "[Request interrupted by user]",
		`"abort","data":{"reason":"autopilot_credit_limit"}`:                              "Turn ended: its limit of credits is reached",
		`"session.shutdown","data":{"shutdownType":"routine"}`:                            "Session ended",
		`"session.shutdown","data":{"shutdownType":"error","errorReason":"out of paint"}`: "Session ended with an error: out of paint",
	} {
		c, _ := sourcetest.Draw(t, copilot.Source{}, "events.jsonl", eventsOf(event))
		if got := c.Messages[len(c.Messages)-1].Text; got != want {
			t.Errorf("%s: got %q, want %q", event, got, want)
		}
	}
}

// TestCancelledAgent: an agent that was cancelled has not completed.
func TestCancelledAgent(t *testing.T) {
	for event, want := range map[string]string{
		`{"toolCallId":"c","agentDisplayName":"Dyer","totalTokens":9}`:                  "Dyer completed, 9 tokens",
		`{"toolCallId":"c","agentDisplayName":"Dyer","totalTokens":9,"cancelled":true}`: "Dyer was cancelled, 9 tokens",
	} {
		c, _ := sourcetest.Draw(t, copilot.Source{}, "events.jsonl", eventsOf(`"subagent.completed","data":`+event))
		if got := c.Messages[len(c.Messages)-1].Text; got != want {
			t.Errorf("%s: got %q, want %q", event, got, want)
		}
	}
}

// TestStructuredExit: the exit code of a command is known if its text is cut.
func TestStructuredExit(t *testing.T) {
	for exit, want := range map[string]normalize.State{"0": normalize.Done, "2": normalize.Failed} {
		c, _ := sourcetest.Draw(t, copilot.Source{}, "events.jsonl", eventsOf(
			`"assistant.message","data":{"messageId":"m","toolRequests":[{"toolCallId":"c","name":"bash","arguments":{"command":"make"}}]}`,
			`"tool.execution_complete","data":{"toolCallId":"c","success":true,"result":{"content":"a lot of paint",`+
				`"contents":[{"type":"shell_exit","shellId":"1","exitCode":`+exit+`}]}}`))
		for g := range c.Groups() {
			if g.State != want {
				t.Errorf("exit code %s: got %s, want %s", exit, g.State, want)
			}
		}
	}
}

// TestShutdownTokens: the end of a session has the tokens that were sent, and the output that no answer has, since the
// program started.
func TestShutdownTokens(t *testing.T) {
	answer := func(id, model string, output int) string {
		return fmt.Sprintf(`"assistant.message","data":{"messageId":%q,"model":%q,"content":"Yes","outputTokens":%d}`,
			id, model, output)
	}
	c, _ := sourcetest.Draw(t, copilot.Source{}, "events.jsonl", eventsOf(
		answer("m1", "tern-1", 30), // the program was killed
		`"session.resume","data":{"sessionId":"a"}`, answer("m2", "tern-1", 40),
		`"session.shutdown","data":{"modelMetrics":{`+
			`"tern-1":{"usage":{"inputTokens":100,"cacheReadTokens":70,"cacheWriteTokens":10,"outputTokens":44}},`+
			`"tern-2":{"usage":{"inputTokens":50,"outputTokens":5}},"tern-3":{"requests":{"count":0}}}}`,
		`"session.resume","data":{"sessionId":"a"}`, answer("m3", "tern-1", 7),
		`"session.shutdown","data":{"modelMetrics":{"tern-1.0":{"usage":{"inputTokens":9,"outputTokens":7}}}}`))
	got := ""
	for _, turn := range c.Turns {
		for _, r := range turn.Requests {
			u := r.Usage
			got += fmt.Sprintln(r.Model, u.Input, u.CacheRead, u.CacheWrite, u.Output, r.OfSession)
		}
	}
	const want = `tern-1 0 0 0 30 false
tern-1 0 0 0 40 false
tern-1 20 70 10 4 true
tern-2 50 0 0 5 true
tern-1 0 0 0 7 false
tern-1.0 9 0 0 0 true
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
