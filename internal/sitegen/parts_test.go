package sitegen

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/decode"
	"viewer/internal/sources"
	"viewer/internal/sources/all"
	"viewer/internal/testing/tern"
)

// A collection is an invented agent that stores many sessions of Tern in one file, each after a line with its name.
type collection struct {
	tern.Source
	versions bool // it has a version of each session, which tells whether it changed
}

const collectionHead = "collection of tern\n"

func (collection) MayHold(p string) bool { return path.Ext(p) == ".collection" }

func (s collection) Split(data io.ReaderAt, size int64) ([]sources.Part, error) {
	all, err := io.ReadAll(io.NewSectionReader(data, 0, size))
	rest, ok := strings.CutPrefix(string(all), collectionHead)
	if !ok || err != nil {
		return nil, err
	}
	var parts []sources.Part
	for _, text := range strings.Split(rest, "== ")[1:] {
		name, log, _ := strings.Cut(text, "\n")
		if name == "torn" {
			return parts, errors.New("row 7: a page of the collection is torn")
		}
		p := sources.Part{Name: name, Size: int64(len(log)), Read: func() ([]byte, error) { return []byte(log), nil }}
		if name == "huge" {
			p.Size = decode.MaxRead + 1
		}
		if s.versions {
			p.Version = uint64(fingerprint.OfContent([]byte(log))[0])<<8 | uint64(fingerprint.OfContent([]byte(log))[1])
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// collectionEntry returns a log of Tern, or of an agent of another session if of is not empty.
func collectionEntry(name, id, of, prompt string) string {
	return fmt.Sprintf(`== %s
{"tern": 1, "id": %q, "of": %q, "dir": "/home/mara/tides", "at": "2026-03-02T09:00:00Z"}
{"sec": 1, "user": "A question of %s"}
{"sec": 2, "bot": %q}
`, name, id, of, id, prompt)
}

// TestParts: each session of a file with many sessions is separate, with its own pages, place and agents. It is only
// drawn again if it changed itself.
func TestParts(t *testing.T) {
	for _, versions := range []bool{false, true} {
		t.Run(fmt.Sprintf("versions %v", versions), func(t *testing.T) { testParts(t, collection{versions: versions}) })
	}
}

func testParts(t *testing.T, by collection) {
	dir := t.TempDir()
	file := filepath.Join(dir, "logs", "all.collection")
	one, two := collectionEntry("t-1", "t-1", "", "Ebb."), collectionEntry("t-2", "t-2", "", "Flood.")
	agent := collectionEntry("t-3", "t-3", "t-1", "I count boats.")
	write(t, file, []byte(collectionHead+one+two+agent))
	o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test",
		writers: append(sources.List{by}, all.Sources...)}
	w := watchFile(t, o, file)
	r := w.build()
	if r.Sessions != 2 || r.Totals.Agents != 1 || r.Totals.Prompts != 2 || r.Ledger.Missed != 0 {
		t.Fatalf("%d sessions, %d agents, %d prompts, %d missed", r.Sessions, r.Totals.Agents, r.Totals.Prompts,
			r.Ledger.Missed)
	}
	page := string(read(t, filepath.Join(o.Out, "s", "t-1", "index.html")))
	if !strings.Contains(page, "I count boats.") {
		t.Error("the page lacks the agent that the session called")
	}
	for _, c := range []struct {
		name  string
		text  string
		drawn int
	}{
		{"nothing", one + two + agent, 0},
		{"one session grew", one + two + `{"sec": 3, "bot": "And ebb."}` + "\n" + agent, 1},
		{"the agent grew", one + two + agent + `{"sec": 3, "bot": "Four."}` + "\n", 2},
		{"one was rewritten", one + collectionEntry("t-2", "t-2", "", "Calm.") + agent, 2},
		{"the order changed", agent + collectionEntry("t-2", "t-2", "", "Calm.") + one, 0},
		{"one is new", agent + collectionEntry("t-2", "t-2", "", "Calm.") + one + collectionEntry("t-4", "t-4", "", "New."), 1},
	} {
		write(t, file, []byte(collectionHead+c.text))
		settle(t, dir)
		if r := w.build(); r.Rendered != c.drawn {
			t.Errorf("%s: %d sessions were drawn, want %d", c.name, r.Rendered, c.drawn)
		}
		w.checkSame(c.name)
	}
	write(t, file, []byte(collectionHead+one+agent))
	if r := w.build(); r.Kept != 2 || r.Rendered != 0 {
		t.Errorf("%d sessions are kept and %d were drawn, want the 2 that the file no longer has, and none",
			r.Kept, r.Rendered)
	}
}

// TestPartNames: the name of a session may be any text, and occur twice. A session that cannot be read is a problem,
// and all others are drawn.
func TestPartNames(t *testing.T) {
	dir := t.TempDir()
	text := collectionHead
	names := []string{"../../up", "a/b", "..", "", "same", "same", "ebb.jsonl", strings.Repeat("long", 100), "é\x01<b>"}
	for i, name := range names {
		text += strings.Replace(collectionEntry(name, fmt.Sprint("id-", i), "", "Ebb."), `"id": `, `"id2": `, 1)
	}
	write(t, filepath.Join(dir, "all.collection"), []byte(text+"== torn\n"))
	o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test",
		writers: append(sources.List{collection{}}, all.Sources...)}
	r := mustBuild(t, o)
	if r.Sessions != len(names) || r.Totals.Prompts != len(names) {
		t.Errorf("%d sessions with %d prompts, want %d", r.Sessions, r.Totals.Prompts, len(names))
	}
	if len(r.Problems) != 1 || r.Problems[0].String() != "all.collection: row 7: a page of the collection is torn" {
		t.Errorf("problems %v, want the incomplete page with its file", r.Problems)
	}
}

// TestHugePart: a session that would need more memory than a file may is not read.
func TestHugePart(t *testing.T) {
	dir := t.TempDir()
	text := collectionHead + collectionEntry("t-1", "t-1", "", "Ebb.") + collectionEntry("huge", "t-2", "", "Flood.")
	write(t, filepath.Join(dir, "all.collection"), []byte(text))
	o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test",
		writers: append(sources.List{collection{}}, all.Sources...)}
	r := mustBuild(t, o)
	const want = "all.collection/huge: it is larger than 1 GB, the maximum for a file"
	if r.Totals.Prompts != 1 || len(r.Problems) != 1 || !strings.HasSuffix(r.Problems[0].String(), want) {
		t.Errorf("got %d prompts and problems %v, want one and %q", r.Totals.Prompts, r.Problems, want)
	}
}

// TestPartAddress: a session is found by its id, and by its file and its name in it.
func TestPartAddress(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "all.any")
	text := collectionHead + collectionEntry("t-1", "t-1", "", "Ebb.") +
		collectionEntry("t-2", "t-2", "t-1", "I count boats.") +
		collectionEntry("t-3", "t-3", "", "Flood.")
	write(t, file, []byte(text))
	o := Options{Version: "test", writers: append(sources.List{collection{}}, all.Sources...)}
	for _, c := range []struct {
		name, prompt string
		agents       int
		err          string
	}{
		{filepath.Join(file, "t-1"), "A question of t-1", 1, ""},
		{filepath.Join(file, "t-3"), "A question of t-3", 0, ""},
		{filepath.Join(file, "t-9"), "", 0, "no session t-9 in " + file},
		{file, "", 0, file + " contains 3 sessions"},
	} {
		s, err := OpenSession(context.Background(), o, c.name)
		if c.err != "" {
			if err == nil || !strings.HasPrefix(err.Error(), c.err) {
				t.Errorf("%s: error %v, want %s", c.name, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := string(s.Main.Records[1].Message.Content[0].Text); got != c.prompt || len(s.Agents) != c.agents {
			t.Errorf("%s: got prompt %q and %d agents", c.name, got, len(s.Agents))
		}
	}
	o.Sources, o.Out = []string{filepath.Join(file, "t-1")}, t.TempDir()
	if r := mustBuild(t, o); r.Sessions != 1 || r.Totals.Agents != 1 {
		t.Errorf("%d sessions and %d agents, want 1 and 1", r.Sessions, r.Totals.Agents)
	}
	o.Sources = []string{dir}
	write(t, filepath.Join(dir, "all.collection"), []byte(text))
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if s, err := OpenSession(context.Background(), o, "t-3"); err != nil || s.Conversation == nil {
		t.Errorf("opening a session by its id: %v", err)
	}
}
