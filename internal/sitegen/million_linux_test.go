package sitegen

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"viewer/internal/fingerprint"
	"viewer/internal/search"
	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/segments"
	"viewer/internal/sitegen/state"
	"viewer/internal/testing/heap"
	"viewer/internal/testing/manysessions"
	"viewer/render"
)

// TestManyParts merges synthetic parts: of as many sessions as VIEWER_SESSIONS says, in 64 shards. Each session
// resembles one of some thousand that were built. It logs the cost of a merge, a query and an append:
//
//	VIEWER_SESSIONS=1000000 go test ./internal/sitegen -run TestManyParts -v -timeout 3h
//
// The site is written below the folder for temporary files, TMPDIR.
func TestManyParts(t *testing.T) {
	sessions, built, above := 1_500, 200, 500
	if testing.Short() {
		sessions = 600
	}
	if n, err := strconv.Atoi(os.Getenv("VIEWER_SESSIONS")); err == nil {
		sessions, built, above = n, min(10_000, n), 0
	}
	m := newSyntheticSite(t, built, above)
	m.writeParts(t, sessions, -1)
	report := m.merge(t, "all new")
	if report.Sessions != sessions {
		t.Errorf("%d sessions, want %d", report.Sessions, sessions)
	}
	m.largest(t)
	for _, query := range []string{
		"unique7", "scarcely seen", "unique7 project:project-12", "scarcely project:project-3 after:2026-10",
		manysessions.Word(2), manysessions.Word(2) + " " + manysessions.Word(40) + " " + manysessions.Word(900),
		`"` + manysessions.Word(1) + " " + manysessions.Word(2) + `"`, "unikue7 " + manysessions.Word(2),
		"kind:prompt", "zzzz",
	} {
		m.ask(t, query)
	}
	m.writeParts(t, sessions, growingOne)
	report = m.merge(t, "one session grew")
	t.Logf("files written: %v", report.Changed)
	if _, err := os.Stat(filepath.Join(m.o.Out, state.UpdatesName)); err != nil && sessions >= 1000 {
		t.Errorf("the state of all sessions was written again: %v", err)
	}
	if report.Written > 10 {
		t.Errorf("a session that grew writes %d files of the site, want at most 10", report.Written)
	}
}

// growingOne is the number of the session that grows.
const growingOne = 150

// A syntheticSite is a site whose parts are generated.
type syntheticSite struct {
	o     Options
	base  []*state.Session
	ids   []string                   // the ids of the sessions that were built
	data  map[string][]byte          // segments of these sessions, by id
	text  map[string][]byte          // search units of these sessions, by id
	of    func(folder string) string // the id of the session that a synthetic one resembles
	grown []byte                     // the segment of the growing session with one more record
	grew  string                     // the folder of the session that grew, "" for none
}

func newSyntheticSite(t *testing.T, built, above int) *syntheticSite {
	t.Helper()
	source, site := t.TempDir(), t.TempDir()
	if err := manysessions.Write(source, built); err != nil {
		t.Fatal(err)
	}
	s := NewSite(Options{Sources: []string{source}, Out: site, Version: "test"})
	if _, err := s.Build(t.Context()); err != nil {
		t.Fatal(err)
	}
	m := &syntheticSite{data: make(map[string][]byte), text: make(map[string][]byte)}
	for n := range built {
		id := manysessions.ID(n)
		m.ids = append(m.ids, id)
		m.data[id] = readFile(t, filepath.Join(site, filepath.FromSlash(segments.Dir), id))
		m.text[id] = readFile(t, filepath.Join(site, "s", id, "index.search.js"))
	}
	file := filepath.Join(source, manysessions.Path(growingOne))
	text := "One more thing: what about the " + manysessions.Word(12_345) + "?"
	appendTo(t, file, manysessions.Record(growingOne, 5, "user", text))
	if _, err := s.Build(t.Context()); err != nil {
		t.Fatal(err)
	}
	m.grown = readFile(t, filepath.Join(site, filepath.FromSlash(segments.Dir), manysessions.ID(growingOne)))
	byFolder := make(map[string]*state.Session)
	for _, k := range s.last.Sessions {
		byFolder[k.Folder] = k
	}
	for _, id := range m.ids {
		m.base = append(m.base, byFolder[id])
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	m.of = func(folder string) string {
		n, err := strconv.ParseInt(folder[:8], 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		return m.ids[int(n)%built]
	}
	m.o = Options{Out: t.TempDir(), Version: "test", Large: above}
	m.o.segment = func(folder string) ([]byte, error) {
		if folder == m.grew {
			return m.grown, nil
		}
		return m.data[m.of(folder)], nil
	}
	return m
}

// session generates session n. 0 is the newest.
func (m *syntheticSite) session(n int, grew bool) *state.Session {
	base := m.base[n%len(m.base)]
	s := base.Summary()
	s.ID = manysessions.ID(n)
	s.Folder = s.ID
	s.Title = fmt.Sprintf("%s, number %d", s.Title, n)
	project := 0
	// Half of all sessions are in one project, a quarter in the next, and so on.
	for k := n; k%2 == 0 && k > 0 && project < 60; k /= 2 {
		project++
	}
	project += n % 2 * (n / 2 % 400) // the others are in one of 400 projects
	name := fmt.Sprintf("project-%d", project)
	s.Project = render.Project{Name: name, Path: "p/" + name + "/index.html"}
	s.Start = manysessions.Newest.Add(-time.Duration(n) * 95 * time.Second)
	s.Outcome.Asked = "Please look into " + manysessions.Word(n%9000) +
		" and say what it takes to have it in the release"
	s.Outcome.Text = "It takes a day. The tests of " + manysessions.Word(n%7000) +
		" pass, what is left stands in the notes."
	if grew {
		s.Totals.Prompts++
	}
	outputs := []string{"s/" + s.Folder + "/index.html", "s/" + s.Folder + "/index.search.js"}
	var ledger render.Ledger
	base.AddLedger(&ledger)
	k := state.NewSession(base.EncodedFacts, outputs, &render.Drawing{Summary: s, Ledger: ledger, Files: base.Files()})
	k.Key, k.Source, k.Pages, k.Units = fingerprint.Of([]byte(s.ID)), base.Source, base.Pages, base.Units
	k.Segment = fingerprint.Of([]byte(s.ID + fmt.Sprint(grew)))
	return k
}

// writeParts writes a plan and its parts, in which one session has grown.
func (m *syntheticSite) writeParts(t *testing.T, sessions, grew int) {
	t.Helper()
	const shards = 64
	b, err := newBuilder(m.o, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	out, err := output.Open(m.o.Out)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	p := &state.Plan{Program: b.program(), Base: b.base(), Shards: shards, Prices: b.prices.Date,
		Files: make(map[fingerprint.Digest]state.File, sessions)}
	if grew >= 0 {
		m.grew = manysessions.ID(grew)
	}
	for n := range sessions {
		id := fingerprint.Of([]byte(manysessions.Path(n)))
		p.Files[id] = state.File{Stamp: fingerprint.Stamp{Size: 100_000, Mod: int64(n), Inode: uint64(n)}, Content: id}
		if n == grew {
			p.Files[id] = state.File{Stamp: fingerprint.Stamp{Size: 100_100, Mod: int64(n) + 1, Inode: uint64(n)}}
		}
		p.Sessions = append(p.Sessions, state.PlannedSession{ID: id, Shard: n % shards})
	}
	p.SetDigest()
	dir := partsDirOf(p.Digest)
	if err := out.MakeFolder(string(dir)); err != nil {
		t.Fatal(err)
	}
	if err := state.WritePlan(out, dir.plan(), p); err != nil {
		t.Fatal(err)
	}
	out.RemoveUnlisted(mergedName)
	for shard := range shards {
		part := state.Part{Plan: p.Digest, Shard: shard}
		for n := shard; n < sessions; n += shards {
			id := p.Sessions[n].ID
			k := state.Entry{At: n, ID: id, Session: m.session(n, n == grew), Kept: true, Bytes: 100_000,
				Files: []state.SourceFile{{ID: id, File: p.Files[id]}}, Reused: grew >= 0 && n != grew}
			for _, name := range k.Session.Outputs() {
				k.Outputs = append(k.Outputs, output.File{Name: name, Size: 20_000, Mod: int64(n)})
			}
			part.Entries = append(part.Entries, k)
		}
		if err := state.WritePart(out, dir.part(shard), &part); err != nil {
			t.Fatal(err)
		}
	}
}

// merge merges the parts, and logs the cost.
func (m *syntheticSite) merge(t *testing.T, what string) Report {
	t.Helper()
	own := heap.Live()
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		t.Log(err)
	}
	before, start := processTime(), time.Now()
	report, err := Merge(context.Background(), m.o)
	if err != nil {
		t.Fatal(err)
	}
	peak, _ := peakOf(os.Getpid())
	t.Logf("%s: merged %d sessions in %.1f s (%.1f s of processor time), "+
		"at most %d MiB with %d MiB of the test, %d files written: %v", what, report.Sessions,
		time.Since(start).Seconds(), (processTime() - before).Seconds(), peak>>20, own>>20, report.Written,
		report.Stages)
	return report
}

// largest logs the numbers and sizes of the site's files, and fails if a file grows with the number of sessions.
func (m *syntheticSite) largest(t *testing.T) {
	t.Helper()
	type sum struct {
		files, largest int
		bytes          int64
		name           string
	}
	sums := make(map[string]*sum)
	err := filepath.WalkDir(m.o.Out, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(m.o.Out, path)
		if err != nil {
			return err
		}
		top, rest, below := strings.Cut(filepath.ToSlash(name), "/")
		if below {
			top += "/"
		}
		if top == "search/" {
			block, _, _ := strings.Cut(rest, ".")
			top += search.LevelOf(block)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if sums[top] == nil {
			sums[top] = new(sum)
		}
		s := sums[top]
		s.files, s.bytes = s.files+1, s.bytes+info.Size()
		if int(info.Size()) > s.largest {
			s.largest, s.name = int(info.Size()), name
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, top := range slices.Sorted(maps.Keys(sums)) {
		s := sums[top]
		t.Logf("%-14s %7d files, %9.1f MB, the largest %s of %d bytes", top, s.files, float64(s.bytes)/1e6, s.name,
			s.largest)
		if s.largest > 600_000 && top != output.StateDir+"/" {
			t.Errorf("%s has %d bytes, want at most 600,000", s.name, s.largest)
		}
	}
}

// ask runs a query until the first answer, and logs which files it reads.
func (m *syntheticSite) ask(t *testing.T, query string) {
	t.Helper()
	files, size := 0, 0
	x, err := search.OpenIndex(func(name string) ([]byte, error) {
		var data []byte
		var err error
		if folder, ok := strings.CutPrefix(name, "s/"); ok {
			data = m.text[m.of(folder)]
		} else {
			data, err = os.ReadFile(filepath.Join(m.o.Out, filepath.FromSlash(name)))
		}
		files, size = files+1, size+len(data)
		return data, err
	})
	if err != nil {
		t.Fatal(err)
	}
	found, err := x.Find(search.ParseQuery(query, search.Options{First: true}), 10)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	hits := 0
	for _, g := range found.Groups {
		hits += len(g.Hits)
	}
	t.Logf("%-50s %2d files, %7d bytes: %d hits, more %v, partial %v, near %v", query, files, size, hits, found.More,
		found.Partial, found.Near)
	if files > 30 || size > 1_000_000 {
		t.Errorf("%s reads %d files of %d bytes, want at most 30 and 1,000,000", query, files, size)
	}
}
