package render

import (
	"strings"
	"testing"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestNoResults: if a log has no results, the page says so once, and does not say that calls failed. If the log has
// some results, each call without one says so, and so does their number.
func TestNoResults(t *testing.T) {
	calls := `{"role":"user","message":{"content":[{"type":"text","text":"<user_query>Count.</user_query>"}]}}
{"role":"assistant","message":{"content":[{"type":"tool_use","name":"Read","input":{"path":"/w/a.go"}},{"type":"tool_use","name":"Read","input":{"path":"/w/b.go"}}]}}
`
	result := `{"role":"user","message":{"content":[{"type":"tool_result","content":"package a"}]}}
`
	claude := `{"uuid":"u1","sessionId":"s","type":"user","message":{"role":"user","content":"Count."}}
{"uuid":"u2","sessionId":"s","type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"/w/a.go"}},{"type":"tool_use","id":"t2","name":"Read","input":{"file_path":"/w/b.go"}}]}}
`
	for log, want := range map[string][3]int{
		calls:          {1, 0, 0},
		calls + result: {0, 1, 1},
		claude:         {1, 0, 0},
		// the second one still runs
		claude + `{"uuid":"u3","sessionId":"s","type":"user","message":{"role":"user","content":[` +
			`{"type":"tool_result","tool_use_id":"t1","content":"package a"}]}}`: {0, 0, 1},
	} {
		f := readCase([]byte(log))
		c := normalize.Build(normalize.Input{ID: "s", Main: &f})
		html := string(DrawSession(Session{Conversation: c, Main: &transcript.File{}}).Pages[0].HTML)
		got := [3]int{
			strings.Count(html, "2 calls, results not in the log"), strings.Count(html, ">result not in the log"),
			strings.Count(html, "2 calls, none failed, 1 without a result in the log"),
		}
		if got != want {
			t.Errorf("got %d, want %d: once for all, for each call, and failed calls", got, want)
		}
	}
}

// TestSentMore: a plus says that the log does not have all tokens that were sent. A later sum of the session has them.
func TestSentMore(t *testing.T) {
	event := func(kind, data string) string {
		return `{"type":"` + kind + `","data":` + data + `,"id":"e","parentId":"p"}` + "\n"
	}
	start := event("session.start", `{"sessionId":"a"}`) + event("user.message", `{"content":"Count."}`)
	answer := event("assistant.message", `{"messageId":"m","model":"tern-1","content":"One.","outputTokens":5}`)
	end := event("session.shutdown", `{"modelMetrics":{"tern-1":{"usage":{"inputTokens":2500,"outputTokens":5}}}}`)
	for log, want := range map[string]string{
		start + answer: "<b>5</b>tokens out", start + answer + end: "<b>2.5k</b>tokens in",
		start + answer + end + strings.Replace(answer, `"m"`, `"n"`, 1): "<b>2.5k&#43;</b>tokens in",
	} {
		f := readCase([]byte(log))
		c := normalize.Build(normalize.Input{ID: "a", Main: &f})
		html := string(DrawSession(Session{Conversation: c, Main: &transcript.File{}}).Pages[0].HTML)
		if html = strings.ReplaceAll(html, "</b> ", "</b>"); !strings.Contains(html, want) {
			_, html, _ = strings.Cut(html, "<dt>Spent")
			html, _, _ = strings.Cut(html, "</dl>")
			t.Errorf("got %s, want %s", html, want)
		}
	}
}

// TestFailedLater: the head does not say that no call failed if a command in the background did, after its call.
func TestFailedLater(t *testing.T) {
	log := func(exit string) string {
		return `{"uuid":"u1","sessionId":"s","type":"user","message":{"role":"user","content":"Test."}}
{"uuid":"u2","sessionId":"s","type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make all","run_in_background":true}}]}}
{"uuid":"u3","sessionId":"s","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"Command running in background with ID: b1"}]},"toolUseResult":{"stdout":"","backgroundTaskId":"b1"}}
{"uuid":"u4","sessionId":"s","type":"user","message":{"role":"user","content":"<task-notification><task-id>b1</task-id><summary>Background command \"All\" ended (exit code ` + exit + `)</summary></task-notification>"}}
`
	}
	for exit, want := range map[string][2]int{"0": {1, 0}, "2": {0, 1}} {
		f := readCase([]byte(log(exit)))
		c := normalize.Build(normalize.Input{ID: "s", Main: &f})
		html := string(DrawSession(Session{Conversation: c, Main: &transcript.File{}}).Pages[0].HTML)
		got := [2]int{
			strings.Count(html, "1 call, none failed"), strings.Count(html, "1 command failed in the background"),
		}
		if got != want {
			t.Errorf("exit code %s: got %d, want %d: none failed, and failed in the background", exit, got, want)
		}
	}
}

// TestStoppedLater: a command, an agent or a workflow in the background that was stopped says so, and did not fail.
func TestStoppedLater(t *testing.T) {
	call := func(id, tool, input, result string) string {
		return `{"sessionId":"s","type":"assistant","message":{"id":"m` + id + `","role":"assistant",` +
			`"content":[{"type":"tool_use","id":"` + id + `","name":"` + tool + `","input":` + input + `}]}}
{"sessionId":"s","type":"user","message":{"role":"user",` +
			`"content":[{"type":"tool_result","tool_use_id":"` + id + `","content":"Yes."}]},` +
			`"toolUseResult":` + result + "}\n"
	}
	command := call("t1", "Bash", `{"command":"make all","run_in_background":true}`, `{"backgroundTaskId":"b1"}`)
	agent := call("t1", "Agent", `{"prompt":"Look."}`, `{"status":"async_launched","agentId":"b1"}`)
	workflow := call("t1", "Workflow", `{"name":"tide"}`, `{"status":"async_launched","taskId":"b1"}`)
	note := func(status, summary string) string {
		return `{"sessionId":"s","type":"user","message":{"role":"user","content":"<task-notification><task-id>b1</task-id><status>` +
			status + `</status><summary>` + summary + `</summary></task-notification>"}}` + "\n"
	}
	for log, want := range map[string]string{
		command: "in background",
		agent:   "in background",
		command + call("t2", "KillShell", `{"shell_id":"b1"}`, `{"message":"Yes."}`): "stopped",
		command + call("t2", "KillBash", `{"shell_id":"b1"}`, `{"message":"Yes."}`):  "stopped",
		command + call("t2", "KillShell", `{"shell_id":"b2"}`, `{"message":"Yes."}`): "in background",
		command + strings.Replace(call("t2", "TaskStop", `{"task_id":"b1"}`, `"Error: No."`),
			`"content":"Yes."`, `"content":"No.","is_error":true`, 1): "in background",
		command + note("killed", "It was killed"):                                    "stopped",
		command + note("stopped", "x") + note("failed", "failed with exit code 143"): "stopped",
		agent + call("t2", "TaskStop", `{"task_id":"b1"}`, `{"message":"Yes."}`):     "stopped",
		workflow + call("t2", "TaskStop", `{"task_id":"b1"}`, `{"message":"Yes."}`):  "stopped",
	} {
		log = `{"uuid":"u1","sessionId":"s","type":"user","message":{"role":"user","content":"Test."}}` + "\n" + log
		f := readCase([]byte(log))
		c := normalize.Build(normalize.Input{ID: "s", Main: &f})
		html := string(DrawSession(Session{Conversation: c, Main: &transcript.File{}}).Pages[0].HTML)
		for _, words := range []string{"in background", "stopped"} {
			if got := strings.Contains(html, `<span class="b">`+words+"</span>"); got != (words == want) {
				t.Errorf("%s: says %q: %t", log, words, got)
			}
		}
		if strings.Contains(html, "failed in the background") {
			t.Errorf("%s: failed", log)
		}
	}
}
