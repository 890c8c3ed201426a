package crush_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/crush"
	"viewer/internal/testing/sourcetest"
)

// TestSplit: each session with messages is a part, with its messages in order and its cost. The cost of an agent is
// part of that of its session, unless that was deleted.
func TestSplit(t *testing.T) {
	parts := split(t, readFile(t, "crush.db"))
	names := []string{"database", "agent", "lost"}
	if len(parts) != len(names) {
		t.Fatalf("got %d sessions, want %d", len(parts), len(names))
	}
	for i, p := range parts {
		read, err := p.Read()
		if want := string(sourcetest.Cases(t, "crush_*")["crush_"+names[i]]); err != nil || string(read) != want {
			t.Errorf("error %v: got session %s\n%s\nwant\n%s", err, p.Name, read, want)
		}
		if !(crush.Source{}).Match(sources.NewHead(read)) {
			t.Errorf("Match does not recognize %.60s", read)
		}
	}
}

// TestMatch: other files are not of Crush.
func TestMatch(t *testing.T) {
	for _, head := range []string{`{"id":"a","role":"user","parts":[]}`, `{"type":"crushSession"}`, ""} {
		if (crush.Source{}).Match(sources.NewHead([]byte(head))) {
			t.Errorf("%s is recognized", head)
		}
	}
}

// TestVersion: a session has another version if its title has changed, and no other session has.
func TestVersion(t *testing.T) {
	data := readFile(t, "crush.db")
	renamed := bytes.Replace(data, []byte("Buoy without a bell"), []byte("Buoy without a ball"), 1)
	before, after := split(t, data), split(t, renamed)
	if bytes.Equal(data, renamed) || after[0].Version == before[0].Version || after[1].Version != before[1].Version {
		t.Errorf("got versions %v, were %v, want only the first changed", after, before)
	}
}

// TestParents: an agent names the session that started it.
func TestParents(t *testing.T) {
	for i, p := range split(t, readFile(t, "crush.db")) {
		read, err := p.Read()
		got := sources.ScanAll(sources.ScanRecords(crush.Source{}), read)
		if want := []string{"", "5f1e-buoy", ""}[i]; err != nil || got.Parent != want {
			t.Errorf("error %v: got session %s of %q, want of %q", err, got.SessionID, got.Parent, want)
		}
	}
}

// TestOther: a database of another program has no sessions, and a file that is no database is no error.
func TestOther(t *testing.T) {
	for _, data := range [][]byte{
		readFile(t, "../../goose/testdata/sessions.db"), readFile(t, "../../hermes/testdata/state.db"),
		[]byte("no database"),
	} {
		if parts := split(t, data); len(parts) != 0 {
			t.Errorf("got %d sessions, want none", len(parts))
		}
	}
}

func split(t *testing.T, data []byte) []sources.Part {
	t.Helper()
	parts, err := (crush.Source{}).Split(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return parts
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestDamaged: of a damaged database, the rest is read.
func TestDamaged(t *testing.T) {
	sourcetest.Damage(t, crush.Source{}, "testdata/crush.db")
}

// TestGrow: growing lines are read as the whole file is.
func TestGrow(t *testing.T) {
	sourcetest.Grow(t, crush.Source{}, sourcetest.Cases(t, "crush_*"))
}

// TestShuffle: lines in any order, complete or truncated, are read.
func TestShuffle(t *testing.T) {
	cases := sourcetest.Cases(t, "crush_*")
	first, _, _ := strings.Cut(string(cases["crush_database"]), "\n")
	sourcetest.Shuffle(t, crush.Source{}, first, cases)
}

// FuzzTranslate: any session becomes records or problems, and nothing panics.
func FuzzTranslate(f *testing.F) {
	sourcetest.Fuzz(f, crush.Source{}, sourcetest.Cases(f, "crush_*"))
}
