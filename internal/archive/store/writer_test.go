package store

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"viewer/internal/archive"
	"viewer/internal/fingerprint"
)

var day1 = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// logOf returns a file to archive.
func logOf(name, text string) File {
	return File{
		Key:   archive.Key{Machine: "m", Folder: "/home/mara/projects", Path: name},
		Stamp: fingerprint.Stamp{Size: int64(len(text))},
		Open:  func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil },
	}
}

func mustAdd(t *testing.T, dir string, f File) {
	t.Helper()
	w, err := Create(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Add(f, day1); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// contents returns the contents of the newest versions, by path, and checks that the archive has no faults.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	a, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	err = a.Verify(t.Context(), func(f Flaw) {
		if !f.Mild {
			t.Error(f)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]string)
	for _, k := range a.Keys() {
		c := a.Content(a.Newest(k))
		text, err := io.ReadAll(c)
		if err != nil {
			t.Error(err)
		}
		c.Close()
		all[k.Path] = string(text)
	}
	return all
}

// TestTwoWriters: a second writer is refused and changes nothing until the first one is closed.
func TestTwoWriters(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kept")
	first, err := Create(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.Add(logOf("a.jsonl", "one\n"), day1); err != nil {
		t.Fatal(err)
	}
	for range 2 { // a refused writer must not remove the lock
		if _, err := Create(t.Context(), dir); err == nil || err.Error() != "another viewer archives into "+dir {
			t.Fatalf("a second writer: error %v, want that another one archives", err)
		}
	}
	if err := first.Flush(); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, dir); got["a.jsonl"] != "one\n" { // reading is allowed
		t.Errorf("while it is written, the archive has %q, want a.jsonl", got)
	}
	if _, err := first.Add(logOf("b.jsonl", "two\n"), day1); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	mustAdd(t, dir, logOf("c.jsonl", "three\n"))
	got := contents(t, dir)
	if len(got) != 3 || got["a.jsonl"] != "one\n" || got["b.jsonl"] != "two\n" || got["c.jsonl"] != "three\n" {
		t.Errorf("the archive has %q, want all three files", got)
	}
}

// TestSeals: a seal covers the archive as it was when the seal was made. A seal that was changed, renamed, or belongs
// to another archive is reported, and so is an archive in which sealed data was lost or changed.
func TestSeals(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kept")
	seal := func(f File) string {
		t.Helper()
		w, err := Create(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Add(f, day1); err != nil {
			t.Fatal(err)
		}
		err = w.Seal(day1, func([]byte) ([]byte, error) { return []byte("of a key"), nil })
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, archive.Seal{Records: w.Chain.Records}.Path())
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return name
	}
	older := seal(logOf("a.jsonl", "one\n"))
	newer := seal(logOf("b.jsonl", "two\n"))
	if err := os.Remove(newer + ".sig"); err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(dir, archive.ManifestName)
	replace := func(name, old, with string) func(*testing.T) {
		return func(t *testing.T) {
			text := readFile(t, name)
			if !bytes.Contains(text, []byte(old)) {
				t.Fatalf("%s lacks %q", name, old)
			}
			writeFile(t, name, bytes.Replace(text, []byte(old), []byte(with), 1))
		}
	}
	for _, c := range []struct {
		name         string
		change       func(*testing.T)
		older, newer string // the error of each seal
	}{
		{"nothing", func(*testing.T) {}, "", ""},
		{"words", replace(newer, "viewer archive seal", "viewer archive zeal"), "", "not a seal"},
		{"more after it", func(t *testing.T) { writeFile(t, newer, append(readFile(t, newer), '\n')) },
			"", "not a seal"},
		{"emptied", func(t *testing.T) { writeFile(t, newer, nil) }, "", "not a seal"},
		{"fewer records", replace(newer, "records 3", "records 2"),
			"", "the first 2 records are not those that were sealed"},
		{"more records", replace(newer, "records 3", "records 4"), "", "4 records were sealed, and 3 are left"},
		{"no records", replace(newer, "records 3", "records 0"),
			"", "the first 0 records are not those that were sealed"},
		{"the other's text", func(t *testing.T) { writeFile(t, newer, readFile(t, older)) },
			"", "it is one of 2 records"},
		{"a record is gone", func(t *testing.T) {
			lines := bytes.SplitAfter(readFile(t, manifest), []byte("\n"))
			writeFile(t, manifest, bytes.Join(lines[:2], nil))
		}, "", "3 records were sealed, and 2 are left"},
		{"another history", func(t *testing.T) {
			other := filepath.Join(t.TempDir(), "other")
			mustAdd(t, other, logOf("a.jsonl", "won\n"))
			mustAdd(t, other, logOf("b.jsonl", "two\n"))
			writeFile(t, manifest, readFile(t, filepath.Join(other, archive.ManifestName)))
		}, "the first 2 records are not those that were sealed", "the first 3 records are not those that were sealed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := map[string][]byte{}
			for _, name := range []string{older, newer, manifest} {
				before[name] = readFile(t, name)
			}
			defer func() {
				for name, text := range before {
					writeFile(t, name, text)
				}
			}()
			c.change(t)
			a, err := Open(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			seals, err := a.Seals()
			if err != nil || len(seals) != 2 {
				t.Fatalf("got %d seals, error %v, want 2", len(seals), err)
			}
			for i, want := range []string{c.older, c.newer} {
				got := ""
				if seals[i].Err != nil {
					got = seals[i].Err.Error()
				}
				if got != want {
					t.Errorf("seal %d: got error %q, want %q", i, got, want)
				}
			}
			if seals[0].File != older || string(seals[0].Signature) != "of a key" || seals[1].Signature != nil {
				t.Errorf("got the seals %+v", seals)
			}
		})
	}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func writeFile(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestResults: Add reports how a file differs from its last version.
func TestResults(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kept")
	for i, c := range []struct {
		file, text string
		want       Result
	}{
		{"a.jsonl", "", Added},
		{"a.jsonl", "", Unchanged},
		{"a.jsonl", "one\n", Appended},
		{"a.jsonl", "one\ntwo\n", Appended},
		{"b.jsonl", "one\ntwo\n", Copied},
		{"a.jsonl", "one\n", Shortened},
		{"a.jsonl", "one\nthree\n", Appended},
		{"a.jsonl", "One\nthree\n", Rewritten},
		{"a.jsonl", "one\ntwo\n", Shortened}, // equal to a version before the last one
		{"a.jsonl", "Two\nthree\n", Rewritten},
		{"a.jsonl", "", Shortened},
	} {
		w, err := Create(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		f := logOf(c.file, c.text)
		if f.Mod = int64(i); c.want == Unchanged {
			f.Mod = int64(i - 1)
		}
		got, err := w.Add(f, day1)
		if err != nil || got != c.want {
			t.Errorf("%d: %s with %q: got %v, error %v, want %v", i, c.file, c.text, got, err, c.want)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if all := contents(t, dir); all[c.file] != c.text {
			t.Errorf("%d: the archive has %q", i, all)
		}
	}
}
