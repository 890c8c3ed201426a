package sitegen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/tools/txtar"
)

// rollout returns the session of a golden file of package normalize, with another id.
func rollout(t *testing.T, name, id string) []byte {
	t.Helper()
	a, err := txtar.ParseFile("../../normalize/testdata/sources/codex_" + name + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		if f.Name == "in.jsonl" {
			return []byte(strings.ReplaceAll(string(f.Data), "019ed936-0000-7000-8000-000000000001", id))
		}
	}
	t.Fatalf("no session in %s", name)
	return nil
}

func zstdOf(t *testing.T, data []byte) []byte {
	t.Helper()
	e, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	return e.EncodeAll(data, nil)
}

const (
	codexParent = "019ed900-0000-7000-8000-000000000009"
	codexOld    = "019ed700-0000-7000-8000-000000000007"
)

// TestCodexHome builds and watches the files of Codex: sessions, one of them compressed, and an agent in a separate
// file. A session that is compressed later counts once, and credentials are not read.
func TestCodexHome(t *testing.T) {
	dir := t.TempDir()
	day := filepath.Join(dir, "sessions", "2026", "06", "18")
	file := filepath.Join(day, "rollout-2026-06-18T10-00-00-"+codexParent+".jsonl")
	lines := strings.SplitAfter(string(rollout(t, "mirrored", codexParent)), "\n")
	write(t, file, []byte(strings.Join(lines[:4], "")))
	write(t, filepath.Join(day, "rollout-2026-06-18T11-00-00-child.jsonl"),
		rollout(t, "inherited", "019ed936-0000-7000-8000-000000000001"))
	old := filepath.Join(dir, "archived_sessions", "rollout-2026-06-10T10-00-00-"+codexOld+".jsonl")
	write(t, old, rollout(t, "calls", codexOld))
	write(t, old+".zst", zstdOf(t, rollout(t, "calls", codexOld)))
	write(t, filepath.Join(day, "rollout-2026-06-18T12-00-00-fork.jsonl"),
		rollout(t, "paginated", "019ed940-0000-7000-8000-000000000003"))
	secret := `{"type":"user","uuid":"u1","sessionId":"s1","message":{"role":"user","content":"a secret"}}` + "\n"
	for _, name := range []string{"auth.json", "history.jsonl"} {
		write(t, filepath.Join(dir, name), []byte(secret))
	}
	index := filepath.Join(dir, "session_index.jsonl")
	write(t, index, []byte(secret+`{"id":"`+codexOld+`","thread_name":"An old lamp","updated_at":"t"}`+"\n"))
	o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test", Prune: true}
	w := watchFile(t, o, file)
	r := w.build()
	if r.Sessions != 3 || r.Totals.Agents != 1 || r.Ledger.Missed != 0 || r.Ledger.Generics() != 1 {
		t.Errorf("got %d sessions, %d agents, ledger %+v; want 3 and 1", r.Sessions, r.Totals.Agents, r.Ledger)
	}
	for i, line := range lines[4:] {
		if half := len(line) / 2; i%3 == 0 && half > 0 { // a line is incomplete while it is written
			appendTo(t, file, line[:half])
			w.build()
			line = line[half:]
		}
		appendTo(t, file, line)
		r = w.build()
		w.checkSame("line " + line[:min(len(line), 80)])
	}
	if r.Read > 2000 {
		t.Errorf("%d bytes were read for an appended line, want at most 2000", r.Read)
	}
	page := string(read(t, filepath.Join(o.Out, "s", codexParent, "index.html")))
	for _, text := range []string{"The dark lamp", "It has no oil.", "no oil", "gpt-5.5", "encrypted"} {
		if !strings.Contains(page, text) {
			t.Errorf("the page lacks %q", text)
		}
	}
	if n := strings.Count(page, "It has no oil.</p>"); n != 1 {
		t.Errorf("the answer is %d times on the page, want once", n)
	}
	fork := string(read(t, filepath.Join(o.Out, "s", "019ed940-0000-7000-8000-000000000003", "index.html")))
	if !strings.Contains(fork, `../`+codexParent+`/index.html`) {
		t.Error("the page of a fork has no link to its original")
	}
	title := func(out string) string {
		_, rest, _ := strings.Cut(string(read(t, filepath.Join(out, "s", codexOld, "index.html"))), "<title>")
		return rest[:min(len(rest), 20)]
	}
	if got := title(o.Out); !strings.HasPrefix(got, "An old lamp") {
		t.Errorf("a session named by a list in its folder has the title %q", got)
	}
	sessions := Options{Sources: []string{filepath.Join(dir, "archived_sessions")}, Out: t.TempDir(), Version: "test"}
	mustBuild(t, sessions)
	if got := title(sessions.Out); !strings.HasPrefix(got, "An old lamp") {
		t.Errorf("a session named by a list in the parent folder has the title %q", got)
	}
	appendTo(t, index, `{"id":"`+codexOld+`","thread_name":"A newer name","updated_at":"t"}`+"\n")
	w.build()
	w.checkSame("another name")
	mustBuild(t, sessions)
	for _, out := range []string{o.Out, sessions.Out} {
		if got := title(out); !strings.HasPrefix(got, "A newer name") {
			t.Errorf("a renamed session has the title %q, want A newer name", got)
		}
	}
	before := read(t, filepath.Join(o.Out, "s", codexOld, "index.html"))
	if err := os.Remove(old); err != nil {
		t.Fatal(err)
	}
	r = w.build()
	w.checkSame("packed")
	if r.Sessions != 3 {
		t.Errorf("%d sessions after one was compressed, want 3", r.Sessions)
	}
	after := read(t, filepath.Join(o.Out, "s", codexOld, "index.html"))
	if got := strings.ReplaceAll(string(after), ".jsonl.zst", ".jsonl"); got != string(before) {
		t.Error("the page of a session changed when it was compressed")
	}
	one := Options{Sources: []string{old + ".zst"}, Out: t.TempDir(), Version: "test"}
	if r := mustBuild(t, one); r.Sessions != 1 || r.Totals.Tools == 0 {
		t.Errorf("a compressed file has %d sessions with %d calls, want 1 with some", r.Sessions, r.Totals.Tools)
	}
	write(t, old+".zst", zstdOf(t, rollout(t, "calls", codexOld))[:200])
	one.Out = t.TempDir()
	if _, err := Build(t.Context(), one); err == nil || !strings.Contains(err.Error(), "rollout-2026-06-10") {
		t.Errorf("a truncated compressed file: error %v, want one that names it", err)
	}
}

// TestCodexFirstLine: if a site is built while the first line of a session is written, the next build knows its writer.
func TestCodexFirstLine(t *testing.T) {
	first, rest, _ := strings.Cut(string(rollout(t, "mirrored", codexParent)), "\n")
	for _, known := range []int{1, 20} { // bytes of the line at the first build
		dir := t.TempDir()
		file := filepath.Join(dir, "rollout-2026-06-18T10-00-00-"+codexParent+".jsonl")
		write(t, file, []byte(first[:known]))
		o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test", Empty: true}
		w := &watched{t: t, site: NewSite(o), o: o, source: dir, file: file}
		w.build()
		appendTo(t, file, first[known:]+"\n"+rest)
		if r := w.build(); r.Agents["Codex"] != 1 {
			t.Errorf("%d bytes: got sessions of %v, want one of Codex", known, r.Agents)
		}
		w.checkSame("a first line that ended")
		w.site.Close()
	}
}
