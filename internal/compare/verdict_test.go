package compare

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseVerdicts(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"Harbor", "result.json", `{"task_name":"a","verifier_result":{"rewards":{"reward":1.0}},"exception_info":null}`,
			"a passed;"},
		{"no reward", "result.json", `{"task_name":"a","verifier_result":{"reward":0}}`, "a failed;"},
		{"a part", "result.json", `{"verifier_result":{"rewards":{"score":0.5}}}`, " 0.50;"},
		{"an exception", "result.json",
			`{"verifier_result":null,"exception_info":{"exception_type":"AgentTimeoutError"}}`, " error AgentTimeoutError;"},
		{"an evaluation", "opus.x.json", `{"resolved_ids":["a"],"unresolved_ids":["b"],"error_ids":["c"]}`,
			"a/opus passed resolved;b/opus failed not resolved;c/opus error evaluation failed;"},
		{"an instance", "report.json", `{"a":{"resolved":false,"patch_exists":true}}`, "a failed not resolved;"},
		{"codes", "c.txt", "# x\na/b\t0\r\nc d, 2\n", "a/b passed exit 0;c d failed exit 2;"},
		{"codes in JSON", "c.json", `{"a":0,"b":1,"c":true,"d":null}`, "a passed exit 0;b failed exit 1;c passed;"},
		{"JUnit XML", "j.xml", `<testsuite><testcase name="a"/><testcase name="b"><error/></testcase></testsuite>`,
			" failed 1 of 2 tests failed;a passed;b failed;"},
		{"a wrong line", "c.txt", "a 0\nb\n", `line 2: "b" is not a name and an exit code`},
		{"nothing", "c.txt", " ", "the file is empty"},
		{"other JSON", "c.json", `{"a":"b"}`, ErrNoVerdict.Error()},
		{"other XML", "c.xml", `<html><body/></html>`, ErrNoVerdict.Error()},
		{"cut JSON", "c.json", `{"a":`, "invalid JSON"},
	} {
		t.Run(c.name, func(t *testing.T) {
			all, err := ParseVerdicts(c.file, []byte(c.text))
			var got strings.Builder
			for _, v := range all {
				name := v.Of
				if name == "" {
					name = v.Task
				}
				if v.Runner != "" {
					name += "/" + v.Runner
				}
				line := fmt.Sprint(name, " ", v.Result.Word, " ", v.Result.Reason)
				got.WriteString(strings.TrimRight(line, " ") + ";")
			}
			if err != nil {
				got.WriteString(err.Error())
			}
			if g := strings.ReplaceAll(got.String(), " part of the reward", ""); !strings.HasPrefix(g, c.want) {
				t.Errorf("got  %s\nwant %s", g, c.want)
			}
		})
	}
}

// TestFind: the verdict on a run is the one that names it most exactly.
func TestFind(t *testing.T) {
	run := Run{ID: "0a1b2c3d-4e5f", Path: "jobs/lamp__x1/claude/s.jsonl", Folder: "lamp__x1", Task: "lamp",
		Agent: "Claude Code", Models: []string{"claude-opus-4-8"}}
	for _, c := range []struct {
		name string
		all  []Verdict
		want int // index, -1 for none
	}{
		{"the session, before its path", []Verdict{{Of: "jobs/lamp__x1/claude/s.jsonl"}, {Of: "0a1b2c3d-4e5f"}}, 1},
		{"the beginning of its id", []Verdict{{Of: "lamp"}, {Of: "0a1b2c3d"}}, 1},
		{"too little of its id", []Verdict{{Of: "0a1b2c3"}}, -1},
		{"the path, before the task", []Verdict{{Of: "lamp"}, {Of: "./claude\\s.jsonl"}}, 1},
		{"a folder of the path", []Verdict{{Of: "lamp"}, {Of: "lamp__x1/claude/"}}, 1},
		{"the task and the runner, before the task", []Verdict{{Of: "lamp"}, {Of: "lamp", Runner: "opus-4.8"}}, 1},
		{"a folder as the runner", []Verdict{{Of: "lamp", Runner: "other"}, {Of: "lamp", Runner: "Jobs"}}, 1},
		{"the folder of the task", []Verdict{{Of: "lamp__x1"}}, 0},
		{"one folder of the path", []Verdict{{Of: "claude"}}, 0},
		{"the first of two", []Verdict{{Of: "lamp"}, {Of: "lamp"}}, 0},
		{"another runner", []Verdict{{Of: "lamp", Runner: "codex"}}, -1},
		{"a runner without letters", []Verdict{{Of: "lamp", Runner: "ランプ"}}, -1},
		{"another task, and none", []Verdict{{Of: "lam"}, {Of: ""}}, -1},
	} {
		want := (*Verdict)(nil)
		if c.want >= 0 {
			want = &c.all[c.want]
		}
		if got := Find(c.all, &run); got != want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, want)
		}
	}
}
