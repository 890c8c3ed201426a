package sitegen

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"viewer/internal/testing/corpus"
)

// TestCursorDatabase: each chat of Cursor's editor is a separate session, and is only drawn again if it changed.
func TestCursorDatabase(t *testing.T) {
	data, err := os.ReadFile("../sources/cursor/testdata/state.vscdb")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "User", "globalStorage", "state.vscdb")
	write(t, file, data)
	o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test"}
	w := watchFile(t, o, file)
	if r := w.build(); r.Sessions != 2 || r.Totals.Prompts != 2 || r.Agents["Cursor"] != 2 || r.Ledger.Missed != 0 {
		t.Fatalf("got %d sessions with %d prompts of %v, %d missed; want 2 with 2 and none",
			r.Sessions, r.Totals.Prompts, r.Agents,
			r.Ledger.Missed)
	}
	for _, c := range []struct {
		name, old, new string
		drawn          int
	}{
		{"nothing", "Rigged.", "Rigged.", 0},
		{"one chat", `"lastUpdatedAt":1782800090000`, `"lastUpdatedAt":1782800090001`, 1},
		{"the other", "An older form.", "An older farm.", 1},
		{"a value that is not part of a chat", "secret-token-of-mara", "secret-token-of-cara", 0},
	} {
		if !bytes.Contains(data, []byte(c.old)) {
			t.Fatalf("%s: the database lacks %q", c.name, c.old)
		}
		data = bytes.Replace(data, []byte(c.old), []byte(c.new), 1)
		write(t, file, data)
		settle(t, dir)
		if r := w.build(); r.Rendered != c.drawn {
			t.Errorf("%s: %d sessions were drawn, want %d", c.name, r.Rendered, c.drawn)
		}
		w.checkSame(c.name)
	}
	if page := findIn(t, o.Out, "secret-token"); page != "" {
		t.Errorf("%s contains a value that is not part of a chat", page)
	}
}

// findIn returns the name of a page of a site that contains a text, or "".
func findIn(t *testing.T, dir, text string) (found string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(p, ".html") && bytes.Contains(read(t, p), []byte(text)) {
			found = p
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestPatchesLive: after each line of a log that repeats, rewinds and replaces messages, the page is that of a clean
// build.
func TestPatchesLive(t *testing.T) {
	corpus.Long(t)
	for name, place := range map[string]string{
		"gemini-cli_rewind":   "tmp/quay/chats/session-2026-05-04T09-00-7a1e5c20.jsonl",
		"gemini-cli_log":      "tmp/quay/chats/session-2026-05-04T09-00-7a1e5c20.jsonl",
		"qwen-code_session":   "projects/kiln/chats/5c0a7e10-0000-4000-8000-000000000001.jsonl",
		"vs-code_log":         "workspaceStorage/a1/chatSessions/5c0a7e10-0000-4000-8000-000000000009.jsonl",
		"antigravity_session": "brain/a1/.system_generated/logs/transcript.jsonl",
	} {
		t.Run(name, func(t *testing.T) {
			a, err := txtar.ParseFile("../../normalize/testdata/sources/" + name + ".txtar")
			if err != nil {
				t.Fatal(err)
			}
			var log []byte
			for _, f := range a.Files {
				if f.Name == "in.jsonl" {
					log = f.Data
				}
			}
			lines := bytes.SplitAfter(log, []byte("\n"))
			dir := t.TempDir()
			file := filepath.Join(dir, filepath.FromSlash(place))
			write(t, file, lines[0])
			o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test"}
			w := watchFile(t, o, file)
			w.build()
			for n := 3; n < len(lines)+4; n += 4 {
				write(t, file, bytes.Join(lines[:min(n, len(lines))], nil))
				settle(t, dir)
				w.build()
				w.checkSame("part of the log")
			}
		})
	}
}
