package decode

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// TestJournal: a database is read together with its write-ahead log, as SQLite does after a checkpoint. Of a log that
// is truncated or belongs to another database, only valid transactions count.
func TestJournal(t *testing.T) {
	db, journal := readTest(t, "testdata/journal/notes.db"), readTest(t, "testdata/journal/notes.db-wal")
	want := readTest(t, "testdata/journal/checkpointed.db")
	want[18], want[19] = 1, 1
	if got := applyJournal(db, journal); !bytes.Equal(got, want) {
		t.Errorf("a database with its log has %d bytes that differ from the %d of SQLite", len(got), len(want))
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
		{"its last frame is incomplete", journal[:len(journal)-1], "flood at noon", "ebb at seven"},
		{"its last frame is wrong", flipped(len(journal) - 1), "flood at noon", "ebb at seven"},
	} {
		got := string(applyJournal(bytes.Clone(db), c.journal))
		if !strings.Contains(got, c.shows) || strings.Contains(got, c.hides) {
			t.Errorf("%s: contains %q: %v, want true; contains %q: %v, want false",
				c.name, c.shows, strings.Contains(got, c.shows), c.hides,
				strings.Contains(got, c.hides))
		}
	}
}

// applyJournal returns a database with the pages of its write-ahead log.
func applyJournal(db, log []byte) []byte {
	j, ok := readJournal(log)
	if !ok || int64(j.count)*int64(j.pageSize) > int64(len(db)+len(log)) {
		return db
	}
	all := &journaled{journal: j, db: bytes.NewReader(db)}
	read, err := io.ReadAll(io.NewSectionReader(all, 0, all.size()))
	if err != nil {
		panic(err)
	}
	return read
}

// TestJournalWritten: only the pages of the log are in memory. A write to the database after it was opened is an error,
// so that old and new pages are never mixed.
func TestJournalWritten(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "notes.db")
	writeTest(t, file, readTest(t, "testdata/journal/notes.db"))
	writeTest(t, file+JournalSuffix, readTest(t, "testdata/journal/notes.db-wal"))
	f, err := FS{FS: os.DirFS(dir)}.Open("notes.db")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	db, ok := f.(databaseFile)
	if !ok {
		t.Fatalf("got %T, want a database with its log", f)
	}
	whole := make([]byte, db.Size())
	if _, err := db.ReadAt(whole, 0); err != nil || !bytes.Contains(whole, []byte("flood at noon")) {
		t.Fatalf("error %v, or the text of the log is missing", err)
	}
	for at := range len(whole) - 8 { // reads at any offset
		var piece [8]byte
		if _, err := db.ReadAt(piece[:], int64(at)); err != nil || !bytes.Equal(piece[:], whole[at:at+8]) {
			t.Fatalf("at %d: got %q, error %v; want %q", at, piece, err, whole[at:at+8])
		}
	}
	outer, _, _ := db.Outer()
	delete(outer.(*journaled).pages, 2) // so that this page comes from the database
	if _, err := db.ReadAt(whole, 0); err != nil {
		t.Errorf("a page of the database itself: error %v, want none", err)
	}
	writeTest(t, file, append(readTest(t, "testdata/journal/checkpointed.db"), make([]byte, 4096)...))
	if _, err := db.ReadAt(whole, 0); !errors.Is(err, errWritten) {
		t.Errorf("after a later write: error %v, want %v", err, errWritten)
	}
}

// TestDatabaseWritten: neither are those of a database without a log, even if it is opened just after it was written.
func TestDatabaseWritten(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "notes.db")
	data := readTest(t, "testdata/journal/checkpointed.db")
	writeTest(t, file, data)
	f, err := FS{FS: os.DirFS(dir)}.Open("notes.db")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	whole := make([]byte, len(data))
	if n, err := f.(io.ReaderAt).ReadAt(whole, 0); n != len(data) || err != nil && err != io.EOF {
		t.Errorf("read %d bytes, error %v; want %d", n, err, len(data))
	}
	writeTest(t, file, data)
	if _, err := f.(io.ReaderAt).ReadAt(whole, 0); !errors.Is(err, errWritten) {
		t.Errorf("after a later write: error %v, want %v", err, errWritten)
	}
}

// A changingLog is a file system whose write-ahead log is replaced when its end was read once.
type changingLog struct {
	fstest.MapFS
	next []byte
}

func (c *changingLog) Open(name string) (fs.File, error) {
	f, err := c.MapFS.Open(name)
	if !strings.HasSuffix(name, JournalSuffix) || c.next == nil {
		return f, err
	}
	return &changingFile{f, c, name}, err
}

type changingFile struct {
	fs.File
	of   *changingLog
	name string
}

func (c *changingFile) Read(p []byte) (int, error) {
	n, err := c.File.Read(p)
	if err == io.EOF && c.of.next != nil {
		c.of.MapFS[c.name], c.of.next = &fstest.MapFile{Data: c.of.next}, nil
		c.File, _ = c.of.MapFS.Open(c.name)
	}
	return n, err
}

func (c *changingFile) ReadAt(p []byte, at int64) (int, error) {
	return c.File.(io.ReaderAt).ReadAt(p, at)
}

// TestLogOverwritten: a log that is truncated or overwritten while it is read is read again.
func TestLogOverwritten(t *testing.T) {
	log := readTest(t, "testdata/journal/notes.db-wal")
	other := bytes.Clone(log)
	other[16]++ // in the number of the round
	for _, next := range [][]byte{{}, log[:len(log)-1], other} {
		files := fstest.MapFS{"notes.db-wal": {Data: log}}
		if _, whole := (FS{FS: &changingLog{files, next}}).readLog("notes.db-wal"); whole {
			t.Errorf("a log of %d bytes that became one of %d was taken for whole", len(log), len(next))
		}
	}
	longer := append(bytes.Clone(log), other...)
	files := fstest.MapFS{"notes.db-wal": {Data: log}}
	if got, whole := (FS{FS: &changingLog{files, longer}}).readLog("notes.db-wal"); !whole || !bytes.Equal(got, log) {
		t.Errorf("a log that grew: read %d bytes, whole: %v; want %d, true", len(got), whole, len(log))
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
			t.Errorf("got %d bytes, want at most those of the database (%d) and the log (%d)",
				len(got), len(db), len(journal))
		}
	})
}

func readTest(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func writeTest(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
