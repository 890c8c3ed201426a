package sitegen

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"viewer/internal/facts"
	"viewer/internal/sitegen/state"
	"viewer/render"
)

// linesFormat writes tables as lines of JSON, with the values that Parquet has in columns.
type linesFormat struct{}

func (linesFormat) WriteSessions(w io.Writer, rows []facts.Session) error {
	e := json.NewEncoder(w)
	for i := range rows {
		if err := e.Encode(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}

func (linesFormat) WriteCalls(w io.Writer, portions iter.Seq2[[]facts.Call, error]) error {
	e := json.NewEncoder(w)
	for rows, err := range portions {
		if err != nil {
			return err
		}
		for i := range rows {
			if err := e.Encode(&rows[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

var _ = facts.Register(linesFormat{})

// tableRows reads all rows of a table.
func tableRows[T any](t *testing.T, site, table string) []T {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(site, "facts", table, "*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no parts of %s: %v", table, err)
	}
	var all []T
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for d := json.NewDecoder(f); ; {
			var row T
			if err := d.Decode(&row); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			all = append(all, row)
		}
		f.Close()
	}
	return all
}

// TestTables: the tables have each session of the site once, and as many calls as its totals. One build, shards, and a
// build after another give the same tables. If a session grows, one part of each table is written again.
func TestTables(t *testing.T) {
	source := t.TempDir()
	if err := os.CopyFS(source, os.DirFS(testdata)); err != nil {
		t.Fatal(err)
	}
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test", Tables: true, partSessions: 1}
	r := mustBuild(t, o)
	sessions, calls := tableRows[facts.Session](t, o.Out, "sessions"), tableRows[facts.Call](t, o.Out, "calls")
	counted, total := make(map[string]int64), int64(0)
	for _, c := range calls {
		counted[c.Page]++
		page, _, found := strings.Cut(c.Link, "#")
		if _, err := os.Stat(filepath.Join(o.Out, filepath.FromSlash(page))); err != nil || !found {
			t.Errorf("the link %s has no target: %v", c.Link, err)
		}
	}
	for _, s := range sessions {
		total += s.Calls
		if counted[s.Page] != s.Calls {
			t.Errorf("%s has %d calls, but %d rows", s.Page, s.Calls, counted[s.Page])
		}
	}
	if len(sessions) != r.Sessions || len(calls) != int(total) || total == 0 {
		t.Errorf("got %d rows for %d sessions, and %d for %d calls", len(sessions), r.Sessions, len(calls), total)
	}

	shards := o
	shards.Out = t.TempDir()
	mustPlan(t, shards, 3)
	buildShards(t, shards, 3, 2, 0, 1)
	if _, err := Merge(t.Context(), Options{Out: shards.Out, Version: "test", partSessions: 1}); err != nil {
		t.Fatal(err)
	}
	sameSite(t, o.Out, shards.Out)

	again := mustBuild(t, o)
	if again.Written != 0 || again.Rendered != 0 {
		t.Errorf("without a change %d sessions are drawn, %d files written, want none", again.Rendered, again.Written)
	}
	files, err := filepath.Glob(filepath.Join(source, "-home-mara-ovenbell", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	f, err := os.OpenFile(files[0], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(`{"type":"assistant","uuid":"00000000-cccc-4111-8111-111111111111","timestamp":"2026-05-12T10:00:00Z","message":{"id":"m-last","role":"assistant","model":"claude-x","content":[{"type":"tool_use","id":"toolu_last","name":"Bash","input":{"command":"make bread"}}]}}` + "\n")
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	s := NewSite(o)
	s.oneShot = true
	defer s.Close()
	grown, err := s.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	for _, name := range grown.Changed {
		if strings.HasPrefix(name, "facts/") {
			parts = append(parts, name)
		}
	}
	if len(parts) != 2 || grown.Rendered != 1 {
		t.Errorf("a session that grew: drawn %d, parts written %q; want 1 and 2", grown.Rendered, parts)
	}
	if n := len(tableRows[facts.Call](t, o.Out, "calls")); n != len(calls)+1 {
		t.Errorf("one more call: got %d rows, before %d", n, len(calls))
	}
	compareClean(t, o)

	plain := o
	plain.Tables = false
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	mustBuild(t, plain)
	if left, _ := filepath.Glob(filepath.Join(o.Out, "facts", "*")); len(left) > 0 {
		t.Errorf("a build without tables leaves %q, want none", left)
	}
	if left, _ := filepath.Glob(filepath.Join(o.Out, "s", "*", "calls.rows")); len(left) > 0 {
		t.Errorf("a build without tables leaves %q, want none", left)
	}
}

// TestTableParts: parts have about the intended size, and contain each session once.
func TestTableParts(t *testing.T) {
	for _, n := range []int{1, 8, 9, 16, 17, 1000} {
		var all []indexed
		for i := range n {
			all = append(all, fakeIndexed(i))
		}
		list := func() *indexedSessions {
			b := &builder{reader: &reader{old: new(state.State)}}
			l, s := b.indexInMemory(n)
			for _, k := range all {
				s.add(k.Session, k.listSummary(), true)
			}
			return l
		}
		l := list()
		parts := tableParts(l, 8)
		met := make(map[string]bool)
		for i, p := range parts {
			if i > 0 && parts[i-1].name >= p.name || len(p.sessions) > 24 {
				t.Errorf("%d sessions: part %s has %d, want at most 24, and parts in order", n, p.name, len(p.sessions))
			}
			for _, k := range l.sessions(p.sessions) {
				met[k.Folder] = true
			}
		}
		if len(met) != n || n <= 8 && len(parts) != 1 || n == 1000 && len(parts) != 128 {
			t.Errorf("%d sessions: got %d in %d parts", n, len(met), len(parts))
		}
		all = slices.Clone(all)
		slices.Reverse(all)
		for i, p := range tableParts(list(), 8) {
			if !slices.Equal(foldersOf(list(), p), foldersOf(l, parts[i])) {
				t.Errorf("part %s depends on the order of the sessions", p.name)
			}
		}
	}
}

func foldersOf(l *indexedSessions, p tablePart) (all []string) {
	for _, k := range l.sessions(p.sessions) {
		all = append(all, k.Folder)
	}
	return all
}

func fakeIndexed(i int) indexed {
	folder, start := fmt.Sprintf("p/s%d", i), time.Date(2026, 5, 1+i%28, 0, 0, i, 0, time.UTC)
	return indexed{
		Session: &state.Session{Folder: folder},
		summary: &render.Summary{ID: folder, Folder: folder, Start: start},
	}
}
