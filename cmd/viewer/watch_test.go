//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"viewer/internal/sitegen"
	"viewer/internal/testing/corpus"
)

// A process is the program that runs while a test changes its sources.
type process struct {
	t           *testing.T
	cmd         *exec.Cmd
	source, out string

	mu      sync.Mutex
	printed bytes.Buffer
}

func (r *process) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.printed.Write(p)
}

// messages returns all that the program has printed.
func (r *process) messages() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.printed.String()
}

// startProgram runs viewer and waits until it has printed a text.
func startProgram(t *testing.T, until string, args ...string) *process {
	t.Helper()
	r := &process{t: t, cmd: exec.Command("viewer", args...)}
	r.start(until)
	return r
}

func (r *process) start(until string) {
	r.t.Helper()
	r.cmd.Stdout, r.cmd.Stderr = r, r
	if err := r.cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { r.cmd.Process.Kill(); r.cmd.Wait() })
	r.await("to say "+until, func() bool { return strings.Contains(r.messages(), until) })
}

func (r *process) await(what string, done func() bool) {
	r.t.Helper()
	for end := time.Now().Add(3 * time.Minute); !done(); { // a second on an idle machine
		if time.Now().After(end) {
			r.t.Fatalf("waited three minutes for viewer %s\nit printed\n%s", what, r.messages())
		}
		time.Sleep(60 * time.Millisecond) // done may read all files of a site
	}
}

// stop interrupts the program as Ctrl-C does. It must end within 2 s, or later if the machine is busy: a program that
// only prints its version shows how much.
func (r *process) stop() {
	r.t.Helper()
	began := time.Now()
	if err := exec.Command("viewer", "version").Run(); err != nil {
		r.t.Fatal(err)
	}
	most := 2*time.Second + 20*time.Since(began)
	began = time.Now()
	if err := r.cmd.Process.Signal(syscall.SIGINT); err != nil {
		r.t.Fatal(err)
	}
	_ = r.cmd.Wait() // the exit code is checked below
	if code, took := r.cmd.ProcessState.ExitCode(), time.Since(began); code != exitInterrupted || took > most {
		r.t.Errorf("after Ctrl-C: exit code %d after %v, want %d within %v\n%s",
			code, took, exitInterrupted, most, r.messages())
	}
}

// siteFiles returns the files of a site, without its state.
func siteFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && d.Name() == ".viewer" {
				return fs.SkipDir
			}
			return err
		}
		data, err := os.ReadFile(p)
		files[strings.TrimPrefix(p, dir)] = string(data)
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // the program may remove files meanwhile
		t.Fatal(err)
	}
	return files
}

// differ returns the names of the files that two sites do not share.
func differ(a, b map[string]string) []string {
	var names []string
	for name, text := range a {
		if other, ok := b[name]; !ok || other != text {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// cleanBuild returns the files of a build into an empty folder, or nil if there is nothing to build.
func cleanBuild(t *testing.T, source string) map[string]string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "clean")
	if _, err := sitegen.Build(context.Background(), sitegen.Options{
		Sources: []string{source}, Out: dir, Version: version,
	}); err != nil {
		return nil
	}
	defer os.RemoveAll(dir)
	return siteFiles(t, dir)
}

// awaitCleanBuild waits until the site is that of a clean build.
func (r *process) awaitCleanBuild(after string) {
	r.t.Helper()
	want := cleanBuild(r.t, r.source)
	if want == nil {
		r.t.Fatalf("%s: nothing to build", after)
	}
	var left []string
	r.await("to make the site current after "+after, func() bool {
		left = differ(siteFiles(r.t, r.out), want)
		return len(left) == 0
	})
}

// sources is a folder of sources and the changes that tests make to it.
type sources struct {
	t   *testing.T
	dir string
}

func (s sources) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

func (s sources) check(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s sources) write(name, text string) {
	s.t.Helper()
	s.check(os.MkdirAll(filepath.Dir(s.path(name)), 0o755))
	s.check(os.WriteFile(s.path(name), []byte(text), 0o644))
}

func (s sources) append(name, text string) {
	s.t.Helper()
	s.check(os.MkdirAll(filepath.Dir(s.path(name)), 0o755))
	f, err := os.OpenFile(s.path(name), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	s.check(err)
	_, err = f.WriteString(text)
	s.check(err)
	s.check(f.Close())
}

func (s sources) read(name string) string {
	s.t.Helper()
	data, err := os.ReadFile(s.path(name))
	s.check(err)
	return string(data)
}

func (s sources) rename(from, to string) {
	s.t.Helper()
	s.check(os.Rename(s.path(from), s.path(to)))
}

// age makes all files older than the time for which the reader waits for the end of a last line.
func (s sources) age() {
	s.t.Helper()
	hour := time.Now().Add(-time.Hour)
	s.check(filepath.WalkDir(s.dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			err = os.Chtimes(p, hour, hour)
		}
		return err
	}))
}

// promptLine returns a line of a session with a prompt.
func promptLine(n int) string {
	return fmt.Sprintf(`{"type":"user","uuid":"%08x-0000-4111-8111-%012x","timestamp":"2026-05-12T10:00:00Z","message":{"role":"user","content":"And %d, please"}}`+"\n", n*7919, n, n)
}

const (
	one   = "-home-mara-ovenbell/17c3e8a4-0b6d-4f92-a7e1-c58d2b90f463.jsonl"
	two   = "-srv-nightwatch/8a6f31d2-94c5-4be7-b0d8-3e27f5a1c960.jsonl"
	agent = "-srv-nightwatch/8a6f31d2-94c5-4be7-b0d8-3e27f5a1c960/subagents/agent-0badcafe.jsonl"
	spill = "-srv-nightwatch/8a6f31d2-94c5-4be7-b0d8-3e27f5a1c960/tool-results/b00.txt"
)

// TestWatch changes sessions in all ways in which files can change, one after the other. Each time the site must become
// that of a clean build, byte for byte.
func TestWatch(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
	}{
		{"told", nil},
		{"looking", []string{"--poll", "50ms"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.name == "looking" && testing.Short() {
				t.Skip("takes as long as the other case")
			}
			dir := t.TempDir()
			s := sources{t, filepath.Join(dir, "projects")}
			s.check(os.CopyFS(s.dir, os.DirFS("../../testdata/projects")))
			// The source is a symbolic link to a folder.
			link := filepath.Join(dir, "link")
			s.check(os.Symlink(s.dir, link))
			out := filepath.Join(dir, "site")
			r := startProgram(t, "watching for changes",
				append([]string{"watch", link, "-o", out, "--prune"}, c.args...)...)
			r.source, r.out = link, out
			r.awaitCleanBuild("the first build")
			every := 1
			if !corpus.Full() { // most of the time goes into clean builds to compare with
				every = 3
			}
			changeSources(s, r, every)
			r.stop()
			r.awaitCleanBuild("the end")
			if again, err := exec.Command("viewer", "build", link, "-o", out, "--prune").CombinedOutput(); err != nil ||
				!strings.Contains(string(again), "rendered 0,") {
				t.Errorf("building again after the end: error %v, want nothing rendered\n%s", err, again)
			}
		})
	}
}

// changeSources makes unusual changes to the sources, and compares the site after each group of so many changes.
func changeSources(s sources, r *process, every int) {
	s.t.Helper()
	whole := s.read(one)
	n := 0
	next := func() string { n++; return promptLine(n) }
	for i, step := range []struct {
		name   string
		change func()
	}{
		{"an append", func() { s.append(one, next()) }},
		{"an append, byte by byte", func() {
			for _, b := range []byte(next()) {
				s.append(one, string([]byte{b}))
				time.Sleep(time.Millisecond)
			}
		}},
		{"a thousand lines", func() {
			for range 1000 {
				s.append(one, next())
			}
		}},
		{"half a line, and its other half after longer than a line may take", func() {
			line := next()
			s.append(one, line[:50])
			r.awaitCleanBuild("half a line")
			s.append(one, line[50:])
		}},
		{"two values glued, and a line of no JSON", func() { s.append(one, strings.TrimSpace(next())+next()+"{no\n") }},
		{"both halves of many lines", func() {
			for range 20 {
				line := next()
				s.append(one, line[:60])
				time.Sleep(15 * time.Millisecond)
				s.append(one, line[60:])
			}
		}},
		{"truncated", func() { s.write(one, whole[:len(whole)/2]) }},
		{"grown again", func() { s.write(one, whole) }},
		{"replaced by rename", func() {
			s.write("-home-mara-ovenbell/new.tmp", whole+next())
			s.rename("-home-mara-ovenbell/new.tmp", one)
		}},
		{"an append to what replaced it", func() { s.append(one, next()) }},
		{"written in place with the same size", func() {
			text := s.read(one)
			s.write(one, strings.Replace(text, "please", "pleasE", 1))
		}},
		{"two sessions at once", func() {
			for range 10 {
				s.append(one, next())
				s.append(two, next())
				time.Sleep(10 * time.Millisecond)
			}
		}},
		{"an agent", func() { s.append(agent, next()) }},
		{"the agent grows", func() { s.append(agent, next()) }},
		{"a spilled output", func() { s.write(spill, "much\n") }},
		{"a new project", func() { s.write("-home-mara-new/cccc0000-0000-4000-8000-000000000000.jsonl", next()) }},
		{"a session in it, deep", func() {
			s.write("-home-mara-new/deep/er/dddd0000-0000-4000-8000-000000000000.jsonl", next())
		}},
		{"a folder moved away", func() { s.rename("-home-mara-ovenbell", "../away") }},
		{"the folder moved back, with more in it", func() {
			s.append("../away/"+filepath.Base(one), next())
			s.rename("../away", "-home-mara-ovenbell")
		}},
		{"an append in the folder that was moved", func() { s.append(one, next()) }},
		{"a folder moved away and back at once", func() {
			s.rename("-home-mara-ovenbell", "../away")
			s.rename("../away", "-home-mara-ovenbell")
		}},
		{"an append in it", func() { s.append(one, next()) }},
		{"a session deleted", func() { s.check(os.Remove(s.path(one))) }},
		{"a session there again", func() { s.write(one, whole) }},
		{"a clock that is ahead", func() {
			s.append(one, next())
			ahead := time.Now().Add(time.Hour)
			s.check(os.Chtimes(s.path(one), ahead, ahead))
		}},
		{"a clock that is behind", func() {
			s.append(one, next())
			behind := time.Now().Add(-1000 * time.Hour)
			s.check(os.Chtimes(s.path(one), behind, behind))
		}},
		{"the folder of all renamed over", func() {
			s.check(os.CopyFS(s.path("../other"), os.DirFS("../../testdata/projects/-srv-nightwatch")))
			s.check(os.Rename(s.dir, s.path("../projects.old")))
			s.check(os.Rename(filepath.Join(filepath.Dir(s.dir), "other"), s.dir))
		}},
		{"the link leads elsewhere", func() {
			link := filepath.Join(filepath.Dir(s.dir), "link")
			s.check(os.Symlink(filepath.Join(filepath.Dir(s.dir), "projects.old"), link+".new"))
			s.check(os.Rename(link+".new", link))
		}},
	} {
		step.change()
		if i%every == 0 {
			r.awaitCleanBuild(step.name)
		}
	}
}

// TestWatchFailures: a failure is reported once, and the program continues when its cause is gone.
func TestWatchFailures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := sources{t, filepath.Join(dir, "projects")}
	s.check(os.CopyFS(s.dir, os.DirFS("../../testdata/projects")))
	out := filepath.Join(dir, "site")
	r := startProgram(t, "watching for changes", "watch", s.dir, "-o", out, "--prune", "--poll", "50ms")
	r.source, r.out = s.dir, out
	says := func(text string) {
		t.Helper()
		r.await("to say "+text, func() bool { return strings.Contains(r.messages(), text) })
	}

	s.check(os.Rename(s.dir, s.dir+".away"))
	says("viewer: error: reading " + s.dir + ": no such file or directory\n")
	time.Sleep(3 * time.Second) // in that time it tries again
	if n := strings.Count(r.messages(), "no such file"); n != 1 {
		t.Errorf("reported %d times that the source is missing, want once", n)
	}
	s.check(os.Rename(s.dir+".away", s.dir))
	says("viewer: the site is up to date again\n")
	r.awaitCleanBuild("the source is back")

	// A page cannot be written, because there is a folder in its place.
	page := filepath.Join(out, "s", strings.TrimSuffix(filepath.Base(one), ".jsonl"), "index.html")
	s.check(os.Remove(page))
	s.check(os.MkdirAll(filepath.Join(page, "in the way"), 0o755))
	s.append(one, promptLine(1))
	says("viewer: error: writing " + page)
	s.check(os.RemoveAll(page))
	r.await("to recover", func() bool { return strings.Count(r.messages(), "the site is up to date again") == 2 })
	r.awaitCleanBuild("the page can be written")

	// The site is removed while nothing else changes, and then again with a change. A build may start before all of it
	// is removed.
	removed := func() bool { return os.RemoveAll(out) == nil }
	r.await("to let go of its site", removed)
	says("viewer: " + filepath.Join(out, "index.html") + " is gone: building the site again\n")
	r.awaitCleanBuild("the site was removed")
	r.await("to let go of its site", removed)
	s.append(one, promptLine(2))
	r.awaitCleanBuild("the site was removed again")
	r.stop()
}

// TestWatchStop interrupts the program in the middle of a build: all pages are complete, and the next build completes
// the site.
func TestWatchStop(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := sources{t, filepath.Join(dir, "projects")}
	s.check(os.CopyFS(s.dir, os.DirFS("../../testdata/projects")))
	out := filepath.Join(dir, "site")
	for i := range 3 {
		r := startProgram(t, "watching for changes", "watch", s.dir, "-o", out, "--prune", "--poll", "10ms")
		for n := range 30 {
			s.append(one, promptLine(100*i+n))
			s.append(two, promptLine(100*i+n+50))
			time.Sleep(5 * time.Millisecond)
		}
		r.stop()
		for name, text := range siteFiles(t, out) {
			if filepath.Ext(name) == ".html" && !strings.HasSuffix(text, "</html>\n") {
				t.Errorf("%s has no end", name)
			}
			if strings.HasPrefix(filepath.Base(name), ".") {
				t.Errorf("a temporary file is left: %s", name)
			}
		}
	}
	if msg, err := exec.Command("viewer", "build", s.dir, "-o", out, "--prune").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, msg)
	}
	if left := differ(siteFiles(t, out), cleanBuild(t, s.dir)); len(left) > 0 {
		t.Errorf("files that differ from a clean build: %v", left)
	}
}

// TestWatchFirstSession starts without sessions and waits for the first one. When all are removed, their pages stay.
func TestWatchFirstSession(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	r := &process{t: t, cmd: exec.Command("viewer", "watch", "-o", filepath.Join(home, "site"))}
	r.cmd.Env = append(os.Environ(), "HOME="+home, "CLAUDE_CONFIG_DIR=")
	r.start("watching for changes")
	if !strings.Contains(r.messages(), "projects yet: waiting for the first") {
		t.Errorf("got messages\n%s\nwant that it waits", r.messages())
	}
	s := sources{t, filepath.Join(home, ".claude", "projects")}
	s.write(one, promptLine(1))
	r.source, r.out = s.dir, filepath.Join(home, "site")
	r.awaitCleanBuild("the first session")
	s.rename("-home-mara-ovenbell", "../away")
	r.await("to keep the pages", func() bool {
		return strings.Contains(r.messages(), "kept 1 session whose files are gone")
	})
	page := siteFiles(t, r.out)["/s/"+strings.TrimSuffix(filepath.Base(one), ".jsonl")+"/index.html"]
	if !strings.Contains(page, "And 1, please") {
		t.Errorf("the page of the first session lacks its prompt")
	}
	s.rename("../away", "-home-mara-ovenbell")
	r.awaitCleanBuild("the first session again")
	r.stop()
}

// TestWatchOptions changes a file of options, after which the site must be built again.
func TestWatchOptions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := sources{t, filepath.Join(dir, "projects")}
	s.write(one, promptLine(1)+promptLine(2))
	words := filepath.Join(dir, "words.txt")
	s.check(os.WriteFile(words, []byte("nothing of it\n"), 0o644))
	out := filepath.Join(dir, "site")
	r := startProgram(t, "watching for changes", "watch", s.dir, "-o", out, "--redact-file", words)
	page := filepath.Join(out, "s", strings.TrimSuffix(filepath.Base(one), ".jsonl"), "index.html")
	holds := func(text string) bool {
		html, _ := os.ReadFile(page)
		return strings.Contains(string(html), text)
	}
	if !holds("And 2, please") {
		t.Fatal("the page lacks the second prompt")
	}
	s.check(os.WriteFile(words, []byte("And 2\n"), 0o644))
	r.await("to take out what is in the file now", func() bool {
		return !holds("And 2, please") && holds("And 1, please")
	})
	r.stop()
}

// TestWatchFile watches one session file and the files that belong to it.
func TestWatchFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := sources{t, filepath.Join(dir, "projects")}
	s.check(os.CopyFS(s.dir, os.DirFS("../../testdata/projects")))
	s.age()
	out := filepath.Join(dir, "site")
	r := startProgram(t, "watching for changes", "watch", s.path(two), "-o", out, "--prune")
	r.source, r.out = s.path(two), out
	// The program prints the line when the files are written. A change must happen at once: in two steps it could be
	// built, and reported, twice.
	changed := func(what string, change func()) {
		t.Helper()
		lines := strings.Count(r.messages(), "written in")
		change()
		r.awaitCleanBuild(what)
		r.await("to say that it wrote", func() bool { return strings.Count(r.messages(), "written in") > lines })
	}
	changed("an append", func() { s.append(two, promptLine(1)) })
	s.append("../made/subagents/"+filepath.Base(agent), promptLine(2))
	changed("an agent in a folder that was not there", func() {
		s.rename("../made", strings.TrimSuffix(two, ".jsonl"))
	})
	changed("more of the agent", func() { s.append(agent, promptLine(3)) })
	changed("notes beside it", func() {
		s.write("-srv-nightwatch/viewer.notes.json", `[{"session": "8a6f31d2", "text": "Look here."}]`)
	})
	changed("a note in a folder that was not there", func() {
		s.write("-srv-nightwatch/notes/review.md", "---\nsession: 8a6f31d2\n---\nIt ends well.\n")
	})
	was := r.messages()
	s.append(one, promptLine(4)) // belongs to another session
	s.append("-srv-nightwatch/else.jsonl", promptLine(5))
	time.Sleep(2 * time.Second)
	if now := r.messages(); now != was {
		t.Errorf("a change of another session started a build: got messages\n%s", strings.TrimPrefix(now, was))
	}
	s.write(two+".new", s.read(two)+promptLine(6))
	s.rename(two+".new", two)
	r.awaitCleanBuild("another file under its name")
	r.stop()
}

// TestWatchInside writes the site into the folder that it watches. Its own files must not start builds.
func TestWatchInside(t *testing.T) {
	t.Parallel()
	s := sources{t, filepath.Join(t.TempDir(), "projects")}
	s.check(os.CopyFS(s.dir, os.DirFS("../../testdata/projects")))
	s.age()
	r := startProgram(t, "watching for changes", "watch", s.dir, "-o", s.path("site"), "--prune")
	s.append(one, promptLine(1))
	r.await("to write", func() bool { return strings.Contains(r.messages(), "written in") })
	time.Sleep(4 * time.Second) // longer than the time between two scans
	if n := strings.Count(r.messages(), "written in"); n != 1 {
		t.Errorf("after one append it wrote the site %d times, want once\n%s", n, r.messages())
	}
	r.stop()
}

// TestWatchTitles: a list of titles next to the folder of sessions is watched too, even if it is created later.
func TestWatchTitles(t *testing.T) {
	home, out := t.TempDir(), filepath.Join(t.TempDir(), "site")
	id := "019ed936-0000-7000-8000-0000000000aa"
	folder := filepath.Join(home, "sessions")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("sessions/rollout-2026-06-18T10-00-00-"+id+".jsonl", `{"timestamp":"2026-06-18T10:00:00.000Z",`+
		`"type":"session_meta","payload":{"id":"`+id+`","timestamp":"2026-06-18T10:00:00.000Z","cwd":"/w/lamp"}}`+"\n")
	r := startProgram(t, "watching for changes", "watch", folder, "-o", out)
	for _, title := range []string{"The first name", "Another name"} {
		write("session_index.jsonl", `{"id":"`+id+`","thread_name":"`+title+`"}`+"\n")
		r.await("to show "+title, func() bool {
			page, err := os.ReadFile(filepath.Join(out, "index.html"))
			return err == nil && strings.Contains(string(page), title)
		})
	}
}
