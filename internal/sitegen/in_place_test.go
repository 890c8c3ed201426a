package sitegen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestInPlace follows files that are rewritten at each change, and old files that grow. After each change the site must
// be that of a clean build.
func TestInPlace(t *testing.T) {
	dir := t.TempDir()
	file, old := filepath.Join(dir, "beach.json"), filepath.Join(dir, "2020", "tides.jsonl")
	beach := string(readFile(t, "../testing/dunlin/beach.json"))
	write(t, file, []byte(beach))
	write(t, old, readFile(t, "../testing/tern/tides.jsonl"))
	write(t, filepath.Join(dir, "-w", "c1.jsonl"), []byte(
		`{"type":"user","uuid":"u1","sessionId":"c1","cwd":"/w","message":{"role":"user","content":"Hello"}}`+"\n"))
	o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test", writers: severalAgents}
	w := watchFile(t, o, file)
	w.build()
	page := filepath.Join(o.Out, "s", "beach", "index.html")
	for _, c := range []struct {
		name, text, shows, hides string
	}{
		{"an element more", strings.Replace(beach, "curlew.\"}", "curlew.\"},\n  {\"ask\": \"Since when?\"}", 1),
			"Since when?", "One owl"},
		{"other words of the same length", strings.Replace(beach, "one curlew", "two plover", 1), "two plover", "one curlew"},
		{"an element less", strings.Replace(beach, `  {"do": "Bash", "with": {"command": "ls beach"}},`+"\n", "", 1),
			"one curlew", "ls beach"},
		{"half of it, as while it is written", beach[:len(beach)/2], "", ""},
		{"all again", beach, "ls beach", "two plover"},
	} {
		if err := os.WriteFile(file+".new", []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(file+".new", file); err != nil {
			t.Fatal(err)
		}
		w.build()
		w.checkSame(c.name)
		if c.shows == "" { // an incomplete document has no session
			continue
		}
		text := string(readFile(t, page))
		if !strings.Contains(text, c.shows) || strings.Contains(text, c.hides) {
			t.Errorf("%s: contains %q: %v, want true; contains %q: %v, want false",
				c.name, c.shows, strings.Contains(text, c.shows), c.hides,
				strings.Contains(text, c.hides))
		}
	}
	write(t, file, []byte(strings.Replace(beach, "one curlew", "two plover", 1))) // rewrites the same file
	w.build()
	w.checkSame("writing into the file")
	long := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	for range 2 {
		appendTo(t, old, `{"sec": 20, "bot": "Still here."}`+"\n")
		touch(t, old, long) // as by a copy that preserves times
		if r := w.build(); r.Rendered != 1 {
			t.Errorf("%d sessions were drawn after an old file grew, want 1", r.Rendered)
		}
		w.checkSame("an old file has grown")
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	w.build()
	if text := string(readFile(t, page)); !strings.Contains(text, "two plover") {
		t.Error("the page of a session whose file was deleted is missing or changed")
	}
}
