package outcome

import (
	"fmt"
	"testing"
)

// use appends a call of any tool, with its result.
func (l *logWriter) use(tool, input, output, structured string, failed bool) {
	l.record(`"type":"assistant","message":{"id":"m%d","role":"assistant","model":"m","content":[`+
		`{"type":"tool_use","id":"t%d","name":%q,"input":%s}]}`, l.n, l.n, tool, input)
	l.result(output, failed, structured)
}

// TestRunsOn: a command that keeps running ends with the last call that waited for it.
func TestRunsOn(t *testing.T) {
	const wait = `{"session_id":7,"chars":""}`
	for _, c := range []struct {
		name, want string
		write      func(l *logWriter)
	}{
		{"no end", "go test ×1 ran", func(*logWriter) {}},
		{"still no end", "go test ×1 ran", func(l *logWriter) {
			l.use("write_stdin", wait, "", `{"session":"7"}`, false)
		}},
		{"success", "go test ×1 green", func(l *logWriter) {
			l.use("write_stdin", wait, "", `{"session":"7"}`, false)
			l.use("write_stdin", wait, "", `{"exitCode":"0"}`, false)
		}},
		{"failure", "go test ×1 red", func(l *logWriter) { l.use("write_stdin", wait, "", `{"exitCode":"1"}`, true) }},
		{"another command", "go test ×1 ran", func(l *logWriter) {
			l.use("write_stdin", `{"session_id":8}`, "", `{"exitCode":"0"}`, false)
		}},
	} {
		f := of(func(l *logWriter) {
			l.prompt("Ask")
			l.use("exec_command", `{"cmd":"go test ./..."}`, "", `{"session":"7"}`, false)
			c.write(l)
		})
		got := ""
		for _, check := range f.Checks {
			got = fmt.Sprintf("%s ×%d %s", check.Name, check.Calls, check.Last)
		}
		if len(f.Checks) != 1 || got != c.want {
			t.Errorf("%s: got %d checks, the last %s, want one: %s", c.name, len(f.Checks), got, c.want)
		}
	}
}

// TestLateOutput: what git prints after a command was sent to the background counts.
func TestLateOutput(t *testing.T) {
	f := of(func(l *logWriter) {
		l.prompt("Ask")
		l.use("exec_command", `{"cmd":"git commit -m Gauge"}`, "", `{"session":"7"}`, false)
		l.use("write_stdin", `{"session_id":7}`, "[main 1a2b3c4] Gauge", `{"exitCode":"0"}`, false)
	})
	if len(f.Commits) != 1 || f.Commits[0].SHA != "1a2b3c4" || f.Commits[0].Subject != "Gauge" {
		t.Errorf("got commits %+v, want 1a2b3c4 Gauge", f.Commits)
	}
}

// TestScript: the commands of a script count. How the script ended does not say how they did.
func TestScript(t *testing.T) {
	const script = `"const r = await tools.exec_command({cmd: \"go test ./... && git commit -m Gauge && git push\"});` +
		`\ntext(r.output);"`
	for output, want := range map[string]Verdict{
		"": Unclear, "ok  \tviewer/a\t0.1s\n[main 1a2b3c4] Gauge\n   0a2b3c4..1a2b3c4  main -> main": Green,
		"--- FAIL: TestX": Red,
	} {
		f := of(func(l *logWriter) {
			l.prompt("Ask")
			l.use("exec", script, output, `{}`, false)
		})
		if len(f.Checks) != 1 || f.Checks[0].Last != want {
			t.Errorf("%q: got checks %+v, want one: %s", output, f.Checks, want)
		}
		if isCommitted := want == Green; (len(f.Commits) == 1) != isCommitted || (len(f.Pushes) == 1) != isCommitted {
			t.Errorf("%q: got commits %+v and pushes %+v", output, f.Commits, f.Pushes)
		}
	}
}

// TestSilentScript: a script may not print what its command printed, so that silence says nothing.
func TestSilentScript(t *testing.T) {
	f := of(func(l *logWriter) {
		l.prompt("Ask")
		l.use("exec", `"const r = await tools.exec_command({cmd: \"gofmt -l .; go vet ./... | cat\"});"`, "", `{}`, false)
	})
	for _, c := range f.Checks {
		if c.Last != Unclear {
			t.Errorf("%s is %s, want an unclear end", c.Name, c.Last)
		}
	}
	if len(f.Checks) != 2 {
		t.Errorf("got %d checks, want 2", len(f.Checks))
	}
}

// TestScriptPrintsReturn: a script prints what its command returned, as JSON. The output and the exit code in it count.
func TestScriptPrintsReturn(t *testing.T) {
	const one = `tools.exec_command({cmd: \"go vet && git commit -m Gauge && git push\"})`
	const returned = `{"chunk_id":"4d5e6f","exit_code":0,` +
		`"output":"[main 1a2b3c4] Gauge\n   0a2b3c4..1a2b3c4  main -> main\n"}`
	for _, test := range []struct {
		script, output string
		want           Verdict
		commits        int
	}{
		{one, returned, Green, 1},
		{one, `{"exit_code":1,"output":"lamp.go:3:1: unreachable code"}`, Unclear, 0}, // which one failed?
		{`tools.exec_command({cmd: \"go vet\"})`, `{"exit_code":1,"output":"lamp.go:3:1: unreachable code"}`, Red, 0},
		{`tools.exec_command({cmd: \"go vet | cat\"})`, `{"exit_code":0,"output":"unreachable code"}`, Unclear, 0},
		{one + "; " + one, returned, Unclear, 1}, // which of the two commands returned it?
		{one, `{"name":"a","exit_code":0,"output":"[main 1a2b3c4] Gauge"}`, Green, 1},
		{one, `{"exit_code":0,"stdout":"[main 1a2b3c4] Gauge"}`, Unclear, 0},
		{one, "exit=0", Green, 0},
		{`tools.exec_command({cmd: \"go vet\"})`, "exit=2", Red, 0},
		{`tools.exec_command({cmd: \"go vet\"})`, "exit=undefined", Unclear, 0},
	} {
		f := of(func(l *logWriter) {
			l.prompt("Ask")
			l.use("exec", `"text(JSON.stringify(await `+test.script+`))"`, test.output, `{}`, false)
		})
		if len(f.Checks) != 1 || f.Checks[0].Last != test.want || len(f.Commits) != test.commits {
			t.Errorf("%s printed %s: got checks %+v and commits %+v", test.script, test.output, f.Checks, f.Commits)
		}
	}
}

// TestStatedCommit: the log states one commit of a call without its subject. The output has the subject, and others.
func TestStatedCommit(t *testing.T) {
	f := of(func(l *logWriter) {
		l.prompt("Ask")
		l.call("git cherry-pick a b")
		l.result("[main 1a2b3c4] Gauge\n Date: today\n[main 5d6e7f8] Needle\n", false,
			`{"gitOperation":{"commit":{"sha":"1a2b3c4","kind":"cherry-picked"}}}`)
		l.call("sh release.sh")
		l.result("", false, `{"gitOperation":{"commit":{"sha":"9a9b9c9","kind":"committed"}}}`)
	})
	got := ""
	for _, c := range f.Commits {
		got += c.SHA + " " + c.Subject + "\n"
	}
	if want := "1a2b3c4 Gauge\n5d6e7f8 Needle\n9a9b9c9 \n"; got != want {
		t.Errorf("got commits\n%swant\n%s", got, want)
	}
}
