package sitegen

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/sources/all"
	"viewer/internal/testing/tern"
	"viewer/internal/transcript"
)

// A database is read with its write-ahead log, as SQLite has it after a checkpoint; of a log that is torn or is that of
// another database counts what is whole.
func TestJournal(t *testing.T) {
	db, journal := readFile(t, "testdata/journal/notes.db"), readFile(t, "testdata/journal/notes.db-wal")
	want := readFile(t, "testdata/journal/checkpointed.db")
	want[18], want[19] = 1, 1
	if got := applyJournal(db, journal); !bytes.Equal(got, want) {
		t.Errorf("a database of %d bytes with its log is not the one of %d that SQLite has", len(got), len(want))
	}
	flipped := func(at int) []byte {
		b := bytes.Clone(journal)
		b[at] ^= 1
		return b
	}
	for _, c := range []struct {
		name    string
		journal []byte
		shows   string
		hides   string
	}{
		{"no log", nil, "ebb at six", "flood at noon"},
		{"a header alone", journal[:journalHeader], "ebb at six", "flood at noon"},
		{"no log of SQLite", flipped(0), "ebb at six", "flood at noon"},
		{"of another database", flipped(17), "ebb at six", "flood at noon"},
		{"an impossible page", flipped(11), "ebb at six", "flood at noon"},
		{"its last frame is torn", journal[:len(journal)-1], "flood at noon", "ebb at seven"},
		{"its last frame is wrong", flipped(len(journal) - 1), "flood at noon", "ebb at seven"},
	} {
		got := string(applyJournal(bytes.Clone(db), c.journal))
		if !strings.Contains(got, c.shows) || strings.Contains(got, c.hides) {
			t.Errorf("%s: %q is there %v, %q %v", c.name, c.shows, strings.Contains(got, c.shows), c.hides,
				strings.Contains(got, c.hides))
		}
	}
}

// applyJournal is a database with the pages of its write-ahead log.
func applyJournal(db, log []byte) []byte {
	j, ok := readJournal(log)
	if !ok || int64(j.count)*int64(j.pageSize) > int64(len(db)+len(log)) {
		return db
	}
	all := &journaled{journal: j, db: bytes.NewReader(db), check: func() error { return nil }}
	read, err := io.ReadAll(io.NewSectionReader(all, 0, all.size()))
	if err != nil {
		panic(err)
	}
	return read
}

// Only pages of the log are in memory. What was written to a database since it was opened is not mixed with them.
func TestJournalWritten(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "notes.db")
	write(t, file, readFile(t, "testdata/journal/notes.db"))
	write(t, file+journalSuffix, readFile(t, "testdata/journal/notes.db-wal"))
	f, err := decoding{FS: os.DirFS(dir)}.Open("notes.db")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	db, ok := f.(databaseFile)
	if !ok {
		t.Fatalf("%T: the log is left out", f)
	}
	whole := make([]byte, db.Size())
	if _, err := db.ReadAt(whole, 0); err != nil || !bytes.Contains(whole, []byte("flood at noon")) {
		t.Fatalf("%v, or the log is not read", err)
	}
	for at := range len(whole) - 8 { // wherever a piece lies
		var piece [8]byte
		if _, err := db.ReadAt(piece[:], int64(at)); err != nil || !bytes.Equal(piece[:], whole[at:at+8]) {
			t.Fatalf("at %d: %q, want %q, %v", at, piece, whole[at:at+8], err)
		}
	}
	outer, _, _ := db.Outer()
	delete(outer.(*journaled).pages, 2) // which the log has all of
	if _, err := db.ReadAt(whole, 0); err != nil {
		t.Errorf("a page of the database itself: %v", err)
	}
	write(t, file, append(readFile(t, "testdata/journal/checkpointed.db"), make([]byte, 4096)...))
	if _, err := db.ReadAt(whole, 0); !errors.Is(err, errWritten) {
		t.Errorf("read what was written later: %v", err)
	}
}

func FuzzJournal(f *testing.F) {
	var files [2][]byte
	for i, name := range []string{"notes.db", "notes.db-wal"} {
		data, err := os.ReadFile("testdata/journal/" + name)
		if err != nil {
			f.Fatal(err)
		}
		files[i] = data
	}
	f.Add(files[0], files[1])
	f.Fuzz(func(t *testing.T, db, journal []byte) {
		if got := applyJournal(db, journal); len(got) > len(db)+len(journal) {
			t.Errorf("%d bytes of %d and %d", len(got), len(db), len(journal))
		}
	})
}

// notebook is an agent that does not exist, whose sessions are databases: each text in them is a prompt.
type notebook struct{ tern.Source }

func (notebook) Writer() transcript.Writer              { return transcript.Writer{Name: "Notebook"} }
func (notebook) Match(head []byte) bool                 { return bytes.HasPrefix(head, []byte(sqliteMagic)) }
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

// A site follows a database whose write-ahead log changes and whose own file does not, and one that is packed up.
func TestJournalChanges(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "notes.db")
	write(t, file, readFile(t, "testdata/journal/notes.db"))
	o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test",
		writers: append(sources.List{notebook{}}, all.Sources...)}
	w := &watched{t: t, site: NewSite(o), o: o, source: dir, file: file}
	defer func() { w.site.Close() }()
	settle(t, dir)
	shows := func(when, text string, want bool) {
		t.Helper()
		page := string(readFile(t, filepath.Join(o.Out, "s", "notes", "index.html")))
		if strings.Contains(page, text) != want {
			t.Errorf("%s: %q: %v, want %v", when, text, !want, want)
		}
	}
	w.build()
	shows("a database", "ebb at six", true)
	journal := readFile(t, "testdata/journal/notes.db-wal")
	for _, c := range []struct {
		name string
		log  []byte
		last bool // the last transaction counts
	}{{"a log", journal, true}, {"a torn log", journal[:len(journal)-1], false}, {"the log again", journal, true}} {
		write(t, file+journalSuffix, c.log)
		if r := w.build(); r.Rendered != 1 {
			t.Errorf("%s: %d sessions were drawn, want 1", c.name, r.Rendered)
		}
		w.same(c.name)
		shows(c.name, "flood at noon", true)
		shows(c.name, "ebb at seven", c.last)
	}
	if r := w.build(); r.Rendered != 0 {
		t.Errorf("nothing has changed, and %d sessions were drawn", r.Rendered)
	}
	write(t, file, readFile(t, "testdata/journal/checkpointed.db"))
	if err := os.Remove(file + journalSuffix); err != nil {
		t.Fatal(err)
	}
	w.build()
	w.same("a checkpoint")
	shows("a checkpoint", "ebb at seven", true)
	if _, err := fs.Stat(os.DirFS(dir), "notes.db-shm"); err == nil {
		t.Error("a database was opened: its index of the log was made")
	}
}
