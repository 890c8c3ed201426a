package outcome

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// A logWriter writes the log of a session record by record.
type logWriter struct {
	b strings.Builder
	n int
}

func (l *logWriter) record(format string, args ...any) {
	l.n++
	fmt.Fprintf(&l.b, `{"uuid":"u%d","sessionId":"s","timestamp":"2026-05-12T10:%02d:%02dZ",%s}`+"\n", l.n, l.n/60,
		l.n%60, fmt.Sprintf(format, args...))
}

func (l *logWriter) prompt(text string) {
	l.record(`"type":"user","message":{"role":"user","content":%q}`, text)
}

// pictured appends a prompt with a picture, and more blocks.
func (l *logWriter) pictured(more string) {
	l.record(`"type":"user","message":{"role":"user","content":[`+
		`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}%s]}`, more)
}

func (l *logWriter) failedRequest() {
	l.record(`"type":"assistant","isApiErrorMessage":true,"message":{"id":"e","role":"assistant","model":"<synthetic>",` +
		`"content":[{"type":"text","text":"API Error: 529"}]}`)
}

func (l *logWriter) aborted(text string) {
	l.record(`"type":"assistant","isAbortedMidStream":true,"message":{"id":"m%d","role":"assistant","model":"m",`+
		`"content":[{"type":"text","text":%q}]}`, l.n, text)
}

func (l *logWriter) blocked(prompt string) {
	l.record(`"type":"system","subtype":"informational","level":"warning","content":%q`,
		"UserPromptSubmit operation blocked by hook:\n[guard]: No.\n\n\nOriginal prompt: "+prompt)
}

func (l *logWriter) command(name string) {
	l.prompt("<command-name>" + name + "</command-name><command-message>" + name[1:] +
		"</command-message><command-args></command-args>")
}

func (l *logWriter) answer(text string) { l.ends(text, "end_turn") }

func (l *logWriter) ends(text, reason string) {
	l.record(`"type":"assistant","message":{"id":"m%d","role":"assistant","model":"m","stop_reason":%q,"content":[{"type":"text","text":%q}]}`, l.n, reason, text)
}

func (l *logWriter) call(command string) {
	l.record(`"type":"assistant","message":{"id":"m%d","role":"assistant","model":"m","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":%q}}]}`, l.n, l.n, command)
}

func (l *logWriter) result(output string, failed bool, structured string) {
	l.record(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","is_error":%t,"content":%q}]},"toolUseResult":%s`,
		l.n-1, failed, output, structured)
}

// write appends a call that writes a file. problem is its error, or "" for success.
func (l *logWriter) write(path, problem string) {
	l.record(`"type":"assistant","message":{"id":"m%d","role":"assistant","model":"m","content":[{"type":"tool_use","id":"t%d","name":"Write","input":{"file_path":%q,"content":"x"}}]}`, l.n, l.n, path)
	l.result(problem, problem != "", `{}`)
}

func (l *logWriter) ran(command, output string) {
	l.call(command)
	l.result(output, false, `{}`)
}

func (l *logWriter) failed(command, output string) {
	l.call(command)
	l.result(output, true, `"Error"`)
}

func of(write func(l *logWriter)) Facts { return Of(conversation(write), nil) }

func conversation(write func(l *logWriter)) *normalize.Conversation {
	var l logWriter
	write(&l)
	read := transcript.Read("s.jsonl", []byte(l.b.String()))
	return normalize.Build(normalize.Input{ID: "s", Main: &read})
}

// TestReasonOfResult: why a run failed is what its end says, not what it made until then.
func TestReasonOfResult(t *testing.T) {
	for subtype, want := range map[string]string{
		"error_exit_cost":             "the limit of cost or requests was reached",
		"error_message_limit_reached": "message limit reached",
		"success":                     "API Error: 529",
	} {
		f := of(func(l *logWriter) {
			l.prompt("Ask")
			l.answer("So far")
			l.record(`"type":"result","subtype":%q,"is_error":true,"result":"API Error: 529"`, subtype)
		})
		if f.Mark != Failed || f.Reason != want {
			t.Errorf("%s: got %v (%s), want %q", subtype, f.Mark, f.Reason, want)
		}
	}
}

// TestEmptyAnswer: a log whose last request was answered without a word does not end before the answer.
func TestEmptyAnswer(t *testing.T) {
	empty := func(l *logWriter, content, reason string) {
		l.record(`"type":"assistant","message":{"id":"m9","role":"assistant","stop_reason":%q,"content":[%s]}`,
			reason, content)
	}
	const thought = `{"type":"thinking","thinking":"Nothing to say."}`
	for _, c := range []struct {
		name, want string
		write      func(l *logWriter)
	}{
		{"nothing", "the log has no answer", func(l *logWriter) { empty(l, "", "end_turn") }},
		{"only a thought", "the log has no answer", func(l *logWriter) { empty(l, thought, "end_turn") }},
		{"a thought before more", "the log ends before the answer", func(l *logWriter) {
			empty(l, thought, "tool_use")
		}},
		{"asked again", "the log ends before the answer", func(l *logWriter) {
			empty(l, "", "end_turn")
			l.prompt("And now?")
		}},
		{"answered", "", func(l *logWriter) {
			empty(l, "", "end_turn")
			l.answer("Done.")
		}},
	} {
		f := of(func(l *logWriter) {
			l.prompt("Ask")
			c.write(l)
		})
		if f.Reason != c.want {
			t.Errorf("%s: got %s (%s), want %q", c.name, f.Mark, f.Reason, c.want)
		}
	}
}

// TestLastError: an error that stopped a run is the reason of its end.
func TestLastError(t *testing.T) {
	for errors, want := range map[string]string{
		`[],"terminal_reason":"prompt_too_long"`: "the context is full",
		`[]`:                                     "an error stopped it",
		`"odd"`:                                  "an error stopped it",
		`["[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=tool_use"]`:  "an error stopped it",
		`["No conversation found with session ID: s"]`:                                      "No conversation found with session ID: s",
		`["Error: one","[ede_diagnostic] result_type=user","Error: two\n    at pier.js:1"]`: "Error: two",
	} {
		f := of(func(l *logWriter) {
			l.prompt("Ask")
			l.record(`"type":"result","subtype":"error_during_execution","is_error":true,"errors":%s`, errors)
		})
		if f.Mark != Failed || f.Reason != want {
			t.Errorf("%s: got %v (%s), want %q", errors, f.Mark, f.Reason, want)
		}
	}
}

// TestCauseOfEnd: what ended a turn before its answer is the reason why the session is unfinished, until the next
// prompt.
func TestCauseOfEnd(t *testing.T) {
	limit := func(l *logWriter) {
		l.record(`"type":"attachment","attachment":{"type":"max_turns_reached","maxTurns":2,"turnCount":3}`)
	}
	hook := func(l *logWriter) {
		l.record(`"type":"attachment","attachment":{"type":"hook_stopped_continuation","hookEvent":"PostToolUse",`+
			`"toolUseID":"t%d","message":"Enough"}`, l.n-2)
	}
	result := func(l *logWriter) {
		l.record(`"type":"result","subtype":"success","terminal_reason":"hook_stopped"`)
	}
	again := func(l *logWriter) {
		limit(l)
		l.prompt("And more")
	}
	for _, c := range []struct {
		end  func(*logWriter)
		want string
	}{
		{limit, "the limit of turns was reached"}, {hook, "a hook stopped the turn"},
		{result, "a hook stopped the turn"}, {again, "the log ends before the answer"},
	} {
		f := of(func(l *logWriter) {
			l.prompt("Ask")
			l.ran("ls", "a")
			c.end(l)
		})
		if f.Mark != Unfinished || f.Reason != c.want {
			t.Errorf("got %v (%s), want %q", f.Mark, f.Reason, c.want)
		}
	}
}

// TestRedactedBranch: names of branches are matched after user names in them were redacted.
func TestRedactedBranch(t *testing.T) {
	f := of(func(l *logWriter) {
		l.prompt("Ask")
		l.ran("git commit -m Gauge && git push",
			"[[user 1]/gauge 1a2b3c4] Gauge\n 1 file changed\nTo example.org:a/b\n"+
				"   0a2b3c4..1a2b3c4  [user 1]/gauge -> [user 1]/gauge\n + 1a2b3c4...5d6e7f8 main -> main (forced update)\n")
		l.answer("Done.")
	})
	if f.Mark != Pushed || len(f.Commits) != 1 || f.Commits[0].SHA != "1a2b3c4" ||
		len(f.Pushes) != 2 || f.Pushes[0].Branch != "[user 1]/gauge" || f.Pushes[1].Branch != "main" {
		t.Errorf("got %s, commits %+v, pushes %+v", f.Mark, f.Commits, f.Pushes)
	}
}

const declined = "The user doesn't want to proceed with this tool use. The tool use was rejected."

func TestMark(t *testing.T) {
	const push = "To example.org:a/b\n   1a2b3c4..5d6e7f8  main -> main"
	for _, c := range []struct {
		name  string
		want  Mark
		write func(l *logWriter)
	}{
		{"nothing", None, func(*logWriter) {}},
		{"an answer", Done, func(l *logWriter) { l.prompt("Ask"); l.answer("Done.") }},
		{"no answer", Unfinished, func(l *logWriter) { l.prompt("Ask") }},
		{"the second prompt has no answer", Unfinished, func(l *logWriter) {
			l.prompt("Ask")
			l.answer("Done.")
			l.prompt("And more")
		}},
		{"a call at the end", Unfinished, func(l *logWriter) { l.prompt("Ask"); l.answer("I look"); l.call("ls") }},
		{"a result at the end", Unfinished, func(l *logWriter) {
			l.prompt("Ask")
			l.answer("I look")
			l.ran("ls", "a")
		}},
		{"a prompt that waited for the answer", Unfinished, func(l *logWriter) {
			l.prompt("Ask")
			l.answer("Done.")
			l.record(`"type":"attachment","attachment":{"type":"queued_command","commandMode":"prompt","prompt":"Hurry"}`)
		}},
		{"stopped", Interrupted, func(l *logWriter) {
			l.prompt("Ask")
			l.answer("I look")
			l.prompt("[Request interrupted by user]")
		}},
		{"stopped, and asked again", Done, func(l *logWriter) {
			l.prompt("Ask")
			l.prompt("[Request interrupted by user]")
			l.prompt("Again")
			l.answer("Done.")
		}},
		{"stopped in the middle of the answer", Interrupted, func(l *logWriter) {
			l.prompt("Ask")
			l.aborted("The first")
		}},
		{"stopped in the middle, and asked again", Done, func(l *logWriter) {
			l.prompt("Ask")
			l.aborted("The first")
			l.prompt("Again")
			l.answer("Done.")
		}},
		{"a prompt that a hook blocked", Unfinished, func(l *logWriter) { l.blocked("Ask") }},
		{"a prompt that a hook blocked, and another", Done, func(l *logWriter) {
			l.blocked("Ask")
			l.prompt("Ask kindly")
			l.answer("Done.")
		}},
		{"a prompt that a hook blocked after an answer", Done, func(l *logWriter) {
			l.prompt("Ask")
			l.answer("Done.")
			l.blocked("And more")
		}},
		{"a turn that a hook stopped before it began", Unfinished, func(l *logWriter) {
			l.prompt("Ask")
			l.prompt("Operation stopped by hook: out of hours")
		}},
		{"refused", Refused, func(l *logWriter) { l.prompt("Ask"); l.ends("No.", "refusal") }},
		{"cut off", CutOff, func(l *logWriter) { l.prompt("Ask"); l.ends("The first", "max_tokens") }},
		{"context full", CutOff, func(l *logWriter) {
			l.prompt("Ask")
			l.ends("The first", "model_context_window_exceeded")
		}},
		{"a failed request", Failed, func(l *logWriter) {
			l.prompt("Ask")
			l.failedRequest()
		}},
		{"a run that failed", Failed, func(l *logWriter) {
			l.prompt("Ask")
			l.answer("So far")
			l.record(`"type":"result","subtype":"error_max_turns","is_error":true`)
		}},
		{"a run that somebody stopped", Interrupted, func(l *logWriter) {
			l.prompt("Ask")
			l.answer("So far")
			l.record(`"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_tools"`)
		}},
		{"a run whose last request was aborted", Interrupted, func(l *logWriter) {
			l.prompt("Ask")
			l.answer("So far")
			l.record(`"type":"result","subtype":"error_during_execution","is_error":true,` +
				`"errors":["Error: Request was aborted.\n    at pier.js:1"]`)
		}},
		{"an early run that somebody stopped", Interrupted, func(l *logWriter) {
			l.prompt("Ask")
			l.answer("So far")
			l.prompt("[Request interrupted by user]")
			l.record(`"type":"result","subtype":"error_during_execution","is_error":true`)
		}},
		{"a run that failed after an answer", Failed, func(l *logWriter) {
			l.prompt("Ask")
			l.answer("So far")
			l.record(`"type":"result","subtype":"success","is_error":true`)
		}},
		{"a declined call at the end", Interrupted, func(l *logWriter) {
			l.prompt("Ask")
			l.failed("rm pier", declined)
		}},
		{"a stream that was cut", Unfinished, func(l *logWriter) {
			l.record(`"type":"system","subtype":"init"`)
			l.prompt("Ask")
			l.answer("So far")
		}},
		{"a whole stream", Done, func(l *logWriter) {
			l.record(`"type":"system","subtype":"init"`)
			l.prompt("Ask")
			l.answer("Done.")
			l.record(`"type":"result","subtype":"success"`)
		}},
		{"a run that succeeded with a call", Done, func(l *logWriter) {
			l.prompt("Ask")
			l.ends("I submit", "max_tokens")
			l.ran("submit", "")
			l.record(`"type":"result","subtype":"success"`)
		}},
		{"a prompt after a run that succeeded", Unfinished, func(l *logWriter) {
			l.prompt("Ask")
			l.ran("submit", "")
			l.record(`"type":"result","subtype":"success"`)
			l.prompt("And more")
		}},
		{"a change that was not allowed", Unfinished, func(l *logWriter) {
			l.prompt("Ask")
			l.write("a.go", "Claude requested permissions to write to a.go, but you haven't granted it yet.")
			l.answer("I made the file.")
		}},
		{"a change that was allowed later", Done, func(l *logWriter) {
			l.prompt("Ask")
			l.write("a.go", "Claude requested permissions to write to a.go, but you haven't granted it yet.")
			l.write("a.go", "")
			l.answer("I made the file.")
		}},
		{"a change that was not allowed, and another", Unfinished, func(l *logWriter) {
			l.prompt("Ask")
			l.write("a.go", "Claude requested permissions to write to a.go, but you haven't granted it yet.")
			l.write("b.go", "")
			l.write("a.go", "No space left on device.")
			l.answer("I made the files.")
		}},
		{"a change that was not allowed in an earlier turn", Done, func(l *logWriter) {
			l.prompt("Ask")
			l.write("a.go", "Claude requested permissions to write to a.go, but you haven't granted it yet.")
			l.answer("May I?")
			l.prompt("No need")
			l.answer("Then it is done.")
		}},
		{"pushed", Pushed, func(l *logWriter) {
			l.prompt("Ask")
			l.ran("git commit -m x", "[main 5d6e7f8] x")
			l.ran("git push", push)
			l.answer("Pushed.")
		}},
		{"pushed, and asked for more", Unfinished, func(l *logWriter) {
			l.prompt("Ask")
			l.ran("git push", push)
			l.prompt("And more")
		}},
		{"in one command", Pushed, func(l *logWriter) {
			l.prompt("Ask")
			l.ran("git commit -m x && git push", "[main 5d6e7f8] x\n"+push)
			l.answer("Pushed.")
		}},
		{"committed after the push", Done, func(l *logWriter) {
			l.prompt("Ask")
			l.ran("git push", push)
			l.ran("git commit -m x", "[main 6d6e7f8] x")
			l.answer("Committed.")
		}},
		{"a word to quit", Done, func(l *logWriter) {
			l.prompt("Ask")
			l.answer("It is done.")
			l.prompt("exit")
			l.prompt("[Request interrupted by user]")
		}},
		{"a word to quit that is answered", Done, func(l *logWriter) {
			l.prompt("Ask")
			l.prompt("quit")
			l.answer("What do you want to quit?")
		}},
		{"a word to quit that is answered by a call", Unfinished, func(l *logWriter) {
			l.prompt("Ask")
			l.answer("Done.")
			l.prompt("quit")
			l.call("quit")
		}},
		{"a word to quit before an answer", Unfinished, func(l *logWriter) {
			l.prompt("Ask")
			l.prompt("exit")
		}},
		{"a word to quit alone", Unfinished, func(l *logWriter) { l.prompt("exit") }},
		{"a push alone", Pushed, func(l *logWriter) {
			l.prompt("Ask")
			l.ran("git push", push)
			l.answer("Pushed.")
		}},
		{"a push that was only tried", Done, func(l *logWriter) {
			l.prompt("Ask")
			l.ran("git push --dry-run", push)
			l.answer("It would be pushed.")
		}},
		{"a commit after the push, whose own push failed", Done, func(l *logWriter) {
			l.prompt("Ask")
			l.ran("git push", push)
			l.failed("git commit -m x && git push", "[main 6d6e7f8] x\n! [rejected] main -> main (fetch first)")
			l.answer("No.")
		}},
		{"a push that failed", Done, func(l *logWriter) {
			l.prompt("Ask")
			l.failed("git push", "! [rejected] main -> main (fetch first)")
			l.answer("No.")
		}},
		{"output that looks like a push", Done, func(l *logWriter) {
			l.prompt("Ask")
			l.ran("cat log", push)
			l.answer("Read.")
		}},
	} {
		if got := of(c.write); got.Mark != c.want {
			t.Errorf("%s: got %v (%s), want %v", c.name, got.Mark, got.Reason, c.want)
		}
	}
}

// TestQuietCommit: git prints nothing about a commit with -q. A log in the same call has it.
func TestQuietCommit(t *testing.T) {
	f := of(func(l *logWriter) {
		l.prompt("Ask")
		l.ran("git add -A && git commit -q -F - <<'EOF'\nMend the gauge\n\nIt was stuck.\nEOF\ngit log --oneline -2",
			"1a2b3c4 Mend the gauge\n0a2b3c4 Paint it")
		l.ran(`git commit -qm "Oil the needle" && git commit -qam "Wind the spring"; git log --oneline -3`,
			"3a2b3c4 (HEAD -> main) Wind the spring\n2a2b3c4 Oil the needle\n1a2b3c4 Mend the gauge")
		l.ran(`git commit -q -m "Paint it" && make`, "")           // no log, but both succeeded
		l.ran(`git log --oneline -1`, "0a2b3c4 git log --oneline") // no commit
		l.ran(`git commit -m "Paint it"; git log --oneline -2`, "[main 4a2b3c4] Paint it\n0a2b3c4 Paint it")
		l.ran(`git commit -q -m "Tidy up"; git log --oneline -2`, "5a2b3c4 Tidy up\n9a2b3c4 Tidy up") // one
		l.answer("Done.")
	})
	got := ""
	for _, c := range f.Commits {
		got += c.SHA + " " + c.Subject + "\n"
	}
	want := "1a2b3c4 Mend the gauge\n2a2b3c4 Oil the needle\n3a2b3c4 Wind the spring\n Paint it\n4a2b3c4 Paint it\n" +
		"5a2b3c4 Tidy up\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestSilentGit: what git did without a word counts if the exit code, the next command or a later log says so.
func TestSilentGit(t *testing.T) {
	const mend = "git add -A && git commit -q -F - <<'EOF'\nMend the gauge\n\nIt was stuck.\nEOF"
	for _, c := range []struct {
		name, want string
		write      func(l *logWriter)
	}{
		{"exit code", " Mend the gauge", func(l *logWriter) { l.ran(mend, "") }},
		{"failed", "", func(l *logWriter) { l.failed(mend, "hook: no") }},
		{"denied", "", func(l *logWriter) {
			l.failed(mend, "The user doesn't want to proceed with this tool use. The tool use was rejected")
			l.ran("git log --oneline -1", "1a2b3c4 Mend the gauge")
		}},
		{"without a word against it", " Mend the gauge", func(l *logWriter) { l.ran(mend+"\nls | tail", "a") }},
		{"nothing to commit", "", func(l *logWriter) { l.ran(mend+"\nls", "On branch main\nnothing to commit\na") }},
		{"hidden", "", func(l *logWriter) { l.ran("make && "+mend+"\nls | tail", "a") }},
		{"later log", "1a2b3c4 Mend the gauge", func(l *logWriter) {
			l.ran("make && "+mend+"\nls | tail", "a")
			l.ran("git log --oneline -1", "1a2b3c4 Mend the gauge")
		}},
		{"tried twice", "1a2b3c4 Mend the gauge", func(l *logWriter) {
			l.failed(mend, "hook: no")
			l.ran(mend+"\nls | tail", "a")
			l.ran("git log --oneline -2", "1a2b3c4 Mend the gauge\n2a2b3c4 Mend the gauge")
		}},
		{"older log", "", func(l *logWriter) {
			l.ran("git log --oneline -1", "1a2b3c4 Mend the gauge")
			l.ran("make && "+mend+"\nls | tail", "a")
			l.ran("git log --oneline -1", "1a2b3c4 Mend the gauge")
		}},
		{"told", " Mend the gauge", func(l *logWriter) {
			l.ran(`git commit -qm "Mend the gauge" && echo committed; ls`, "committed\na")
		}},
		{"here document in an argument", " Mend the gauge", func(l *logWriter) {
			l.ran("git commit -q -m \"$(cat <<'EOF'\nMend the gauge\n\nEOF\n)\"", "")
		}},
		{"two here documents", "1a2b3c4 Mend the gauge", func(l *logWriter) {
			l.ran("cat <<'EOF'\nx\nEOF\ngit commit -q -m \"$(cat <<'EOF'\nMend the gauge\n\nEOF\n)\"", "x")
			l.ran("git log --oneline -1", "1a2b3c4 Mend the gauge")
		}},
		{"amended", " Mend the gauge", func(l *logWriter) {
			l.ran(mend, "")
			l.ran("git commit -q --amend --no-edit", "")
		}},
		{"surely amended, by a later log", "2a2b3c4 Mend the gauge", func(l *logWriter) {
			l.ran(mend+"\ngit log --oneline -1", "1a2b3c4 Mend the gauge")
			l.ran("make && "+strings.Replace(mend, "-q", "-q --amend", 1)+"\nls | tail", "a")
			l.ran("git log --oneline -1", "2a2b3c4 Mend the gauge")
		}},
		{"amended, in a later log", "2a2b3c4 Mend the gauge", func(l *logWriter) {
			l.ran(mend+"\ngit log --oneline -1", "1a2b3c4 Mend the gauge")
			l.ran(strings.Replace(mend, "-q", "-q --amend", 1)+"\nls | tail", "a")
			l.ran("git log --oneline -1", "2a2b3c4 Mend the gauge")
		}},
		{"stated", "1a2b3c4 Mend the gauge", func(l *logWriter) {
			l.call(mend + "\nls")
			l.result("a", false, `{"gitOperation":{"commit":{"sha":"1a2b3c4","kind":"committed"}}}`)
		}},
		{"hidden output", "1a2b3c4 Mend the gauge", func(l *logWriter) {
			l.ran(`git commit -m "Mend the gauge" | tail -1; git log --oneline -1`, "x\n1a2b3c4 Mend the gauge")
			l.ran(`git commit -m "Oil it" | tail -1`, " 1 file changed")
			l.ran("git log --oneline -1", "2a2b3c4 Oil it")
		}},
		{"work tree", "1a2b3c4 Mend the gauge", func(l *logWriter) {
			l.ran("cd /tmp/tree\ngit commit -qm 'Mend the gauge'; git log --oneline -1", "1a2b3c4 Mend the gauge")
		}},
		{"made again", "", func(l *logWriter) { l.ran("git reset --soft main && git commit -q -C 1a2b3c4", "") }},
		{"elsewhere", "", func(l *logWriter) {
			l.ran("cd /tmp/copy && "+mend, "")
			l.ran("git -C $S commit -qm x", "")
			l.ran("git init -q && git commit -qm x", "")
		}},
		{"pushed", " Mend the gauge, main", func(l *logWriter) {
			l.ran(mend, "")
			l.ran("git push -q -u origin HEAD:main", "")
		}},
		{"without a word, tried again", "1a2b3c4 Mend the gauge", func(l *logWriter) {
			l.ran(mend+"\nls | tail", "2 problems")
			l.ran(strings.Replace(mend, " -q", "", 1), "[main 1a2b3c4] Mend the gauge")
		}},
		{"not surely pushed", "", func(l *logWriter) { l.ran("git push -q; ls", "a") }},
		{"removed a branch", "", func(l *logWriter) { l.ran("git push -q origin --delete dev", "") }},
	} {
		f := of(func(l *logWriter) {
			l.prompt("Ask")
			c.write(l)
			l.answer("Done.")
		})
		var got []string
		for _, c := range f.Commits {
			got = append(got, c.SHA+" "+c.Subject)
		}
		for _, p := range f.Pushes {
			got = append(got, p.Branch)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestQuietCall: what one call says about a commit or a push of which git printed nothing. The output of the call
// follows " => ", and "!" marks one that failed.
func TestQuietCall(t *testing.T) {
	const commit = "git commit -qm 'Oil it'"
	for _, c := range []struct{ call, want string }{
		{commit + "; ls => a", "Oil it"},
		{"make; " + commit + "; ls => a", "Oil it"},
		{"make | tail && " + commit + "; ls => a", "Oil it"},
		{commit + " && echo ok; ls => a hook passed\nok", "Oil it"},
		{"git commit --quiet --message 'Oil it'", "Oil it"},
		{"git commit -q --message='Oil it'", "Oil it"},
		{"git commit -q --file - <<'E'\nOil it\nE", "Oil it"},
		{"git commit -q -mOil -a", "without a subject"},

		{"make && cd a; " + commit + "; ls => a", "Oil it"},

		// git may have failed without a word in the output
		{"make && ls | tail && " + commit + "; ls => a", ""},
		{commit + " | cat", ""},
		{commit + " | tail; ls => a", ""},
		{commit + " 2>/dev/null; ls => a", ""},
		{"! " + commit + "; false", ""},
		{"for i in a b; do " + commit + "; done; ls => a", ""},

		// it says why it made no commit
		{commit + "; ls => nothing added to commit but untracked files present", ""},
		{commit + "; ls => no changes added to commit (use git add)", ""},
		{commit + "; ls => Aborting commit due to empty commit message.", ""},
		{commit + "; ls => usage: git commit [-a]", ""},
		{commit + "; ls => husky - pre-commit hook exited with code 1", ""},

		// another repository
		{"cd .. && " + commit, ""},
		{"cd ~mara && " + commit, ""},
		{"git clone u && " + commit, ""},

		{"git push -q origin HEAD", "pushed "},
		{"git push -q origin a:b", "pushed b"},
		{"git push -q origin -d dev", ""},
		{"git push -q origin :dev", ""},
		{"git push -q --tags", ""},
		{"git push -q -n origin a", ""},
	} {
		f := of(func(l *logWriter) {
			l.prompt("Ask")
			command, output, _ := strings.Cut(c.call, " => ")
			if failed, ok := strings.CutPrefix(command, "! "); ok {
				l.failed(failed, output)
			} else {
				l.ran(command, output)
			}
		})
		got := ""
		for _, c := range f.Commits {
			got += cmp.Or(c.String(), "without a subject")
		}
		for _, p := range f.Pushes {
			got += "pushed " + p.Branch
		}
		if got != c.want {
			t.Errorf("%q: got %q, want %q", c.call, got, c.want)
		}
	}
}

// TestAmendedCommit: a commit that amends another replaces it, on its branch.
func TestAmendedCommit(t *testing.T) {
	f := of(func(l *logWriter) {
		l.prompt("Ask")
		l.ran("git commit -m x", "[main (root-commit) 1a2b3c4] Paint the pier")
		l.ran("git commit -m x", "[dev 2a2b3c4] Oil the needle")
		l.ran("git checkout main && git commit --amend --no-edit", "[main 3a2b3c4] Paint the pier")
		l.ran("git commit -m x; git commit --amend", "[main 4a2b3c4] Mend the gauge\n[main 5a2b3c4] Mend it")
		l.ran(`git commit -q --amend -m "Mend all" && git log --oneline -1`, "6a2b3c4 Mend all")
		l.call("git commit --amend")
		l.result("", false, `{"gitOperation":{"commit":{"sha":"7a2b3c4","kind":"amended"}}}`)
		l.ran(`git commit -m "do not --amend"`, "[main 8a2b3c4] do not --amend")
		l.ran("git commit --amend; git merge dev", "[main 9a2b3c4] do not") // which of them printed it?
	})
	got := ""
	for _, c := range f.Commits {
		got += c.SHA + " " + c.Subject + "\n"
	}
	want := "2a2b3c4 Oil the needle\n3a2b3c4 Paint the pier\n7a2b3c4 \n8a2b3c4 do not --amend\n9a2b3c4 do not\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestAgents: what agents ran counts in the order of time with what the session ran.
func TestAgents(t *testing.T) {
	agent := logWriter{n: 1}
	agent.failed("go test ./...", "FAIL")
	agent.ran("git commit -m x", "[dev 1a2b3c4] Oil the needle")
	main := logWriter{n: 10}
	main.prompt("Ask")
	main.ran("git push", "   0a2b3c4..1a2b3c4  main -> main")
	main.ran("go test ./...", "ok")
	main.ran("git commit -m x", "[main 2a2b3c4] Paint the pier")
	main.answer("Done.")
	log := transcript.Read("s.jsonl", []byte(main.b.String()))
	agentLog := transcript.Read("a.jsonl", []byte(agent.b.String()))
	f := Of(normalize.Build(normalize.Input{
		ID: "s", Main: &log, Agents: []normalize.AgentFile{{ID: "a", File: &agentLog}},
	}), nil)
	if len(f.Checks) != 1 || f.Checks[0].Last != Green || f.Checks[0].Calls != 2 {
		t.Errorf("got checks %+v, want go test in 2 calls, the last one green", f.Checks)
	}
	if len(f.Commits) != 2 || f.Commits[1].SHA != "2a2b3c4" || f.Mark != Done {
		t.Errorf("got %s, commits %+v, want done: 2a2b3c4 is not pushed", f.Mark, f.Commits)
	}
}

// TestChangedSincePush: a session that changed a file of its project after the last push is not pushed.
func TestChangedSincePush(t *testing.T) {
	const pushed = "   0a2b3c4..1a2b3c4  main -> main"
	for _, c := range []struct {
		name  string
		write func(l *logWriter)
		want  Mark
	}{
		{"before", func(l *logWriter) { l.write("/w/a.go", ""); l.ran("git push", pushed) }, Pushed},
		{"after", func(l *logWriter) { l.ran("git push", pushed); l.write("/w/a.go", "") }, Done},
		{"elsewhere", func(l *logWriter) { l.ran("git push", pushed); l.write("/tmp/body.md", "") }, Pushed},
		{"failed", func(l *logWriter) { l.ran("git push", pushed); l.write("/w/a.go", "No such folder") }, Pushed},
		{"restored", func(l *logWriter) { l.ran("git push", pushed); l.ran("git checkout main", "") }, Pushed},
		{"removed", func(l *logWriter) { l.ran("git push", pushed); l.write("/w/a", ""); l.ran("rm a", "") }, Pushed},
	} {
		got := of(func(l *logWriter) {
			l.record(`"type":"user","cwd":"/w","message":{"role":"user","content":"Ask"}`)
			c.write(l)
			l.answer("Done.")
		}).Mark
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// TestNotedCommit: commits that the program made by itself count, and those that it took back do not.
func TestNotedCommit(t *testing.T) {
	f := of(func(l *logWriter) {
		l.prompt("Ask")
		l.answer("Done.")
		for _, sha := range []string{"1a2b3c4", "2a2b3c4", "3a2b3c4"} {
			l.record(`"type":"system","subtype":"commit","content":"Commit","sha":%q,"subject":"Oil the needle"`, sha)
		}
		l.record(`"type":"system","subtype":"commit","content":"Removed","sha":"3a2b3c4","undone":true`)
		l.record(`"type":"system","subtype":"informational","sha":"4a2b3c4"`)
	})
	got := ""
	for _, c := range f.Commits {
		got += c.SHA + " " + c.Subject + " " + c.Call.Name + "\n"
	}
	if want := "1a2b3c4 Oil the needle commit\n2a2b3c4 Oil the needle commit\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestGit(t *testing.T) {
	f := of(func(l *logWriter) {
		l.prompt("Ask")
		l.ran(`cd /a && git -C b commit -q -m "x; y"`+" && git commit -m z && git push 2>&1 | tail -3; git push",
			"[main 1a2b3c4] Fix the loader\n 1 file changed\n[main 2a2b3c4] z\n * [new branch]      main -> main")
		l.call("git push")
		l.result("ok", false, `{"gitOperation":{"commit":{"sha":"5d6e7f8","kind":"committed"},"push":{"branch":"dev"},"pr":{"number":7,"url":"https://example.org/a/b/pull/7","action":"created"}}}`)
		l.ran("gh pr create --fill", "https://example.org/a/b/pull/8")
		l.ran("gh pr view 9", "https://example.org/a/b/pull/9")
		l.record(`"type":"pr-link","prNumber":7,"prUrl":"https://example.org/a/b/pull/7"`)
		l.record(`"type":"pr-link","prNumber":6,"prUrl":"https://example.org/a/b/pull/6"`)
		l.answer("Done.")
	})
	var got []string
	for _, c := range f.Commits {
		got = append(got, c.SHA+" "+c.Subject)
	}
	for _, p := range f.Pushes {
		got = append(got, p.Branch)
	}
	for _, p := range f.PullRequests {
		got = append(got, fmt.Sprint(p.Number, " ", p.Call != nil))
	}
	want := "1a2b3c4 Fix the loader|2a2b3c4 z|5d6e7f8 |main|dev|7 true|8 true|6 false"
	if strings.Join(got, "|") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), want)
	}
}

func TestAsked(t *testing.T) {
	f := of(func(l *logWriter) {
		l.prompt("<command-name>/init</command-name><command-message>init</command-message><command-args></command-args>")
		l.answer("Made it.")
	})
	if f.Asked != "/init" || f.Text != "Made it." {
		t.Errorf("got prompt %q and answer %q", f.Asked, f.Text)
	}
	f = of(func(l *logWriter) {
		l.prompt("Fix the login of the site")
		l.answer("I fixed it.")
		l.record(`"type":"system","subtype":"away_summary","content":"The login works. Next: release. (disable recaps in /config)"`)
	})
	if f.Asked != "Fix the login of the site" || f.Text != "The login works. Next: release." || f.Answer == nil {
		t.Errorf("got prompt %q and answer %q", f.Asked, f.Text)
	}
	f = of(func(l *logWriter) {
		l.prompt("hi")
		l.answer("What can I do?")
		l.prompt("Fix the login of the site")
	})
	if f.Asked != "Fix the login of the site" || f.Prompt.Text != f.Asked {
		t.Errorf("after a greeting: got prompt %q", f.Asked)
	}
	const task = `<teammate-message teammate_id="lead">{"type":"task_assignment","taskId":"1","subject":"Mend the lamp"}` +
		"</teammate-message>"
	const brief = `<teammate-message teammate_id="lead">You mend lamps.</teammate-message>`
	for messages, want := range map[string]string{
		task: "Mend the lamp", task + "\n\n" + brief: "You mend lamps.", brief + "\n\n" + task: "You mend lamps.",
	} {
		if f = of(func(l *logWriter) { l.prompt(messages) }); f.Asked != want {
			t.Errorf("%s: got prompt %q, want %q", messages, f.Asked, want)
		}
	}
	f = of(func(l *logWriter) {
		l.blocked("Fix the login with my key")
		l.prompt("Fix the login of the site")
	})
	if f.Asked != "Fix the login of the site" {
		t.Errorf("after a blocked prompt: got prompt %q", f.Asked)
	}
	if f = of(func(l *logWriter) { l.blocked("Fix the login") }); f.Asked != "Fix the login" {
		t.Errorf("a blocked prompt alone: got prompt %q", f.Asked)
	}
	if f = of(func(l *logWriter) { l.prompt("hi") }); f.Asked != "hi" {
		t.Errorf("a greeting alone: got prompt %q", f.Asked)
	}
}

// TestAskedByCommand: a command with arguments is the request and the title of a session if the model answers it, also
// if prompts follow it. Without arguments it is both only if there is no prompt.
func TestAskedByCommand(t *testing.T) {
	const moor = "<command-name>/moor</command-name>"
	const moorBoat = moor + "<command-args>the boat\nat the pier</command-args>"
	for name, c := range map[string]struct {
		want  string
		write func(l *logWriter)
	}{
		"alone": {"/moor the boat at the pier", func(l *logWriter) {
			l.prompt(moorBoat)
			l.answer("Moored.")
		}},
		"without arguments": {"/moor", func(l *logWriter) {
			l.prompt(moor)
			l.answer("Moored.")
		}},
		"a prompt after it": {"/moor the boat at the pier", func(l *logWriter) {
			l.prompt(moorBoat)
			l.answer("Moored.")
			l.prompt("Now paint it with care")
		}},
		"a word before it": {"/moor the boat at the pier", func(l *logWriter) {
			l.prompt("hi")
			l.answer("What can I do?")
			l.prompt(moorBoat)
			l.answer("Moored.")
		}},
		"a prompt before it": {"Paint the boat with care", func(l *logWriter) {
			l.prompt("Paint the boat with care")
			l.prompt(moorBoat)
			l.answer("Moored.")
		}},
		"not answered": {"Paint the boat with care", func(l *logWriter) {
			l.prompt(moorBoat)
			l.prompt("Paint the boat with care")
			l.answer("Painted.")
		}},
		"without arguments, a prompt after it": {"Paint the boat with care", func(l *logWriter) {
			l.prompt(moor)
			l.answer("Moored.")
			l.prompt("Paint the boat with care")
		}},
	} {
		session := conversation(c.write)
		asked, _ := Asked(session)
		if title := Title(session); asked != c.want || title != c.want {
			t.Errorf("%s: got the request %q and the title %q, want %q", name, asked, title, c.want)
		}
	}
}

// TestHalted: if the last turn has no answer, the outcome says how it ended, and not the answer of another turn.
func TestHalted(t *testing.T) {
	for _, c := range []struct {
		name, want string
		write      func(l *logWriter)
	}{
		{"a prompt", "No answer to: And paint the pier next", func(l *logWriter) {
			l.prompt("And paint the pier next")
		}},
		{"a call", "Last call: Bash ls, after: And paint the pier next", func(l *logWriter) {
			l.prompt("And paint the pier next")
			l.ran("ls", "a")
		}},
		{"a call of a command", "Last call: Bash ls, after: /paint", func(l *logWriter) {
			l.command("/paint")
			l.ran("ls", "a")
		}},
		{"a declined call", "Declined: Bash rm pier, after: And paint the pier next", func(l *logWriter) {
			l.prompt("And paint the pier next")
			l.failed("rm pier", declined)
		}},
		{"a stopped call", "Stopped: Bash make, after: And paint the pier next", func(l *logWriter) {
			l.prompt("And paint the pier next")
			l.failed("make", "[Request interrupted by user for tool use]")
		}},
		{"commands after it", "Declined: Bash rm pier, after: And paint the pier next", func(l *logWriter) {
			l.prompt("And paint the pier next")
			l.failed("rm pier", declined)
			l.prompt("[Request interrupted by user for tool use]")
			l.command("/exit")
		}},
		{"a failed request", "API Error: 529", func(l *logWriter) {
			l.prompt("And paint the pier next")
			l.failedRequest()
		}},
		{"words of the same turn", "I look for paint.", func(l *logWriter) {
			l.prompt("And paint the pier next")
			l.answer("I look for paint.")
			l.ran("ls", "a")
		}},
		{"a picture and words", "No answer to: Paint it like this", func(l *logWriter) {
			l.pictured(`,{"type":"text","text":"Paint it like this"}`)
		}},
		{"a picture", "No answer to: the last prompt", func(l *logWriter) { l.pictured("") }},
		{"no command alone", "The planks are laid.", func(l *logWriter) {
			l.command("/exit")
		}},
	} {
		f := of(func(l *logWriter) {
			l.prompt("Lay the planks")
			l.answer("The planks are laid.")
			c.write(l)
		})
		if f.Text != c.want || f.Answer == nil {
			t.Errorf("%s: got %s, %q, want %q", c.name, f.Mark, f.Text, c.want)
		}
	}
}

// TestRecapBehindCommand: the recap of a session counts, even if the command to quit follows it.
func TestRecapBehindCommand(t *testing.T) {
	f := of(func(l *logWriter) {
		l.prompt("Lay the planks")
		l.answer("One is laid.")
		l.record(`"type":"system","subtype":"away_summary","content":"Half of the pier stands."`)
		l.command("/exit")
	})
	if f.Text != "Half of the pier stands." {
		t.Errorf("got the text %q, want the recap", f.Text)
	}
}

// TestTitle: the title is the one that somebody gave, or the first sentence of the prompt.
func TestTitle(t *testing.T) {
	for _, c := range []struct{ given, prompt, want string }{
		{"Moor the boat", "Tie it up.", "Moor the boat"},
		{"", "Please moor the boat at the pier. Then:\n\n- look at v1.2 of the rope\n- rest", "Please moor the boat at the pier."},
		{"", "# A plan for the pier\n\nPlanks first.", "A plan for the pier"},
		{"", "Implement the following plan:\n\n# Mend the pier\n\nPlanks first.", "Mend the pier"},
		{"", "moor the boat", "moor the boat"},
		{"", "", "Session without a name"},
		{"---", "Tie it up.", "Tie it up."},
		{"---", "", "Session without a name"},
	} {
		facts := normalize.Facts{CustomTitle: c.given, FirstPrompt: c.prompt}
		if got := Title(&normalize.Conversation{Facts: facts}); got != c.want {
			t.Errorf("got the title of %q = %q, want %q", c.prompt, got, c.want)
		}
	}
}

// TestTitleWithout: a session without title and prompt is named by its place in a team, or by its id.
func TestTitleWithout(t *testing.T) {
	const id = "5eaf00d5-0b0a-4715-8de5-7a1de50f0a75"
	for want, c := range map[string]normalize.Conversation{
		"Session 5eaf00d5": {ID: id}, "Session notes": {ID: "notes"},
		"rigger of team pier":                        {ID: id, Facts: normalize.Facts{AgentName: "rigger", TeamName: "pier"}},
		"Session 5eaf00d5, log is missing, 2 agents": {ID: id, Facts: normalize.Facts{AgentsWithoutLog: 2}},
	} {
		if got := Title(&c); got != want {
			t.Errorf("got the title %q, want %q", got, want)
		}
	}
}

// TestQuestion: the question is the end of an answer, to which a short prompt replies.
func TestQuestion(t *testing.T) {
	const directives = "::git-stage{cwd=\"/t\"} ::git-commit{cwd=\"/t\"}\n::git-push{cwd=\"/t\"}\n"
	for answer, want := range map[string]string{
		"All is done.\n\nShould I push it? I can also open a pull request.": "Should I push it?",
		"The tide is low.\n\nIt turns at noon. Ask again then.":             "Ask again then.",
		"Which one?\n\n- the pier\n- the lock":                              "the pier; the lock",
		"Like so:\n\n```\nmake\n```":                                        "",
		"":                                                                  "",
		"The tide is in.\n\nShall I push?\n\n" + directives:                 "Shall I push?",
		"Use ::before{content: none}\nhere.":                                "Use ::before{content: none} here.",
	} {
		if got := Question(answer); got != want {
			t.Errorf("the question of %q is %q, want %q", answer, got, want)
		}
	}
}

// TestOpenQuestion: a log that ends with a question to the human says so.
func TestOpenQuestion(t *testing.T) {
	const ask = `"type":"assistant","message":{"id":"q","role":"assistant","model":"m","content":[{"type":"tool_use",` +
		`"id":"q","name":"AskUserQuestion","input":{"questions":[{"question":"Which lamp?","options":[]}]}}]}`
	f := of(func(l *logWriter) {
		l.prompt("Mend the lamp.")
		l.answer("There are two.")
		l.record(ask)
	})
	if f.Mark != Unfinished || f.Reason != "a question has no answer: Which lamp?" || f.Text != "There are two." {
		t.Errorf("got %s, %q, %q", f.Mark, f.Reason, f.Text)
	}
	f = of(func(l *logWriter) {
		l.prompt("Mend the lamp.")
		l.record(ask)
		l.record(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"q","content":"The left"}]}`)
	})
	if f.Reason != "the log ends before the answer" {
		t.Errorf("after an answer: got %q", f.Reason)
	}
}

// TestContinued: a conversation that goes on in another file is not done.
func TestContinued(t *testing.T) {
	f := of(func(l *logWriter) {
		l.prompt("Mend the lamp")
		l.answer("I turn it.")
		l.record(`"type":"system","subtype":"continued","content":"It goes on","file":"part-2.json"`)
	})
	if f.Mark != Unfinished || f.Reason != "it goes on in part-2.json" {
		t.Errorf("got %s, %q", f.Mark, f.Reason)
	}
}

// TestFinalCall: a call by which the model reports that its work is done ends a turn, with its last words.
func TestFinalCall(t *testing.T) {
	for _, c := range []struct {
		name, want string
		write      func(l *logWriter)
	}{
		{"with words", "done: The lamp works.", func(l *logWriter) {
			l.answer("I look.")
			l.use("task_complete", `{"summary":"The lamp works."}`, "", "{}", false)
		}},
		{"for the user", "done: Look at the lamp.", func(l *logWriter) {
			l.use("notify_user", `{"BlockedOnUser":true,"Message":"Look at the lamp."}`, "", "{}", false)
		}},
		{"without words", "done: The lamp works.", func(l *logWriter) {
			l.answer("The lamp works.")
			l.use("mark_task_complete", `{}`, "", "{}", false)
		}},
		{"failed", "unfinished: I look.", func(l *logWriter) {
			l.answer("I look.")
			l.use("finish", `{"message":"The lamp works."}`, "no", "{}", true)
		}},
		{"an edit in the text", "done: I turn it.", func(l *logWriter) {
			l.answer("I turn it.")
			l.use("SEARCH/REPLACE", `{"path":"a","old_string":"1","new_string":"2"}`, "Applied edit to a", "{}", false)
		}},
		{"the end of a turn", "done: I turn it.", func(l *logWriter) {
			l.answer("I turn it.")
			l.ran("turn", "")
			l.record(`"type":"turn_ended","subtype":"success"`)
		}},
		{"an earlier end of a turn", "unfinished: I turn it.", func(l *logWriter) {
			l.answer("I turn it.")
			l.record(`"type":"turn_ended","subtype":"success"`)
			l.ran("turn", "")
		}},
		{"a cut after the words", "cut off: I look", func(l *logWriter) {
			l.answer("I look")
			l.record(`"type":"assistant","message":{"id":"m0","role":"assistant","model":"m","stop_reason":"max_tokens","content":[]}`)
		}},
		{"another call", "unfinished: The lamp works.", func(l *logWriter) {
			l.use("finish", `{"message":"The lamp works."}`, "", "{}", false)
			l.ran("make", "")
		}},
		{"another prompt", "unfinished: No answer to: And now?", func(l *logWriter) {
			l.use("finish", `{"message":"The lamp works."}`, "", "{}", false)
			l.prompt("And now?")
		}},
	} {
		f := of(func(l *logWriter) {
			l.prompt("Mend the lamp.")
			c.write(l)
		})
		if got := f.Mark.String() + ": " + f.Text; got != c.want || f.Answer == nil {
			t.Errorf("%s: got %q at %v, want %q", c.name, got, f.Answer, c.want)
		}
	}
}
