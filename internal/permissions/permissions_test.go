package permissions

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"viewer/internal/testing/corpus"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// A script writes records of a session in /home/ada/lamp.
type script struct {
	lines []string
	calls int
}

func (s *script) record(kind, more, message string) {
	s.lines = append(s.lines, fmt.Sprintf(
		`{"type":%q,"uuid":"u%d","sessionId":"s","timestamp":"2026-03-02T10:00:%02dZ","cwd":"/home/ada/lamp"%s,%s}`,
		kind, len(s.lines), len(s.lines)%60, more, message))
}

func (s *script) prompt(mode string) {
	s.record("user", fmt.Sprintf(`,"permissionMode":%q`, mode), `"message":{"role":"user","content":"Go"}`)
}

// call appends a call with its result, which is an error if it begins with "!".
func (s *script) call(tool, input, result, more string) {
	s.calls++
	s.record("assistant", "", fmt.Sprintf(
		`"message":{"id":"m%d","content":[{"type":"tool_use","id":"t%d","name":%q,"input":%s}]}`,
		s.calls, s.calls, tool, input))
	result, failed := strings.CutPrefix(result, "!")
	s.record("user", more, fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d",`+
		`"is_error":%t,"content":%s}]}`, s.calls, failed, quoted(result)))
}

func (s *script) bash(command string) { s.call("Bash", `{"command":`+quoted(command)+`}`, "ok", "") }

// hook adds what a hook did before the next call.
func (s *script) hook(attachment string) {
	s.record("attachment", "", fmt.Sprintf(`"attachment":{"toolUseID":"t%d",%s}`, s.calls+1, attachment))
}

func quoted(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}

func (s *script) facts() Facts {
	file := transcript.Read("s.jsonl", []byte(strings.Join(s.lines, "\n")+"\n"))
	return Of(normalize.Build(normalize.Input{ID: "s", Main: &file}))
}

// describe describes all facts.
func describe(f Facts) []string {
	var all []string
	for _, m := range f.Modes {
		if !m.Usual {
			all = append(all, fmt.Sprintf("mode %s, %d calls, elevated %t", m.Name, m.Calls, m.Elevated))
		}
	}
	for _, d := range f.Decisions {
		how := "stopped"
		if d.Allowed {
			how = "allowed"
		}
		words := []string{how, d.Tool, d.Target, d.By.String(), d.Who, d.Why}
		all = append(all, strings.Join(slices.DeleteFunc(words, func(s string) bool { return s == "" }), " | "))
	}
	for _, e := range f.Elevated {
		all = append(all, strings.TrimSpace(fmt.Sprintf("rights %s: %s %s", e.What, e.Command, e.Why)))
	}
	for _, o := range f.Files {
		words := fmt.Sprintf("outside %s %d/%d/%d", o.Path, o.Reads, o.Writes, o.Deletes)
		if o.Temporary {
			words += " temporary"
		}
		all = append(all, words)
	}
	for _, h := range f.Hosts {
		all = append(all, fmt.Sprintf("host %s %d", h.Name, h.Calls))
	}
	return all
}

const rejected = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, " +
	"the new_string was NOT written to the file)."

// TestOf has a case for each rule of docs/permissions.md.
func TestOf(t *testing.T) {
	edit := `{"file_path":"/home/ada/lamp/a.go","old_string":"a","new_string":"b"}`
	for _, c := range []struct {
		name  string
		write func(*script)
		want  []string
	}{
		{"nothing", func(s *script) { s.prompt("default"); s.call("Edit", edit, "ok", "") }, nil},
		{"modes", func(s *script) {
			s.prompt("acceptEdits")
			s.call("Edit", edit, "ok", "")
			s.prompt("bypassPermissions")
			s.bash("ls")
			s.bash("ls")
		}, []string{"mode edits accepted, 1 calls, elevated false",
			"mode permissions bypassed, 2 calls, elevated true"}},
		{"settings of other programs", func(s *script) {
			for _, more := range []string{
				`"approvals":"on-request","sandbox":"workspace-write"`, `"approvals":"never"`,
				`"approvals":"on-request","sandbox":"read-only"`, `"sandbox":"danger-full-access"`,
				`"sandbox":"none","approvals":"all allowed"`,
				`"sandbox":"","approvals":"yolo","network":"off","mode":"code"`,
			} {
				s.record("system", `,"subtype":"settings"`, more)
				s.bash("ls")
			}
		}, []string{"mode approvals never, sandbox workspace-write, 1 calls, elevated false",
			"mode approvals on-request, sandbox read-only, 1 calls, elevated false",
			"mode approvals on-request, sandbox danger-full-access, 1 calls, elevated true",
			"mode approvals all allowed, sandbox none, 1 calls, elevated true",
			"mode approvals yolo, sandbox none, network off, mode code, 1 calls, elevated true"}},
		{"an unknown mode", func(s *script) { s.prompt("bold"); s.bash("ls") },
			[]string{"mode mode bold, 1 calls, elevated false"}},
		{"a person, with words", func(s *script) {
			s.call("Edit", edit, "!"+rejected+" To tell you how to proceed, the user said:\nnot this file", "")
		}, []string{"stopped | Edit | /home/ada/lamp/a.go | by a person | not this file"}},
		{"a person, with words of the program", func(s *script) {
			s.call("Edit", edit, "!"+rejected+" To tell you how to proceed, the user said:\n"+
				"The user wants to clarify these questions.\n    This means they may have …", "")
		}, []string{"stopped | Edit | /home/ada/lamp/a.go | by a person"}},
		{"a rule", func(s *script) {
			s.call("Bash", `{"command":"ls"}`, "!Permission to use Bash with command ls has been denied.", "")
		}, []string{"stopped | Bash | ls | by a rule"}},
		{"nobody to ask", func(s *script) {
			s.call("Bash", `{"command":"ls"}`,
				"!Claude requested permissions to use Bash, but you haven't granted it yet.", "")
		}, []string{"stopped | Bash | ls | nobody was there to ask"}},
		{"nobody to ask, though the log says that a person rejected it", func(s *script) {
			s.call("Bash", `{"command":"ls"}`, "!This command requires approval", `,"toolDenialKind":"user-rejected"`)
		}, []string{"stopped | Bash | ls | nobody was there to ask"}},
		{"no prompts in the background", func(s *script) {
			s.call("Bash", `{"command":"ls"}`,
				"!Permission to use Bash has been auto-denied (prompts unavailable).", "")
		}, []string{"stopped | Bash | ls | nobody was there to ask"}},
		{"the words of a classifier", func(s *script) {
			s.call("Bash", `{"command":"ls"}`,
				"!Permission for this action was denied by the Claude Code auto mode classifier. Reason: too bold", "")
		}, []string{"stopped | Bash | ls | by a classifier | too bold"}},
		{"the words for a classifier that did not answer", func(s *script) {
			s.call("Bash", `{"command":"ls"}`,
				"!m is temporarily unavailable, so auto mode cannot determine the safety of Bash right now.", "")
		}, []string{"stopped | Bash | ls | by a classifier"}},
		{"a classifier, in a stream", func(s *script) {
			s.call("Bash", `{"command":"ls"}`, "!no",
				`,"tool_result_meta":[{"id":"t1","non_execution_kind":"automode-blocked"}]`)
		}, []string{"stopped | Bash | ls | by a classifier | auto mode"}},
		{"the words of a hook", func(s *script) {
			s.call("Bash", `{"command":"ls"}`, "!PreToolUse:Bash hook error: [guard.sh]: no",
				`,"toolDenialKind":"permission-rule"`)
		}, []string{"stopped | Bash | ls | by a hook | [guard.sh]: no"}},
		{"a classifier", func(s *script) {
			s.call("Bash", `{"command":"ls"}`, "!Permission for this action has been denied. Reason: too bold",
				`,"toolDenialKind":"automode-blocked"`)
		}, []string{"stopped | Bash | ls | by a classifier | auto mode | too bold"}},
		{"a hook", func(s *script) {
			s.hook(`"type":"hook_blocking_error","hookEvent":"PreToolUse","hookName":"PreToolUse:Bash",` +
				`"blockingError":{"blockingError":"no","command":"guard.sh"}`)
			s.call("Bash", `{"command":"ls"}`, "!blocked", "")
		}, []string{"stopped | Bash | ls | by a hook | guard.sh | no"}},
		{"a hook that allows", func(s *script) {
			s.hook(`"type":"hook_success","hookEvent":"PreToolUse","command":"allow.sh","stdout":` +
				quoted(`{"hookSpecificOutput":{"permissionDecision":"allow","permissionDecisionReason":"safe"}}`))
			s.bash("ls")
		}, []string{"allowed | Bash | ls | by a hook | allow.sh | safe"}},
		{"an answer", func(s *script) {
			s.hook(`"type":"hook_permission_decision","hookEvent":"PermissionRequest","decision":"approved for session"`)
			s.bash("ls")
		}, []string{"allowed | Bash | ls | by a person | approved for session"}},
		{"an answer that a rule gave", func(s *script) {
			s.hook(`"type":"hook_permission_decision","hookEvent":"PermissionRequest","decision":"allowed by rule",` +
				`"message":"Bash(ls)"`)
			s.bash("ls")
		}, []string{"allowed | Bash | ls | by a rule | allowed by rule | Bash(ls)"}},
		{"a hook that allows a request", func(s *script) {
			s.hook(`"type":"hook_success","hookEvent":"PermissionRequest","command":"allow.sh","stdout":` +
				quoted(`{"hookSpecificOutput":{"decision":{"behavior":"allow","message":"fine"}}}`))
			s.bash("ls")
		}, []string{"allowed | Bash | ls | by a hook | allow.sh | fine"}},
		{"a hook that allows in place of a person", func(s *script) {
			s.hook(`"type":"hook_permission_decision","hookEvent":"PermissionRequest","decision":"allow",` +
				`"hookName":"PermissionRequest:Bash"`)
			s.bash("ls")
		}, []string{"allowed | Bash | ls | by a hook | PermissionRequest:Bash"}},
		{"a hook that denies in place of a person", func(s *script) {
			s.hook(`"type":"hook_permission_decision","hookEvent":"PermissionRequest","decision":"deny",` +
				`"hookName":"PermissionRequest:Bash","message":"not on Friday"`)
			s.call("Bash", `{"command":"ls"}`, "!not on Friday", "")
		}, []string{"stopped | Bash | ls | by a hook | PermissionRequest:Bash | not on Friday"}},
		{"a hook that allows what a rule denies", func(s *script) {
			s.hook(`"type":"hook_success","hookEvent":"PreToolUse","command":"allow.sh","stdout":` +
				quoted(`{"hookSpecificOutput":{"permissionDecision":"allow"}}`))
			s.call("Bash", `{"command":"ls"}`, "!Permission to use Bash with command ls has been denied.", "")
		}, []string{"stopped | Bash | ls | by a rule"}},
		{"a denial of a stream", func(s *script) {
			s.record("system", `,"subtype":"permission_denied","tool_use_id":"t1","decision_reason_type":"rule"`,
				`"decision_reason":"Bash(ls)"`)
			s.call("Bash", `{"command":"ls"}`, "!Permission to use Bash with command ls has been denied.", "")
		}, []string{"stopped | Bash | ls | by a rule | rule | Bash(ls)"}},
		{"no classifier", func(s *script) {
			s.call("Bash", `{"command":"ls"}`, "!Permission for this action has been denied. Reason: no answer",
				`,"toolDenialKind":"automode-unavailable"`)
		}, []string{"stopped | Bash | ls | by a classifier | auto mode, whose classifier did not answer | no answer"}},
		{"an unreadable classifier", func(s *script) {
			s.call("Bash", `{"command":"ls"}`, "!The answer could not be parsed.",
				`,"toolDenialKind":"automode-parsing-error"`)
		}, []string{"stopped | Bash | ls | by a classifier | " +
			"auto mode, which could not read the answer of its classifier"}},
		{"a list of denials", func(s *script) {
			s.call("Bash", `{"command":"ls"}`, "!Permission to use Bash with command ls has been denied.", "")
			s.record("result", `,"subtype":"success"`, `"permission_denials":[{"tool_name":"Bash","tool_use_id":"t1",`+
				`"tool_input":{"command":"ls"}},{"tool_name":"Bash","tool_use_id":"t9","tool_input":{"command":"id"}}]`)
		}, []string{"stopped | Bash | ls | by a rule", "stopped | Bash | id | by a rule"}},

		{"sudo", func(s *script) {
			s.bash("cd x && A=1 sudo -E apt-get install y")
			s.bash("echo sudo; git commit -m 'sudo curl'")
			s.bash(`bash -c "doas rm /tmp/x"`)
			s.bash("find . | xargs sudo rm")
		}, []string{"rights sudo: A=1 sudo -E apt-get install y", "rights doas: doas rm /tmp/x",
			"rights sudo: xargs sudo rm", "outside /tmp/x 0/0/1 temporary"}},
		{"a here document", func(s *script) {
			s.bash("cat > a.md <<'EOF'\nsudo curl https://x.example\nEOF\ncurl y.example")
		}, []string{"host y.example 1"}},
		{"a document for a shell", func(s *script) {
			s.bash("bash <<EOF\nsudo id\nEOF")
		}, []string{"rights sudo: sudo id"}},
		{"sandboxes", func(s *script) {
			s.call("Bash", `{"command":"make","dangerouslyDisableSandbox":true}`, "ok", "")
			s.call("exec_command", `{"cmd":"go env","sandbox_permissions":"require_escalated"}`, "ok", "")
		}, []string{"rights without sandbox: make", "rights without sandbox: go env"}},
		{"scripts", func(s *script) {
			s.call("exec", quoted(`await tools.exec_command({cmd: "curl x.example && sudo id", workdir: "/srv"});
await tools.exec_command({cmd: "make", sandbox_permissions: "require_escalated", justification: "To build"});`), "", "")
		}, []string{"rights sudo: sudo id", "rights without sandbox: make To build", "host x.example 1"}},
		{"flags", func(s *script) {
			s.bash("claude -p x --dangerously-skip-permissions")
			s.bash("docker run --privileged alpine")
			s.bash("claude --permission-mode bypassPermissions; gemini --yolo; echo --yolo danger-full-access bypassPermissions")
			s.bash("grep -r -- --privileged docs")
		}, []string{"rights --dangerously-skip-permissions: claude -p x --dangerously-skip-permissions",
			"rights --privileged: docker run --privileged alpine",
			"rights bypassPermissions: claude --permission-mode bypassPermissions", "rights --yolo: gemini --yolo"}},

		{"files of tools", func(s *script) {
			s.call("Read", `{"file_path":"/etc/hosts"}`, "x", "")
			s.call("Read", `{"file_path":"/etc/hosts"}`, "x", "")
			s.call("Write", `{"file_path":"/etc/hosts","content":""}`, "x", "")
			s.call("Write", `{"file_path":"/etc/shadow","content":""}`, "!"+rejected, "")
			s.call("Read", `{"file_path":"../wick/a"}`, "x", "")
			s.call("Read", `{"file_path":"/home/ada/lamp/.claude/worktrees/b/a.go"}`, "x", "")
			s.call("Read", `{"file_path":"/home/ada/lamp-old/a.go"}`, "x", "")
		}, []string{"stopped | Write | /etc/shadow | by a person",
			"outside /etc/hosts 2/1/0", "outside /home/ada/wick/a 1/0/0", "outside /home/ada/lamp-old/a.go 1/0/0"}},
		{"files of commands", func(s *script) {
			s.bash("cat ~/x /home/ada/lamp/a 2>/dev/null > /srv/out; mv ~/x ~/y && rm -rf $HOME/z")
			s.bash("cd /opt && touch a; grep -r /api/users . ; sed -i s/a/b/ /etc/motd")
			s.bash("curl -o /srv/f https://x.example/y; git -C ../wick commit -m x; cat <<< /no/file")
			s.bash("awk '/a/ {print}' b; ls /dev/null \"$X/y\" /srv/$X")
			s.bash("cat /srv/p -n /srv/q")
		}, []string{"outside /srv/out 0/1/0", "outside /home/ada/x 1/0/1", "outside /home/ada/y 0/1/0",
			"outside /home/ada/z 0/0/1", "outside /opt/a 0/1/0", "outside /opt 1/0/0", "outside /etc/motd 0/1/0",
			"outside /srv/f 0/1/0", "outside /home/ada/wick 0/1/0", "outside /srv/p 1/0/0", "outside /srv/q 1/0/0",
			"host x.example 1"}},
		{"files of other commands", func(s *script) {
			s.bash("wc < /srv/r; cp -r /srv/a b /opt/; wget -O /srv/w x.example; eval rm /srv/e; sed -n 1p /srv/a")
			s.bash("grep -e x /srv/g; python3 /srv/p.py /srv/no; python3 -c /srv/no")
			s.bash("find /srv/f -name x -exec rm /srv/no ';'")
			s.bash("git clone https://y.example/z.git /srv/z; cat `pwd`/no /srv/{a,b} me@h:/srv/no")
			s.call("apply_patch", `{"input":"*** Begin Patch\n*** Add File: /srv/n\n+x\n*** End Patch"}`, "ok", "")
		}, []string{"outside /srv/r 1/0/0", "outside /srv/a 1/0/0", "outside /opt 0/1/0",
			"outside /srv/w 0/1/0", "outside /srv/e 0/0/1",
			"outside /srv/g 1/0/0", "outside /srv/p.py 1/0/0", "outside /srv/f 1/0/0", "outside /srv/z 0/1/0",
			"outside /srv/n 0/1/0", "host x.example 1", "host y.example 1"}},
		{"redirections", func(s *script) {
			s.bash(`grep -c ">" /srv/a; grep '>/srv/no' b; awk '$3 > 5' /srv/c; echo "a > /srv/no" \>/srv/no`)
			s.bash("make >|/srv/d 2>&1; make &>>/srv/e >&2; make >&/srv/f; make <>/srv/g; make>/srv/h </srv/i")
			s.bash(`sudo id >&2 </srv/i "<"`)
		}, []string{"rights sudo: sudo id < >&2 </srv/i", "outside /srv/a 1/0/0", "outside /srv/c 1/0/0",
			"outside /srv/d 0/1/0", "outside /srv/e 0/1/0", "outside /srv/f 0/1/0", "outside /srv/g 0/1/0",
			"outside /srv/h 0/1/0", "outside /srv/i 2/0/0"}},
		{"the folder around", func(s *script) {
			s.bash("cat ../../x")
			s.bash("touch a; ls ..")
			s.call("exec_command", `{"cmd":"grep a *","workdir":"~/lamp"}`, "ok", "")
			s.call("exec_command", `{"workdir":"~/lamp","cmd":"cat ~/x"}`, "ok", "")
			s.call("exec_command", `{"cmd":"cat n","workdir":"/srv"}`, "ok", "")
			s.bash("cat m") // in another folder than the session began in
			s.lines[len(s.lines)-2] = strings.Replace(s.lines[len(s.lines)-2], "/home/ada/lamp", "/opt", 1)
		}, []string{"outside /home/x 1/0/0", "outside /home/ada 1/0/0", "outside /home/ada/x 1/0/0",
			"outside /srv/n 1/0/0", "outside /opt/m 1/0/0"}},
		{"work trees", func(s *script) {
			s.bash("git worktree add -b x /srv/lamp-x main")
			s.call("Edit", `{"file_path":"/srv/lamp-x/a.go","old_string":"a","new_string":"b"}`, "ok", "")
			s.call("Read", `{"file_path":"/home/ada/lamp.worktrees/y/a.go"}`, "ok", "")
		}, nil},

		{"hosts", func(s *script) {
			s.call("WebFetch", `{"url":"https://Docs.example.com:8443/a?b","prompt":"https://no.example"}`, "x", "")
			s.bash("curl -s -H 'Origin: https://no.example' -d https://no.example https://u:p@a.example/x http://localhost:8080")
			s.bash("wget b.example/file; git clone git@c.example:x/y.git; git fetch https://d.example/x; ssh -p 2 root@e.example ls")
			s.call("WebFetch", `{"url":"https://no.example"}`, "!"+rejected, "")
			s.call("mcp__browser__open", `{"urls":["https://k.example/"]}`, "x", "")
			s.bash("scp ab f.example:/srv && pip install git+https://g.example/x; echo https://no.example; curl --url=https://a.example./")
			s.call("mcp__browser__navigate", `{"url":"https:\/\/h.example\/"}`, "x", "")
			s.call("web_fetch", `{"prompt":"Compare https://i.example/a with (https://j.example)."}`, "x", "")
			s.bash("curl http://127.0.0.1/ http://x.localhost http://[::1]:80 http://0.0.0.0 file:///a")
			s.bash("rsync c:/x ./a:b .")
		}, []string{"stopped | WebFetch | https://no.example | by a person", "outside C:/x 1/0/0",
			"host docs.example.com 1", "host a.example 2", "host b.example 1",
			"host c.example 1", "host d.example 1", "host e.example 1", "host k.example 1", "host f.example 1",
			"host g.example 1",
			"host h.example 1", "host i.example 1", "host j.example 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s script
			c.write(&s)
			f := s.facts()
			if got := describe(f); !slices.Equal(got, c.want) {
				t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(c.want, "\n  "))
			}
			if f.Empty() != (len(c.want) == 0) {
				t.Errorf("Empty() = %t, want the opposite", f.Empty())
			}
		})
	}
}

// TestWindows: names of files do not depend on the case of letters. Those of temporary files have their own folder.
func TestWindows(t *testing.T) {
	var s script
	for _, name := range []string{`C:\Users\ada\lamp\a`, `c:\users\ada\LAMP\b`, `C:\Users\ada\AppData\Local\Temp\c`} {
		s.call("Read", `{"file_path":`+quoted(name)+`}`, "x", "")
	}
	s.bash(`cat 'D:\d'`)
	for i := range s.lines {
		s.lines[i] = strings.Replace(s.lines[i], "/home/ada/lamp", `C:\\Users\\ada\\lamp`, 1)
	}
	want := []string{"outside C:/Users/ada/AppData/Local/Temp/c 1/0/0 temporary", "outside D:/d 1/0/0"}
	if got := describe(s.facts()); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestModeOfAgents: an agent begins in the mode of the call that started it.
func TestModeOfAgents(t *testing.T) {
	var s, inner script
	s.prompt("bypassPermissions")
	s.call("Agent", `{"prompt":"Look"}`, "ok", `,"toolUseResult":{"agentId":"a1"}`)
	s.prompt("acceptEdits")
	inner.bash("ls")
	file := transcript.Read("s.jsonl", []byte(strings.Join(s.lines, "\n")))
	agent := transcript.Read("agent-a1.jsonl", []byte(strings.Join(inner.lines, "\n")))
	c := normalize.Build(normalize.Input{ID: "s", Main: &file, Agents: []normalize.AgentFile{{ID: "a1", File: &agent}}})
	want := []string{"mode permissions bypassed, 2 calls, elevated true",
		"mode edits accepted, 0 calls, elevated false"}
	if got := describe(Of(c)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestHomeOf: paths with "~" are those in the home folder of the folder of the session.
func TestHomeOf(t *testing.T) {
	for folder, want := range map[string]string{
		"/home/ada/lamp": "/home/ada", "/Users/ada": "/Users/ada", "/root/lamp": "/root", "/root": "/root",
		"/rooted/lamp": "", "/srv/lamp": "",
	} {
		if got := homeOf(folder); got != want {
			t.Errorf("homeOf(%q) = %q, want %q", folder, got, want)
		}
	}
}

// TestMayMatter: the quick check skips usual commands.
func TestMayMatter(t *testing.T) {
	commands := []string{"ls", "cat /home/ada/lamp/x", "a\n/etc/x", "go test ./... 2>/dev/null", "echo \t/etc",
		"cat a//b", "cat a/n/x"}
	want := []bool{false, false, true, false, true, true, false}
	k := &collector{}
	k.startIn("/home/ada/lamp")
	for i, command := range commands {
		if got := k.mayMatter([]byte(`{"command":` + quoted(command) + `}`)); got != want[i] {
			t.Errorf("mayMatter(%q) = %t, want the opposite", command, got)
		}
	}
}

// TestMayMatterFinds: the quick check only skips commands in which the complete one finds nothing.
func TestMayMatterFinds(t *testing.T) {
	programs := []string{"git", "ssh", "cd", "find", "echo x; cat", "a >", "bash -c", "tsc"}
	for _, set := range []map[string]bool{
		elevating, agents, containers, webPrograms, remotePrograms, readers, searchers, writers, deleters, copiers,
	} {
		programs = append(programs, slices.Sorted(maps.Keys(set))...)
	}
	operands := []string{
		"", "x", "..", "../x", "~", "~/x", "$HOME", "${HOME}/x", "/etc/x", "C:/x", `'C:\x'`, "/home/ada/lamp/x",
		"/home/ada/lamp-old/x", "-C ..", "'/etc/x'", "x/../..", "h.example", "h.example:x", "u@h.example:x",
		"https://h.example/", "ssh://h.example",
		"--privileged", "--yolo", "-s danger-full-access", "--dangerously-x",
		"--permission-mode bypassPermissions", "sudo x",
		"clone u@h.example:x", "worktree add ../x", "worktree add /srv/x",
	}
	found := 0
	for _, program := range programs {
		for _, first := range operands {
			for _, second := range operands {
				command := strings.TrimSpace(program + " " + first + " " + second)
				k := &collector{files: make(map[string]int), hosts: make(map[string]int)}
				k.startIn("/home/ada/lamp")
				roots := len(k.roots)
				call := &normalize.Message{Kind: normalize.Call}
				sh := shellCall{collector: k, group: &normalize.Group{Call: call}, ran: true, folder: k.roots[0]}
				sh.command(command, 0)
				if len(k.Elevated)+len(k.Files)+len(k.Hosts) == 0 && len(k.roots) == roots {
					continue
				}
				found++
				input := quoted(command)
				for _, written := range []string{
					input, strings.ReplaceAll(input, "/", `\/`), strings.ReplaceAll(input, ">", `\u003e`),
				} {
					if !k.mayMatter([]byte(`{"command":` + written + `}`)) {
						t.Errorf("mayMatter(%s) = false, but it has %v", written, describe(k.Facts))
					}
				}
			}
		}
	}
	if found < len(programs)*len(operands) {
		t.Errorf("only %d commands have facts", found)
	}
}

// TestCounted counts denials in the text of logs of Claude Code, without the packages that read them.
func TestCounted(t *testing.T) {
	isSession := func(path string) bool {
		return filepath.Ext(path) == ".jsonl" && !strings.Contains(path, "/subagents/")
	}
	names := corpus.Files(t, isSession, "../../testdata/projects")
	names = append(names, corpus.Share(corpus.Files(t, isSession, corpus.Optional(t, "dev", "sdk", "large")...))...)
	sum := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		want := countDenials(data)
		sum += want
		file := transcript.Read(name, data)
		f := Of(normalize.Build(normalize.Input{ID: "s", Main: &file}))
		got := 0
		for _, d := range f.Decisions {
			if !d.Allowed && d.Listed {
				got++
			}
		}
		if got != want {
			t.Errorf("%s: got %d stopped calls, want %d as in the text", name, got, want)
		}
	}
	if sum == 0 {
		t.Error("no session has a denied call, want some")
	}
}

// countDenials counts the calls that a log records as denied. A history that is in a log twice has them twice. A plan
// that the next prompt has was approved.
func countDenials(log []byte) int {
	stopped := make(map[string]int)
	hooked := make(map[string]bool)
	calls := make(map[string]int)
	seen := make(map[string]bool)
	plan := "" // the call of the last plan, if the model said nothing since
	for line := range strings.Lines(string(log)) {
		var r struct {
			Type, UUID     string
			ToolDenialKind string
			Message        struct{ Content json.RawMessage }
			Attachment     struct{ Type, HookEvent, ToolUseID string }
		}
		if json.Unmarshal([]byte(line), &r) != nil || r.UUID != "" && seen[r.UUID] {
			continue
		}
		seen[r.UUID] = true
		if a := r.Attachment; a.Type == "hook_blocking_error" && a.HookEvent == "PreToolUse" {
			hooked[a.ToolUseID] = true
		}
		var blocks []struct {
			Type, ID  string
			Name      string
			ToolUseID string `json:"tool_use_id"`
			IsError   bool   `json:"is_error"`
			Content   json.RawMessage
		}
		if json.Unmarshal(r.Message.Content, &blocks) != nil {
			if strings.HasPrefix(string(r.Message.Content), `"Implement the following plan:`) {
				stopped[plan]--
			}
			continue
		}
		for _, b := range blocks {
			if b.Type == "tool_use" || b.Type == "text" && r.Type == "assistant" {
				plan = ""
			}
			switch {
			case b.Type == "tool_use":
				calls[b.ID]++
				if b.Name == "ExitPlanMode" {
					plan = b.ID
				}
			case b.Type == "tool_result" && b.IsError &&
				(isDenial(string(b.Content)) || r.ToolDenialKind == "user-rejected"):
				stopped[b.ToolUseID]++
			}
		}
	}
	n := 0
	for id, times := range calls {
		denied := stopped[id]
		if hooked[id] {
			denied = max(denied, 1)
		}
		n += max(min(denied, times), 0)
	}
	return n
}

func isDenial(content string) bool {
	for _, text := range []string{
		"\"The user doesn't want to proceed", "\"The user doesn't want to take this action", "has been denied",
		"' was blocked. For security, Claude Code may only ",
		"haven't granted it yet", "contains multiple operations. The following",
		"\"This command requires approval", "plan that was rejected by the user",
		"\"Permission for this tool use was denied", "User chose to stay in plan mode",
	} {
		if strings.Contains(content, text) {
			return true
		}
	}
	return false
}
