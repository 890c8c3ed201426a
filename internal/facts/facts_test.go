package facts

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"viewer/internal/stats"
	"viewer/internal/testing/corpus"
	"viewer/internal/transcript"
	"viewer/normalize"
	"viewer/render"
)

func isSession(path string) bool {
	return strings.HasSuffix(path, ".jsonl") && !strings.HasPrefix(filepath.Base(path), "agent-")
}

// TestCallsCounted: there is a row for each call that the totals count, and encoded rows decode to the same.
func TestCallsCounted(t *testing.T) {
	names := corpus.Files(t, isSession, "../../testdata/projects")
	found := corpus.Optional(t, "dev", "synthetic", "large")
	names = append(names, corpus.Share(corpus.Files(t, isSession, found...))...)
	all := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file := transcript.Read("/"+filepath.Base(name), data)
		in := normalize.Input{ID: "s", Main: &file}
		agents, _ := filepath.Glob(filepath.Join(strings.TrimSuffix(name, ".jsonl"), "subagents", "agent-*.jsonl"))
		for _, agent := range agents {
			data, err := os.ReadFile(agent)
			if err != nil {
				t.Fatal(err)
			}
			base := filepath.Base(agent)
			read := transcript.Read("/"+base, data)
			id := strings.TrimSuffix(strings.TrimPrefix(base, "agent-"), ".jsonl")
			in.Agents = append(in.Agents, normalize.AgentFile{ID: id, File: &read})
		}
		c := normalize.Build(in)
		totals := stats.Of(c, stats.ListPrices())
		of := SessionOf(&render.Summary{Folder: "p/s", ID: "s", Start: c.Facts.Start, Totals: totals})
		rows := CallsOf(c, func(string) string { return "index.html" })
		failed := 0
		for i := range rows {
			r := &rows[i]
			if r.State == "failed" || r.State == "blocked" {
				failed++
			}
			for _, s := range r.texts() {
				if !utf8.ValidString(s) {
					t.Errorf("%s: %q is not UTF-8", name, s)
				}
			}
		}
		if len(rows) != totals.Tools || failed != totals.Failed {
			t.Errorf("%s: got %d rows, %d failed; want %d and %d as in the totals",
				name, len(rows), failed, totals.Tools,
				totals.Failed)
		}
		kept, err := Kept(Keep(rows), &of)
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			rows[i].Page, rows[i].ID, rows[i].Agent = of.Page, "s", of.Agent
			rows[i].Link = "s/p/s/" + rows[i].Link
		}
		if !slices.Equal(rows, kept) {
			t.Errorf("%s: encoded rows decode to other rows", name)
		}
		all += len(rows)
	}
	t.Logf("%d calls in %d sessions", all, len(names))
	if all < 50 {
		t.Errorf("got %d calls in %d sessions, want at least 50", all, len(names))
	}
}

func TestCall(t *testing.T) {
	const log = `{"type":"user","uuid":"00000000-0001-4000-8000-000000000000","timestamp":"2026-05-04T09:00:00Z","cwd":"/home/mara/oven","message":{"role":"user","content":"Bake"}}
{"type":"assistant","uuid":"00000000-0002-4000-8000-000000000000","timestamp":"2026-05-04T09:00:01.5Z","message":{"id":"m","role":"assistant","model":"claude-x","content":[{"type":"tool_use","id":"a","name":"Bash","input":{"command":"make bread"}},{"type":"tool_use","id":"b","name":"Read","input":{"file_path":"/home/mara/oven/a.go"}}]}}
{"type":"user","uuid":"00000000-0003-4000-8000-000000000000","timestamp":"2026-05-04T09:00:03Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","is_error":true,"content":"Exit code 2\nburnt"}]}}
`
	file := transcript.Read("/s.jsonl", []byte(log))
	c := normalize.Build(normalize.Input{ID: "s", Main: &file})
	rows := CallsOf(c, func(string) string { return "2.html" })
	if len(rows) != 2 {
		t.Fatalf("got %d rows, want 2: %+v", len(rows), rows)
	}
	at := time.Date(2026, 5, 4, 9, 0, 1, 500e6, time.UTC).UnixMilli()
	want := Call{
		Link: rows[0].Link, Turn: 1, Time: at, Milliseconds: 1500, Model: "claude-x", Tool: "Bash", Action: "run",
		Target: "make bread", Command: "make bread", State: "failed", Exit: "2",
	}
	if rows[0] != want || !strings.HasPrefix(rows[0].Link, "2.html#") {
		t.Errorf("got  %+v\nwant %+v", rows[0], want)
	}
	r := rows[1]
	if r.Action != "read" || r.Path != "/home/mara/oven/a.go" || r.Milliseconds != 0 || r.State != "pending" {
		t.Errorf("a call without a result: got %+v", r)
	}
}

// TestLaterExit: a command that failed after its call has the exit code of the report, and its call is done.
func TestLaterExit(t *testing.T) {
	const log = `{"type":"assistant","uuid":"a","message":{"id":"m","role":"assistant","content":[{"type":"tool_use",` +
		`"id":"t1","name":"Bash","input":{"command":"make","run_in_background":true}}]}}
{"type":"user","uuid":"b","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1",` +
		`"content":"Command running in background with ID: b1"}]},"toolUseResult":{"backgroundTaskId":"b1"}}
{"type":"user","uuid":"c","origin":{"kind":"task-notification"},"message":{"role":"user","content":` +
		`"<task-notification><task-id>b1</task-id><tool-use-id>t1</tool-use-id>` +
		`<summary>Background command \"make\" failed with exit code 1</summary></task-notification>"}}
`
	file := transcript.Read("/s.jsonl", []byte(log))
	rows := CallsOf(normalize.Build(normalize.Input{ID: "s", Main: &file}), func(string) string { return "2.html" })
	if len(rows) != 1 || rows[0].State != "done" || rows[0].Exit != "1" {
		t.Errorf("got %+v, want one row of a call that is done, with exit code 1", rows)
	}
}

// TestScriptCommands: the commands of a script are commands of its call.
func TestScriptCommands(t *testing.T) {
	const log = `{"type":"assistant","uuid":"a","message":{"id":"m","role":"assistant","content":[{"type":"tool_use",` +
		`"id":"a","name":"exec","input":"tools.exec_command({cmd:\"ls\"}); tools.exec_command({cmd:\"pwd\"})"}]}}`
	file := transcript.Read("/s.jsonl", []byte(log+"\n"))
	rows := CallsOf(normalize.Build(normalize.Input{ID: "s", Main: &file}), func(string) string { return "2.html" })
	if len(rows) != 1 || rows[0].Command != "ls\npwd" {
		t.Errorf("got %+v, want one row with the commands ls and pwd", rows)
	}
}

// TestDamaged: decoding invalid data is an error.
func TestDamaged(t *testing.T) {
	of := Session{Page: "s/p/s/index.html"}
	good := Keep([]Call{{Tool: "Read", Turn: 3}, {Tool: "Write"}})
	for n := range good {
		if _, err := Kept(good[:n], &of); err == nil {
			t.Errorf("%d of %d bytes decode without an error", n, len(good))
		}
	}
	if _, err := Kept(append(good, 0), &of); err == nil {
		t.Error("an additional byte is accepted")
	}
}

// TestColumnsDocumented: docs/formats.md lists each column of both tables, and no others.
func TestColumnsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	for heading, row := range map[string]any{"#### Sessions\n": Session{}, "#### Calls\n": Call{}} {
		_, section, _ := strings.Cut(string(text), heading)
		section, _, _ = strings.Cut(section, "\n#")
		var listed []string
		for _, m := range regexp.MustCompile("(?m)^\\| (`[^|]*`) \\|").FindAllStringSubmatch(section, -1) {
			for name := range strings.SplitSeq(m[1], ", ") {
				listed = append(listed, strings.Trim(name, "`"))
			}
		}
		var columns []string
		for i := range reflect.TypeOf(row).NumField() {
			name, _, _ := strings.Cut(reflect.TypeOf(row).Field(i).Tag.Get("parquet"), ",")
			columns = append(columns, name)
		}
		if !slices.Equal(listed, columns) {
			t.Errorf("docs/formats.md lists below %sthe columns\n%q\nwant\n%q", heading, listed, columns)
		}
	}
}
