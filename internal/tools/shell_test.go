package tools_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// callOf returns a call with its result, as records of a log.
func callOf(n int, tool, input, structured string) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":"a%d","timestamp":"2026-03-02T10:00:%02dZ","message":{"id":"m%d",`+
		`"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":%q,"input":%s}]}}`+"\n", n, 2*n, n, n, tool, input) +
		fmt.Sprintf(`{"type":"user","uuid":"u%d","timestamp":"2026-03-02T10:00:%02dZ","toolUseResult":%s,"message":{`+
			`"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"out %d"}]}}`+"\n",
			n, 2*n+1, structured, n, n)
}

func shellsIn(t *testing.T, log string) (all []tools.Shell) {
	t.Helper()
	file := transcript.Read("/s.jsonl", []byte(log))
	c := normalize.Build(normalize.Input{ID: "s", Main: &file})
	shells := tools.ShellsOf(c, nil)
	for g := range c.Groups() {
		all = append(all, shells.Of(g))
	}
	return all
}

// TestCommands: commands are found in all shapes of inputs, and with what their arguments say.
func TestCommands(t *testing.T) {
	for _, c := range []struct{ tool, input, want string }{
		{"Bash", `{"command":"ls","dangerouslyDisableSandbox":true}`, "ls outside"},
		{"exec_command", `{"cmd":"ls","workdir":"/w","sandbox_permissions":"require_escalated","justification":"so"}`,
			"ls in /w outside: so"},
		{"shell", `{"command":["bash","-lc","make test"]}`, "make test"},
		{"run_command", `{"CommandLine":"make"}`, "make"},
		{"run_shell_command", `{"command":"make","dir_path":"src"}`, "make in src"},
		{"run_commands", `{"commands":["make",{"command":"go","args":["test"]}]}`, "make\ngo test"},
		{"write_stdin", `{"session_id":7,"chars":"ls\n"}`, ""},
		{"Read", `{"command":"ls"}`, ""},
		{"exec", `"await tools.exec_command({cmd:\"make\",workdir:\"/w\"}); await tools.exec_command({\"cmd\":\"go vet\",` +
			`sandbox_permissions:\"require_escalated\",justification:\"so\"}); tools.exec_command({cmd})"`,
			"script: make in /w; go vet outside: so"},
	} {
		var got []string
		sh := shellsIn(t, callOf(1, c.tool, c.input, "{}"))[0]
		for _, given := range sh.Commands {
			s := given.Text
			if given.Folder != "" {
				s += " in " + given.Folder
			}
			if given.Unconfined {
				s += " outside"
			}
			if given.Explanation != "" {
				s += ": " + given.Explanation
			}
			got = append(got, s)
		}
		text := strings.Join(got, "; ")
		if sh.Script {
			text = "script: " + text
		}
		if text != c.want {
			t.Errorf("%s %s: got %q, want %q", c.tool, c.input, text, c.want)
		}
	}
}

// TestLaterEnd: the end of a command that keeps running is that of the last call that waits for it.
func TestLaterEnd(t *testing.T) {
	shells := shellsIn(t, callOf(1, "exec_command", `{"cmd":"make"}`, `{"session":"7"}`)+
		callOf(2, "write_stdin", `{"session_id":7}`, `{"session":"7"}`)+
		callOf(3, "write_stdin", `{"session_id":7}`, `{"exitCode":"0"}`))
	first := shells[0]
	if first.Runs() || first.Unclear() || first.Output() != "out 1\nout 2\nout 3\n" || first.Took().Seconds() != 5 {
		t.Errorf("got runs %t, unclear %t, output %q, %s", first.Runs(), first.Unclear(), first.Output(), first.Took())
	}
	if sh := shellsIn(t, callOf(1, "exec_command", `{"cmd":"make"}`, `{"session":"7"}`))[0]; !sh.Unclear() {
		t.Error("a command without an end is clear")
	}
}

// TestEnds: the call that started a command shows how the command ended later.
func TestEnds(t *testing.T) {
	start := callOf(1, "exec_command", `{"cmd":"make"}`, `{"session":"7"}`)
	for _, c := range []struct{ name, rest, exit string }{
		{"it runs", callOf(2, "write_stdin", `{"session_id":7}`, `{"session":"7"}`), ""},
		{"it failed", callOf(2, "write_stdin", `{"session_id":7}`, `{"session":"7"}`) +
			callOf(3, "write_stdin", `{"session_id":7}`, `{"exitCode":"2"}`), "exit 2"},
		{"it succeeded", callOf(2, "write_stdin", `{"session_id":7}`, `{"exitCode":"0"}`), "exit 0"},
		{"another ended", callOf(2, "write_stdin", `{"session_id":8}`, `{"exitCode":"1"}`), ""},
	} {
		file := transcript.Read("/s.jsonl", []byte(start+c.rest))
		conversation := normalize.Build(normalize.Input{ID: "s", Main: &file})
		context := tools.Context{Ends: tools.EndsOf(conversation)}
		for g := range conversation.Groups() {
			var facts []string
			for _, f := range tools.Describe(g, context).Facts {
				facts = append(facts, f.Text)
			}
			want := []string{"runs on as 7"}
			if c.exit != "" {
				want = append(want, c.exit)
			}
			if !slices.Equal(facts, want) {
				t.Errorf("%s: got %q, want %q", c.name, facts, want)
			}
			break // the others are the calls that waited
		}
	}
}

// TestInBackground: a command in the background ends with a report of the program, or when a call that asks for its
// output says so.
func TestInBackground(t *testing.T) {
	start := callOf(1, "Bash", `{"command":"make","run_in_background":true}`, `{"stdout":"","backgroundTaskId":"b1"}`)
	report := func(call, task, summary string) string {
		return fmt.Sprintf(`{"type":"user","uuid":"n1","origin":{"kind":"task-notification"},"message":{"role":"user",`+
			`"content":"<task-notification><task-id>%s</task-id><tool-use-id>%s</tool-use-id><summary>%s</summary>`+
			`</task-notification>"}}`+"\n", task, call, summary)
	}
	for _, c := range []struct {
		name, rest string
		want       normalize.State
		exit       string
	}{
		{"it still runs", "", normalize.Done, ""},
		{"it failed", report("t1", "b1", `Background command \"x\" failed with exit code 12`), normalize.Failed, "12"},
		{"it succeeded", report("gone", "b1", `Background command \"exit code 3\" completed (exit code 0)`),
			normalize.Done, "0"},
		{"found by its call", report("t1", "gone", `Background command failed with exit code 1`), normalize.Failed, "1"},
		{"of another", report("t7", "b7", `Background command failed with exit code 1`), normalize.Done, ""},
		{"it was killed", report("t1", "b1", `Background command \"exit code three\" was killed`), normalize.Done, ""},
		{"reported in a stream", `{"type":"system","subtype":"task_notification","task_id":"b1","status":"failed",` +
			`"summary":"Background command \"x\" failed with exit code 2"}` + "\n", normalize.Failed, "2"},
		{"asked", callOf(2, "TaskOutput", `{"task_id":"b1"}`, `{"task":{"task_id":"b1","exitCode":2}}`),
			normalize.Failed, "2"},
		{"asked too early", callOf(2, "TaskOutput", `{"task_id":"b1"}`, `{"task":{"task_id":"b1","exitCode":null}}`),
			normalize.Done, ""},
		{"asked by an early version", callOf(2, "BashOutput", `{"bash_id":"b1"}`, `{"shellId":"b1","exitCode":0}`),
			normalize.Done, "0"},
	} {
		sh := shellsIn(t, start+c.rest)[0]
		runs := c.exit == ""
		if sh.State() != c.want || sh.Exit() != c.exit || sh.Runs() != runs || sh.Unclear() != runs {
			t.Errorf("%s: got %s, exit %q, runs %t, unclear %t", c.name, sh.State(), sh.Exit(), sh.Runs(), sh.Unclear())
		}
	}
}

// TestLoggedApart: a command of a script that the log also has as a call of its own is one command.
func TestLoggedApart(t *testing.T) {
	const script = `"tools.exec_command({cmd:\"make\"}); tools.exec_command({cmd:\"ls\"})"`
	var got []string
	for _, sh := range shellsIn(t, callOf(1, "exec", script, "{}")+
		callOf(2, "shell", `{"command":["bash","-lc","make"]}`, "{}")) {
		got = append(got, sh.Text())
	}
	if want := []string{"ls", "make"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
