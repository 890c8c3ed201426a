package sitegen

import (
	"bytes"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sitegen/decode"
	"viewer/internal/sources"
	"viewer/internal/sources/all"
	"viewer/internal/testing/tern"
	"viewer/internal/transcript"
)

// notebook is an invented agent whose sessions are databases. Each text in them is a prompt.
type notebook struct{ tern.Source }

func (notebook) Writer() transcript.Writer { return transcript.Writer{Name: "Notebook"} }
func (notebook) Match(head sources.Head) bool {
	return bytes.HasPrefix(head.Data, []byte("SQLite format 3\x00"))
}
func (notebook) Wants(p string) bool                    { return path.Ext(p) == ".db" }
func (notebook) NewScan() sources.Scan                  { return nil }
func (notebook) FolderOf([]byte) string                 { return "" }
func (notebook) Arrange(*sources.Tree) []sources.Folder { return nil }

func (notebook) Values(data []byte) iter.Seq2[transcript.Pos, jsontext.Value] {
	return func(yield func(transcript.Pos, jsontext.Value) bool) {
		for i, text := range []string{"ebb at six", "ebb at seven", "flood at noon"} {
			if bytes.Contains(data, []byte(text)) &&
				!yield(transcript.Pos{Line: i + 1}, jsontext.Value(`{"user":"`+text+`"}`)) {
				return
			}
		}
	}
}

// TestJournalChanges: a site follows a database when only its write-ahead log changes, and when the log is merged into
// it.
func TestJournalChanges(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "notes.db")
	write(t, file, readFile(t, "decode/testdata/journal/notes.db"))
	o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test",
		writers: append(sources.List{notebook{}}, all.Sources...)}
	w := watchFile(t, o, file)
	shows := func(when, text string, want bool) {
		t.Helper()
		page := string(readFile(t, filepath.Join(o.Out, "s", "notes", "index.html")))
		if strings.Contains(page, text) != want {
			t.Errorf("%s: page contains %q: %v, want %v", when, text, !want, want)
		}
	}
	w.build()
	shows("a database", "ebb at six", true)
	journal := readFile(t, "decode/testdata/journal/notes.db-wal")
	for _, c := range []struct {
		name string
		log  []byte
		last bool // whether the last transaction is valid
	}{
		{"a log", journal, true}, {"an incomplete log", journal[:len(journal)-1], false},
		{"the log again", journal, true},
	} {
		write(t, file+decode.JournalSuffix, c.log)
		if r := w.build(); r.Rendered != 1 {
			t.Errorf("%s: %d sessions were drawn, want 1", c.name, r.Rendered)
		}
		w.checkSame(c.name)
		shows(c.name, "flood at noon", true)
		shows(c.name, "ebb at seven", c.last)
	}
	if r := w.build(); r.Rendered != 0 {
		t.Errorf("without changes %d sessions were drawn, want none", r.Rendered)
	}
	write(t, file, readFile(t, "decode/testdata/journal/checkpointed.db"))
	if err := os.Remove(file + decode.JournalSuffix); err != nil {
		t.Fatal(err)
	}
	w.build()
	w.checkSame("a checkpoint")
	shows("a checkpoint", "ebb at seven", true)
	if _, err := fs.Stat(os.DirFS(dir), "notes.db-shm"); err == nil {
		t.Error("notes.db-shm exists, so the database was opened, want it only read")
	}
}
