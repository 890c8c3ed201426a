package sitegen

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"viewer/internal/sitegen/state"
	"viewer/internal/testing/corpus"
)

// TestCounts checks how many sessions a build draws after one change: those that the change affects, and no others.
func TestCounts(t *testing.T) {
	source := copyOf(t, testdata)
	out := t.TempDir()
	o := Options{Sources: []string{source}, Out: out, Version: "test", Prune: true}
	first := mustBuild(t, o)
	all := first.Sessions + first.Empty
	if first.Rendered != all || first.Reused != 0 || all < 5 {
		t.Fatalf("the first build: rendered %d, reused %d of %d", first.Rendered, first.Reused, all)
	}
	alone := filepath.Join(source, "-srv-nightwatch", mainFiles(t, source, "-srv-nightwatch")[1])
	for _, step := range []struct {
		name     string
		change   func()
		rendered int
		most     int // the most files written
	}{
		{"nothing", func() {}, 0, 0},
		{"nothing, with times that have gone by", func() { settle(t, source) }, 0, 0},
		{"the same bytes at another time", func() { touch(t, alone, time.Now().Add(-time.Hour)) }, 0, 0},
		// in the search index, the text of the page and a shard or two; for a small project, its insights too
		{"one record more", func() { appendRecord(t, alone, "One more thing") }, 1, 9},
		{"and nothing", func() {}, 0, 0},
		{"the same size and time, another text", func() {
			rewriteInPlace(t, alone, "One more thing", "One less thing")
		}, 1, 8},
		{"a removed page", func() {
			remove(t, filepath.Join(out, "s", stem(alone), "index.html"))
		}, 1, 1},
		{"a changed page", func() {
			appendTo(t, filepath.Join(out, "s", stem(alone), "index.html"), "x")
		}, 1, 1},
		{"a removed index", func() { remove(t, filepath.Join(out, "index.html")) }, 0, 1},
		// the files of its agents stay
		{"the log removed", func() { remove(t, alone) }, 1, 14},
		// each index lists the projects with the number of their sessions
		{"its agents removed", func() { removeAll(t, strings.TrimSuffix(alone, ".jsonl")) }, 0, 8},
		{"another version", func() { o.Version = "test 2" }, all - 1, 1 << 20},
		{"another option", func() { o.Personal = true }, all - 1, 1 << 20},
		{"by force", func() { o.Force = true }, all - 1, 0},
	} {
		step.change()
		r := mustBuild(t, o)
		if r.Rendered != step.rendered || r.Reused != r.Sessions+r.Empty-r.Rendered || r.Written > step.most {
			t.Errorf("%s: rendered %d, reused %d, wrote %d; want %d rendered, at most %d written", step.name,
				r.Rendered, r.Reused, r.Written, step.rendered, step.most)
		}
	}
}

// TestTouched: if only the time of a file changed, only the new time is stored.
func TestTouched(t *testing.T) {
	source := copyOf(t, testdata)
	settle(t, source)
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test", Prune: true}
	mustBuild(t, o)
	written := func(name string) time.Time {
		info, err := os.Stat(filepath.Join(o.Out, name))
		if err != nil {
			return time.Time{} // there are no updates
		}
		return info.ModTime()
	}
	sessions, files, updates := written(state.SessionsName), written(state.FilesName), written(state.UpdatesName)
	alone := filepath.Join(source, "-srv-nightwatch", mainFiles(t, source, "-srv-nightwatch")[1])
	touch(t, alone, time.Now().Add(-time.Hour))
	time.Sleep(100 * time.Millisecond) // so that a later change must get another time
	mustBuild(t, o)
	if !written(state.SessionsName).Equal(sessions) || !written(state.FilesName).Equal(files) ||
		written(state.UpdatesName).Equal(updates) {
		t.Errorf("the state of sessions was written at %v, that of files at %v, updates at %v; want %v, %v, and new updates",
			written(state.SessionsName), written(state.FilesName), written(state.UpdatesName), sessions, files)
	}
	updates = written(state.UpdatesName)
	mustBuild(t, o)
	if !written(state.UpdatesName).Equal(updates) {
		t.Error("the new time was not stored")
	}
}

// TestEdits changes sources in all ways of edit, in random sequences that each contain all of them. After each step the
// site must have the bytes of a clean build.
func TestEdits(t *testing.T) {
	for seed := range sequences(1, 3, 24) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 1))
			source := copyOf(t, testdata)
			o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test", Prune: true}
			o.storedSize = int64(seed+1) % 2 // store pages of each session, or only of large ones
			o.insightPart = int(seed) % 3    // a part of insights for all sessions of a project, for one, for two
			mustBuild(t, o)
			kinds := deck{rng: random}
			var story []string
			for step := 0; step < 10 || !kinds.round; step++ {
				for range 1 + random.IntN(2) {
					story = append(story, edit(t, random, kinds.next(edits), source, &o))
				}
				o.Verify = random.IntN(4) == 0
				if r := mustBuild(t, o); len(r.Wrong) > 0 {
					t.Errorf("after %s: kept pages that would be drawn differently: %v", strings.Join(story, ", "),
						r.Wrong)
				}
				compareContents(t, o, compareClean(t, o))
				if t.Failed() {
					t.Fatalf("after %s", strings.Join(story, ", "))
				}
			}
		})
	}
}

// sequences returns the number of random sequences: few in go test and with the slow race detector, more in make test,
// most in make torture.
func sequences(short, ordinary, long uint64) uint64 {
	switch {
	case os.Getenv("VIEWER_TORTURE") != "":
		return long
	case testing.Short() || !corpus.Full():
		return short
	}
	return ordinary
}

// A deck returns numbers in random order, and repeats one only after all others.
type deck struct {
	rng   *rand.Rand
	left  []int
	round bool // all numbers were returned at least once
}

func (d *deck) next(n int) int {
	if len(d.left) == 0 {
		d.left = d.rng.Perm(n)
	}
	card := d.left[0]
	d.left = d.left[1:]
	d.round = d.round || len(d.left) == 0
	return card
}

const edits = 13

// edit makes a change of one kind and returns its description.
func edit(t *testing.T, random *rand.Rand, kind int, source string, o *Options) string {
	t.Helper()
	var files []string
	walkFiles(t, source, func(path string) { files = append(files, path) })
	file := files[random.IntN(len(files))]
	for !strings.HasSuffix(file, ".jsonl") {
		file = files[random.IntN(len(files))]
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	name, err := filepath.Rel(source, file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	switch kind {
	case 0:
		appendRecord(t, file, fmt.Sprint("More of it, ", random.IntN(1000)))
		return "append to " + name
	case 1:
		appendTo(t, file, `{"type":"summary","summary":"Called anew","leafUuid":"`+someUUID(random, data)+`"}`+"\n")
		return "a title in " + name
	case 2:
		write(t, file, data[:len(data)-random.IntN(min(len(data)/2+1, 400))])
		return "truncate " + name
	case 3:
		write(t, file, bytes.Join(append(slices.Clone(lines), lines[random.IntN(len(lines))]), nil))
		return "repeat a line of " + name
	case 4:
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		write(t, file, bytes.Replace(data, []byte("e"), []byte("a"), 1))
		touch(t, file, info.ModTime())
		return "rewrite in place " + name
	case 5:
		if err := os.Rename(file, strings.TrimSuffix(file, ".jsonl")+
			fmt.Sprintf("x%d.jsonl", random.IntN(100))); err != nil {
			t.Fatal(err)
		}
		return "rename " + name
	case 6:
		agent := filepath.Join(strings.TrimSuffix(file, ".jsonl"), "subagents",
			fmt.Sprintf("agent-%07x.jsonl", random.IntN(1<<28)))
		if strings.Contains(file, "subagents") {
			agent = filepath.Join(filepath.Dir(file), filepath.Base(agent))
		}
		write(t, agent, bytes.Join(lines[:len(lines)/2+1], nil))
		write(t, strings.TrimSuffix(agent, ".jsonl")+".meta.json",
			[]byte(`{"agentType":"Explore","description":"Looks around"}`))
		return "a new agent of " + name
	case 7:
		copied := filepath.Join(filepath.Dir(file), fmt.Sprintf("fork%d.jsonl", random.IntN(1000)))
		write(t, copied, data)
		appendRecord(t, copied, "Goes on by itself")
		return "fork " + name
	case 8:
		o.Personal = !o.Personal
		return "another option"
	case 9:
		o.Version += "+"
		return "another version"
	case 10:
		notes := filepath.Join(source, "notes", fmt.Sprintf("n%d.md", random.IntN(2)))
		write(t, notes, fmt.Appendf(nil, "---\nsession: %s\nlabel: l%d\n---\nOn it.\n# #%s\nHere.\n", stem(file),
			random.IntN(3), someUUID(random, data)))
		return "notes on " + name
	case 11:
		write(t, file, rollout(t, "calls", fmt.Sprintf("019ed700-0000-7000-8000-%012d", random.IntN(3))))
		return "a session of Codex instead of " + name
	}
	remove(t, file)
	return "remove " + name
}

// TestArchive removes the file of a session: its pages stay until Prune is set.
func TestArchive(t *testing.T) {
	source := copyOf(t, testdata)
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
	before := mustBuild(t, o)
	file := filepath.Join(source, "-srv-nightwatch", mainFiles(t, source, "-srv-nightwatch")[0])
	remove(t, file)
	page := filepath.Join(o.Out, "s", stem(file), "index.html")
	// Another version cannot draw it again, so it keeps the pages.
	for _, version := range []string{"test", "test 2", "test 2"} {
		o.Version = version
		r := mustBuild(t, o)
		if r.Kept != 1 || r.Sessions != before.Sessions {
			t.Errorf("version %s: %d kept of %d sessions, want 1 of %d", version, r.Kept, r.Sessions,
				before.Sessions)
		}
		if _, err := os.Stat(page); err != nil {
			t.Errorf("version %s: its page is missing: %v", version, err)
		}
	}
	o.Prune = true
	if r := mustBuild(t, o); r.Kept != 0 || r.Sessions != before.Sessions-1 {
		t.Errorf("with Prune: %d kept of %d sessions, want 0 of %d", r.Kept, r.Sessions, before.Sessions-1)
	}
	if _, err := os.Stat(page); err == nil {
		t.Error("with Prune its page still exists")
	}
}

// TestLostArchive damages the stored state of sessions. The pages of a session whose file was deleted cannot be made
// again, so they must stay in that build and the following ones, unless Prune is set.
func TestLostArchive(t *testing.T) {
	for _, prune := range []bool{false, true} {
		for _, damage := range []string{"", "damaged"} { // "": the file is missing
			if testing.Short() && (prune || damage == "") {
				continue // all do the same in parallel
			}
			source := copyOf(t, testdata)
			o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
			mustBuild(t, o)
			file := filepath.Join(source, "-srv-nightwatch", mainFiles(t, source, "-srv-nightwatch")[0])
			remove(t, file)
			mustBuild(t, o)
			kept := filepath.Join(o.Out, filepath.FromSlash(state.SessionsName))
			remove(t, kept)
			if damage != "" {
				write(t, kept, []byte(damage))
			}
			page := filepath.Join(o.Out, "s", stem(file), "index.html")
			appendRecord(t, filepath.Join(source, "-srv-nightwatch", mainFiles(t, source, "-srv-nightwatch")[0]),
				"more")
			o.Prune = prune
			r := mustBuild(t, o)
			again := mustBuild(t, o)
			if _, err := os.Stat(page); (err == nil) == prune || (r.Left > 0) == prune || again.Left > 0 {
				t.Errorf("prune %t, state %q: %d files were left, then %d; page: %v", prune, damage, r.Left,
					again.Left, err)
			}
		}
	}
}

// TestDamagedState: a damaged state causes a complete build with a reason, and never an error.
func TestDamagedState(t *testing.T) {
	source := copyOf(t, testdata)
	settle(t, source)
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
	first := mustBuild(t, o)
	clean := t.TempDir()
	mustBuild(t, Options{Sources: o.Sources, Out: clean, Version: "test"})
	for _, name := range []string{state.FilesName, state.SessionsName} {
		path := filepath.Join(o.Out, filepath.FromSlash(name))
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for what, damaged := range map[string][]byte{
			"half":      whole[:len(whole)/2],
			"empty":     nil,
			"other":     []byte("something else"),
			"newer":     bytes.Replace(whole, []byte("\n"), []byte("0\n"), 1), // written by a later version
			"one wrong": append(append(bytes.Clone(whole[:len(whole)/3]), '\xff', '"'), whole[len(whole)/3:]...),
		} {
			if testing.Short() && what != "one wrong" {
				continue // all do the same in parallel
			}
			write(t, path, damaged)
			if name == state.SessionsName { // otherwise it is not read
				appendRecord(t, filepath.Join(source, "-srv-nightwatch", mainFiles(t, source, "-srv-nightwatch")[0]),
					what)
			}
			r := mustBuild(t, o)
			// empty sessions have no pages to draw
			if other := strings.Contains(r.Fresh, "another version of the viewer"); r.Rendered < first.Sessions ||
				r.Fresh == "" || other != (what == "newer") {
				t.Errorf("%s, %s: rendered %d, because %q; want all %d, with a reason", name, what, r.Rendered,
					r.Fresh, first.Sessions)
			}
		}
	}
	mustBuild(t, Options{Sources: o.Sources, Out: clean, Version: "test", Prune: true})
	compareTrees(t, clean, o.Out)
}

func mustBuild(t *testing.T, o Options) Report {
	t.Helper()
	r, err := Build(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func copyOf(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// settle sets the times of all files to the past, so that each later change has another time.
func settle(t *testing.T, dir string) {
	t.Helper()
	walkFiles(t, dir, func(path string) { touch(t, path, time.Now().Add(-time.Hour)) })
	time.Sleep(60 * time.Millisecond) // the change time of the inode cannot be set, so wait
}

func walkFiles(t *testing.T, dir string, each func(path string)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			each(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// mainFiles returns the names of the session files of a project.
func mainFiles(t *testing.T, source, project string) []string {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(source, project, "*.jsonl"))
	var names []string
	for _, p := range paths {
		if !strings.HasPrefix(filepath.Base(p), "agent-") {
			names = append(names, filepath.Base(p))
		}
	}
	if len(names) == 0 {
		t.Fatalf("no sessions in %s", project)
	}
	return names
}

func stem(path string) string { return strings.TrimSuffix(filepath.Base(path), ".jsonl") }

func someUUID(random *rand.Rand, data []byte) string {
	parts := bytes.Split(data, []byte(`"uuid":"`))
	if len(parts) < 2 {
		return "none"
	}
	id, _, _ := bytes.Cut(parts[1+random.IntN(len(parts)-1)], []byte(`"`))
	return string(id)
}

func appendRecord(t *testing.T, file, text string) {
	t.Helper()
	appendTo(t, file, fmt.Sprintf(`{"type":"user","uuid":"%08x-aaaa-4111-8111-%012x","timestamp":"2026-05-12T10:00:00Z","message":{"role":"user","content":%q}}`+"\n",
		rand.Uint32(), rand.Uint64()>>16, text))
}

func appendTo(t *testing.T, file, text string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(text)
		f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func rewriteInPlace(t *testing.T, file, old, text string) {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, bytes.Replace(data, []byte(old), []byte(text), 1))
	touch(t, file, info.ModTime())
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func touch(t *testing.T, file string, at time.Time) {
	t.Helper()
	if err := os.Chtimes(file, at, at); err != nil {
		t.Fatal(err)
	}
}

func removeAll(t *testing.T, dir string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, file string) {
	t.Helper()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
}

// TestLinkComesAndGoes: what is not read is listed as long as it is there, although no file that is read has changed.
func TestLinkComesAndGoes(t *testing.T) {
	source := copyOf(t, testdata)
	settle(t, source)
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
	problems := len(mustBuild(t, o).Problems)
	link := filepath.Join(source, "-srv-nightwatch", "linked")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Skip(err)
	}
	for _, more := range []int{1, 0} {
		if r := mustBuild(t, o); len(r.Problems) != problems+more {
			t.Errorf("got %d problems, want %d", len(r.Problems), problems+more)
		}
		compareClean(t, o)
		if again := mustBuild(t, o); again.Written > 0 || len(again.Problems) != problems+more {
			t.Errorf("without a change: wrote %d files, %d problems; want none, %d", again.Written,
				len(again.Problems), problems+more)
		}
		if more > 0 {
			remove(t, link)
		}
	}
}

// TestSinceAnotherTime builds for the same date in another time zone, and for another second.
func TestSinceAnotherTime(t *testing.T) {
	source := t.TempDir()
	for i, end := range []string{"08:00:00", "20:00:00", "20:00:30"} {
		log := filepath.Join(source, "-w", fmt.Sprintf("%d.jsonl", i))
		write(t, log, fmt.Appendf(nil, `{"type":"user","uuid":"%d",`+
			`"timestamp":"2026-05-12T%sZ","message":{"role":"user","content":"And %d"}}`+"\n", i, end, i))
	}
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test", Narrow: true}
	for _, c := range []struct {
		since    time.Time
		sessions int
	}{
		{time.Date(2026, 5, 12, 20, 0, 0, 0, time.UTC), 2},
		{time.Date(2026, 5, 12, 20, 0, 0, 0, time.FixedZone("", 14*60*60)), 3},
		{time.Date(2026, 5, 12, 20, 0, 0, 0, time.UTC), 2},
		{time.Date(2026, 5, 12, 20, 0, 10, 0, time.UTC), 1},
	} {
		o.Filter.Since = c.since
		if r := mustBuild(t, o); r.Sessions != c.sessions {
			t.Errorf("since %v: %d sessions, want %d", c.since, r.Sessions, c.sessions)
		}
	}
}
