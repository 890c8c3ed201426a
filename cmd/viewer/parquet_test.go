//go:build parquet && linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"viewer/internal/facts"
)

// readTable reads all rows of a table of a site.
func readTable[T any](t *testing.T, site, table string) []T {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(site, "facts", table, "*.parquet"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no parts of %s: %v", table, err)
	}
	var all []T
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		r := parquet.NewGenericReader[T](f)
		rows := make([]T, r.NumRows())
		if n, err := r.Read(rows); n != len(rows) || err != nil && !errors.Is(err, io.EOF) {
			t.Fatalf("%s: %d of %d rows, %v", name, n, len(rows), err)
		}
		all = append(all, rows...)
		r.Close()
		f.Close()
	}
	return all
}

// listedFacts are what sessions.json says of a session.
type listedFacts struct {
	ID, Title, Page, Project, Agent, Mark, Asked, Start string
	Calls, Failed, Prompts, Seconds                     int64
	CostUSD                                             float64
	Models, PullRequests                                []string
	Tokens                                              struct{ Input, Output, CacheRead, CacheWrite int64 }
}

// says reports whether a row says the same.
func (f *listedFacts) says(r *facts.Session) bool {
	texts := r.ID == f.ID && r.Title == f.Title && r.Project == f.Project && r.Agent == f.Agent && r.Mark == f.Mark &&
		r.Asked == f.Asked
	counts := r.Calls == f.Calls && r.Failed == f.Failed && r.Prompts == f.Prompts && r.Seconds == f.Seconds &&
		r.CostUSD == f.CostUSD
	tokens := r.InputTokens == f.Tokens.Input && r.OutputTokens == f.Tokens.Output &&
		r.CacheReadTokens == f.Tokens.CacheRead && r.CacheWriteTokens == f.Tokens.CacheWrite
	return texts && counts && tokens && (r.Start == 0) == (f.Start == "") &&
		strings.Join(r.Models, " ") == strings.Join(f.Models, " ") && len(r.PullRequests) == len(f.PullRequests)
}

// TestParquet: the tables say what sessions.json says, are the same bytes by one build and by shards, and tell no
// secret.
func TestParquet(t *testing.T) {
	s := newScaled(t)
	const secret = "sk-ant-api03-Qm4vT8xLr2Kp9Zw6Yb1Nc5Hd7Jf3Gs0Aq4Ue8Ri2To6Pl1Mz5Xk9Vb3Cn7Wy-AbCdEfGh"
	write(t, filepath.Join(s.sessions, "-home-mara-told", "ab120000-0000-4000-8000-000000000000.jsonl"),
		`{"type":"user","uuid":"00000000-0001-4000-8000-000000000000","timestamp":"2026-05-04T09:00:00Z","message":{"role":"user","content":"Bake `+secret+`"}}
{"type":"assistant","uuid":"00000000-0002-4000-8000-000000000000","message":{"id":"m","role":"assistant","model":"claude-x","content":[{"type":"tool_use","id":"a","name":"Bash","input":{"command":"curl -H 'x-api-key: `+secret+`' https://example.org/\ud800"}}]}}
`)
	s.run(nil, "viewer", "build", s.sessions, "-o", s.want, "--facts", "parquet")
	s.run(nil, "viewer", "plan", s.sessions, "-o", s.site, "--shards", "2", "--facts", "parquet")
	for _, shard := range []string{"1/2", "0/2"} {
		s.run(nil, "viewer", "build", s.sessions, "-o", s.site, "--shard", shard, "--facts", "parquet")
	}
	s.run(nil, "viewer", "merge", s.site)
	s.same(s.site)

	var listed []listedFacts
	data, err := os.ReadFile(filepath.Join(s.site, "sessions.json"))
	if err == nil {
		err = json.Unmarshal(data, &listed)
	}
	if err != nil {
		t.Fatal(err)
	}
	rows := make(map[string]facts.Session)
	for _, r := range readTable[facts.Session](t, s.site, "sessions") {
		rows[r.Page] = r
	}
	calls := make(map[string]int64)
	timeless := 0
	for _, c := range readTable[facts.Call](t, s.site, "calls") {
		calls[c.Page]++
		if c.Time == 0 {
			timeless++
		}
	}
	for _, want := range listed {
		if r, ok := rows[want.Page]; !ok || !want.says(&r) {
			t.Errorf("the row of %s is\n%+v\nsessions.json says\n%+v", want.Page, r, want)
		}
		if calls[want.Page] != want.Calls {
			t.Errorf("%s has %d calls and %d rows", want.Page, want.Calls, calls[want.Page])
		}
	}
	if len(rows) != len(listed) || timeless == 0 {
		t.Errorf("%d rows of %d sessions, %d calls without a time", len(rows), len(listed), timeless)
	}
	err = filepath.WalkDir(filepath.Join(s.site), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(secret[20:60])) {
			t.Errorf("%s tells a secret", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range readTable[facts.Call](t, s.site, "calls") { // where compression could hide it
		if strings.Contains(c.Command+c.Target, secret[20:60]) {
			t.Errorf("a row tells a secret: %+v", c)
		}
	}
}

// TestDuckDB has a database read the tables.
func TestDuckDB(t *testing.T) {
	const modules = "../../.ci/servers/node_modules"
	if _, err := os.Stat(filepath.Join(modules, "@duckdb", "node-api")); err != nil {
		t.Skip("DuckDB is not there: run .ci/scale")
	}
	s := newScaled(t)
	s.run(nil, "viewer", "build", s.sessions, "-o", s.site, "--facts", "parquet")
	abs, err := filepath.Abs(modules)
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(s.dir, "ask.cjs")
	write(t, script, `
const { DuckDBInstance } = require(process.argv[2] + "/@duckdb/node-api");
(async () => {
  const db = await (await DuckDBInstance.create(":memory:")).connect();
  const ask = async (sql) => (await db.runAndReadAll(sql)).getRowsJson();
  const calls = "'" + process.argv[3] + "/facts/calls/*.parquet'";
  const sessions = "'" + process.argv[3] + "/facts/sessions/*.parquet'";
  console.log(JSON.stringify({
    sessions: await ask("SELECT count(*), count(DISTINCT page), sum(calls), count(start), sum(len(models)) FROM " + sessions),
    calls: await ask("SELECT count(*), count(time) FROM " + calls),
    joined: await ask("SELECT count(*) FROM " + calls + " c JOIN " + sessions + " s USING (page) WHERE c.project = s.project"),
    types: await ask("SELECT column_name, column_type FROM (DESCRIBE SELECT start, models, cost_usd FROM " + sessions + ")"),
    years: await ask("SELECT DISTINCT year(start) FROM " + sessions + " WHERE start IS NOT NULL ORDER BY 1"),
  }));
})();
`)
	out, err := exec.Command("node", script, abs, s.site).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var said struct{ Sessions, Calls, Joined, Types, Years [][]any }
	if err := json.Unmarshal(out, &said); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	sessions, calls := readTable[facts.Session](t, s.site, "sessions"), readTable[facts.Call](t, s.site, "calls")
	number := func(v any) int {
		n, err := json.Number(strings.Trim(strings.TrimSpace(jsonOf(t, v)), `"`)).Int64()
		if err != nil {
			t.Error(err)
		}
		return int(n)
	}
	if number(said.Sessions[0][0]) != len(sessions) || number(said.Sessions[0][1]) != len(sessions) ||
		number(said.Sessions[0][2]) != len(calls) || number(said.Calls[0][0]) != len(calls) ||
		number(said.Joined[0][0]) != len(calls) {
		t.Errorf("of %d sessions and %d calls it says %s", len(sessions), len(calls), out)
	}
	const types = `[["start","TIMESTAMP WITH TIME ZONE"],["models","VARCHAR[]"],["cost_usd","DOUBLE"]]`
	if got := jsonOf(t, said.Types); got != types {
		t.Errorf("types %s", got)
	}
	if got := jsonOf(t, said.Years); got != `[["2025"],["2026"]]` {
		t.Errorf("years %s", got)
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
