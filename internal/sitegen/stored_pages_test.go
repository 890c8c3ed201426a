package sitegen

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"viewer/internal/testing/corpus"
	"viewer/internal/testing/corpusgen"
)

// TestStoredDraws counts the pages of a long session that a new process draws after each change: few after an append,
// and all if earlier pages may look different now. The site must always be that of a clean build.
func TestStoredDraws(t *testing.T) {
	corpus.Long(t)
	const password = "Sommerregen42!"
	source := t.TempDir()
	g := &liveSession{
		t: t, rng: rand.New(rand.NewPCG(1, 1)), file: filepath.Join(source, "-w-live",
			"11111111-2222-4333-8444-555555555555.jsonl"),
	}
	say := func(text string) {
		appendTo(t, g.file, g.record("user", fmt.Sprintf(`"message":{"role":"user","content":%q}`, text)))
	}
	rewrite := func(change func(data []byte) []byte) {
		data, err := os.ReadFile(g.file)
		if err != nil {
			t.Fatal(err)
		}
		write(t, g.file, change(data))
	}
	write(t, g.file, nil)
	say("Try " + password + " at the gate")
	rewrite(func(data []byte) []byte { return append(data, corpusgen.Session(5, 1_300_000)...) })
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test", storedSize: 1 << 19}
	w := &watched{t: t, site: NewSite(o), o: o, source: source, file: g.file, anew: true}
	stored := filepath.Join(o.Out, pagesDir, stem(g.file))
	w.build()
	const most = 3 // pages that few are
	for _, step := range []struct {
		name   string
		change func()
		few    bool
	}{
		{"a prompt", func() { say("First") }, true},
		{"another", func() { say("Next") }, true},
		{"a word of an old record", func() {
			rewrite(func(data []byte) []byte { return bytes.Replace(data, []byte("the gate"), []byte("two gate"), 1) })
		}, false},
		{"a prompt after that", func() { say("More") }, true},
		{"a password from the first prompt", func() { say("password=" + password) }, false},
		{"a prompt after it", func() { say("Last") }, true},
		{"a damaged file", func() {
			data, err := os.ReadFile(stored)
			if err != nil {
				t.Fatal(err)
			}
			data[len(data)/2] ^= 1
			write(t, stored, data)
			say("Damaged")
		}, false},
		{"no file", func() { remove(t, stored); say("None") }, false},
		{"a changed page", func() {
			write(t, filepath.Join(o.Out, "s", stem(g.file), "2.html"), nil)
			say("Changed")
		}, true},
		{"another file of the session", func() {
			write(t, filepath.Join(source, "-w-live", stem(g.file), "subagents", "agent-0badcafe.jsonl"),
				[]byte(g.record("user", `"isSidechain":true,"message":{"role":"user","content":"Look"}`)))
			say("Beside")
		}, false},
		{"the end of the file is gone", func() {
			rewrite(func(data []byte) []byte { return data[:bytes.LastIndexByte(data[:len(data)-1], '\n')+1] })
		}, false},
	} {
		step.change()
		drawn, pages := w.build().Drawn, pagesOf(t, o.Out, stem(g.file))
		if pages <= most {
			t.Fatalf("the session has %d pages, and needs more than %d: make it longer", pages, most)
		}
		if step.few && drawn > max(most, pages/2) || !step.few && drawn != pages {
			t.Errorf("%s: drew %d pages of %d, want few only after appends", step.name, drawn, pages)
		}
		w.checkSame(step.name)
	}
	remove(t, g.file)
	if err := os.RemoveAll(filepath.Join(source, "-w-live", stem(g.file))); err != nil {
		t.Fatal(err)
	}
	w.site.o.Prune, w.site.o.Empty = true, true
	other := filepath.Join(source, "-w-live", "22222222-2222-4333-8444-555555555555.jsonl")
	write(t, other, corpusgen.Session(6, 20_000))
	w.build()
	if _, err := os.Stat(stored); err == nil {
		t.Error("the stored pages of a deleted session still exist")
	}
}

// pagesOf counts the pages of a session in a site.
func pagesOf(t *testing.T, site, session string) int {
	t.Helper()
	n := 0
	err := filepath.WalkDir(filepath.Join(site, "s"), func(p string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(p, ".html") && strings.Contains(p, session) {
			n++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
