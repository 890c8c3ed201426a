package crush_test

import (
	"strings"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/crush"
	"viewer/internal/testing/sourcetest"
)

// TestSplit: each session with messages is a part, with its messages in order and its cost. The cost of an agent is
// part of that of its session, unless that was deleted.
func TestSplit(t *testing.T) {
	names := []string{"database", "agent", "lost"}
	for i, p := range sourcetest.Split(t, crush.Source{}, sourcetest.File(t, "crush.db"), len(names)) {
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
	data := sourcetest.File(t, "crush.db")
	sourcetest.Version(t, crush.Source{}, data, 3, "Buoy without a bell", "Buoy without a ball", 0)
}

// TestParents: an agent names the session that started it.
func TestParents(t *testing.T) {
	sourcetest.Parents(t, crush.Source{}, sourcetest.File(t, "crush.db"),
		[2]string{"5f1e-buoy"}, [2]string{"m6$$c4", "5f1e-buoy"}, [2]string{"77aa-lost"})
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
