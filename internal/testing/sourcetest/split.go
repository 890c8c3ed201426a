package sourcetest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"viewer/internal/sources"
)

// File returns what a file of testdata holds.
func File(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Split returns the sessions in a file that holds n of them.
func Split(t testing.TB, s sources.Splitter, data []byte, n int) []sources.Part {
	t.Helper()
	parts, err := s.Split(bytes.NewReader(data), int64(len(data)))
	if err != nil || len(parts) != n {
		t.Fatalf("got %d sessions, error %v, want %d", len(parts), err, n)
	}
	return parts
}

// Version replaces a text by one of the same length in a file that holds n sessions. Only the session with an index may
// have another version.
func Version(t *testing.T, s sources.Splitter, data []byte, n int, before, after string, changed int) {
	t.Helper()
	other := bytes.Replace(data, []byte(before), []byte(after), 1)
	if bytes.Equal(data, other) || len(data) != len(other) {
		t.Fatalf("no text %q, or %q has another length", before, after)
	}
	was, is := Split(t, s, data, n), Split(t, s, other, n)
	for i := range n {
		if differs := was[i].Version != is[i].Version; differs != (i == changed) {
			t.Errorf("session %d with %q: another version %v, want %v", i, after, differs, !differs)
		}
	}
}

// Parents compares the sessions in a file, and those that started them, with pairs of ids.
func Parents(t *testing.T, s sources.Splitter, data []byte, want ...[2]string) {
	t.Helper()
	for i, p := range Split(t, s, data, len(want)) {
		read, err := p.Read()
		got := sources.ScanAll(sources.ScanRecords(s), read)
		if err != nil || got.SessionID != want[i][0] || got.Parent != want[i][1] {
			t.Errorf("error %v: got session %s of %q, want %s of %q", err, got.SessionID, got.Parent, want[i][0],
				want[i][1])
		}
	}
}
