//go:build parquet && linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
			t.Fatalf("%s: read %d of %d rows (error %v)", name, n, len(rows), err)
		}
		all = append(all, rows...)
		r.Close()
		f.Close()
	}
	return all
}

// listedFacts are fields of a session in sessions.json.
type listedFacts struct {
	ID, Title, Page, Project, Agent, Mark, Asked, Start string
	Calls, Failed, Prompts                              int64
	Seconds                                             float64
	CostUSD                                             float64
	Models, PullRequests                                []string
	Tokens                                              struct{ Input, Output, CacheRead, CacheWrite int64 }
}

// says reports whether a row has the same values.
func (f *listedFacts) says(r *facts.Session) bool {
	texts := r.ID == f.ID && r.Title == f.Title && r.Project == f.Project && r.Agent == f.Agent && r.Mark == f.Mark &&
		r.Asked == f.Asked
	counts := r.Calls == f.Calls && r.Failed == f.Failed && r.Prompts == f.Prompts && r.Seconds == int64(f.Seconds) &&
		r.CostUSD == f.CostUSD
	tokens := r.InputTokens == f.Tokens.Input && r.OutputTokens == f.Tokens.Output &&
		r.CacheReadTokens == f.Tokens.CacheRead && r.CacheWriteTokens == f.Tokens.CacheWrite
	return texts && counts && tokens && (r.Start == 0) == (f.Start == "") &&
		strings.Join(r.Models, " ") == strings.Join(f.Models, " ") && len(r.PullRequests) == len(f.PullRequests)
}

// TestParquet: the tables agree with sessions.json, have the same bytes by one build and by shards, and contain no
// secret.
func TestParquet(t *testing.T) {
	s := newShardFixture(t)
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
	s.checkSame(s.site)

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
	withoutTime := 0
	for _, c := range readTable[facts.Call](t, s.site, "calls") {
		calls[c.Page]++
		if c.Time == 0 {
			withoutTime++
		}
	}
	for _, want := range listed {
		if r, ok := rows[want.Page]; !ok || !want.says(&r) {
			t.Errorf("the row of %s is\n%+v\nwant, as in sessions.json,\n%+v", want.Page, r, want)
		}
		if calls[want.Page] != want.Calls {
			t.Errorf("%s has %d calls in sessions.json and %d rows of calls", want.Page, want.Calls, calls[want.Page])
		}
	}
	if len(rows) != len(listed) || withoutTime == 0 {
		t.Errorf("%d rows of %d sessions, %d calls without a time (want some)", len(rows), len(listed), withoutTime)
	}
	err = filepath.WalkDir(filepath.Join(s.site), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(secret[20:60])) {
			t.Errorf("%s contains a secret", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range readTable[facts.Call](t, s.site, "calls") { // in the files, compression could hide it
		if strings.Contains(c.Command+c.Target, secret[20:60]) {
			t.Errorf("a row contains a secret: %+v", c)
		}
	}
}

// TestDuckDB and TestClickHouse have two databases read the tables. Both run the same queries in their dialect.

func TestDuckDB(t *testing.T) {
	testDatabase(t, "@duckdb/node-api", `
const { DuckDBInstance } = require(process.argv[2]);
(async () => {
  const db = await (await DuckDBInstance.create(":memory:")).connect();
  const ask = async (sql) => (await db.runAndReadAll(sql)).getRowsJson();
  const calls = "'" + process.argv[3] + "/facts/calls/*.parquet'";
  const sessions = "'" + process.argv[3] + "/facts/sessions/*.parquet'";
  console.log(JSON.stringify({
    sessions: await ask("SELECT count(*), count(DISTINCT page), sum(calls), count(start), sum(len(models)) FROM " + sessions),
    calls: await ask("SELECT count(*), count(time), count(milliseconds) FROM " + calls),
    joined: await ask("SELECT count(*) FROM " + calls + " c JOIN " + sessions + " s USING (page) WHERE c.project = s.project"),
    types: await ask("SELECT typeof(start), typeof(models), typeof(cost_usd), typeof(kept) FROM " + sessions + " LIMIT 1"),
    years: await ask("SELECT DISTINCT year(start) FROM " + sessions + " WHERE start IS NOT NULL ORDER BY 1"),
    titles: await ask("SELECT page, title FROM " + sessions + " ORDER BY page"),
  }));
})();
`, "TIMESTAMP WITH TIME ZONE", "VARCHAR[]", "DOUBLE", "BOOLEAN")
}

func TestClickHouse(t *testing.T) {
	testDatabase(t, "chdb", `
const { query } = require(process.argv[2]);
const ask = (sql) => JSON.parse(query(sql, "JSONCompact")).data;
const calls = "file('" + process.argv[3] + "/facts/calls/*.parquet')";
const sessions = "file('" + process.argv[3] + "/facts/sessions/*.parquet')";
console.log(JSON.stringify({
  sessions: ask("SELECT count(), uniqExact(page), sum(calls), count(start), sum(length(models)) FROM " + sessions),
  calls: ask("SELECT count(), count(time), count(milliseconds) FROM " + calls),
  joined: ask("SELECT count() FROM " + calls + " AS c JOIN " + sessions + " AS s USING (page) WHERE c.project = s.project"),
  types: ask("SELECT toTypeName(start), toTypeName(models), toTypeName(cost_usd), toTypeName(kept) FROM " + sessions + " LIMIT 1"),
  years: ask("SELECT DISTINCT toYear(start) FROM " + sessions + " WHERE start IS NOT NULL ORDER BY 1"),
  titles: ask("SELECT page, title FROM " + sessions + " ORDER BY page"),
}));
`, "Nullable(DateTime64(3, 'UTC'))", "Array(String)", "Float64", "Bool")
}

// testDatabase has a script read the tables of a site with an npm package, and compares what it prints with the rows.
func testDatabase(t *testing.T, name, script string, types ...any) {
	t.Helper()
	module, err := filepath.Abs(filepath.Join("../../.ci/servers/node_modules", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(module); err != nil {
		t.Skipf("%s is not installed: run .ci/scale", name)
	}
	s := newShardFixture(t)
	s.run(nil, "viewer", "build", s.sessions, "-o", s.site, "--facts", "parquet")
	file := filepath.Join(s.dir, "ask.cjs")
	write(t, file, script)
	cmd := exec.Command("node", file, module, s.site)
	cmd.Dir = s.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var output struct{ Sessions, Calls, Joined, Types, Years, Titles [][]any }
	if err := json.Unmarshal(out, &output); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	sessions, calls := readTable[facts.Session](t, s.site, "sessions"), readTable[facts.Call](t, s.site, "calls")
	var started, models, timed, took int
	var titles [][]any
	for i := range sessions {
		r := &sessions[i]
		models += len(r.Models)
		if r.Start != 0 {
			started++
		}
		titles = append(titles, []any{r.Page, r.Title})
	}
	for i := range calls {
		if calls[i].Time != 0 {
			timed++
		}
		if calls[i].Milliseconds != 0 {
			took++
		}
	}
	slices.SortFunc(titles, func(a, b []any) int { return strings.Compare(a[0].(string), b[0].(string)) })
	for _, c := range []struct {
		what      string
		got, want [][]any
	}{
		{"sessions", output.Sessions, [][]any{{len(sessions), len(sessions), len(calls), started, models}}},
		{"calls", output.Calls, [][]any{{len(calls), timed, took}}},
		{"joined", output.Joined, [][]any{{len(calls)}}},
		{"types", output.Types, [][]any{types}},
		{"years", output.Years, [][]any{{2025}, {2026}}},
		{"titles", output.Titles, titles},
	} {
		// Compared as text, because one database encodes large numbers as strings.
		if got, want := fmt.Sprint(c.got), fmt.Sprint(c.want); got != want {
			t.Errorf("%s: got %s, want %s", c.what, got, want)
		}
	}
}
