package cursor_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/cursor"
	"viewer/internal/testing/golden"
	"viewer/internal/testing/sourcetest"
	"viewer/normalize"
)

// partsOf returns the sessions in a database of testdata, and the text of each.
func partsOf(t testing.TB, name string) ([]sources.Part, []string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	parts, err := (cursor.Source{}).Split(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, p := range parts {
		read, err := p.Read()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(read))
	}
	return parts, all
}

// TestSplit: a database of the CLI is one session, one of the editor has many, without drafts. Nothing else in it is
// read. The texts are those of the golden files of package normalize.
func TestSplit(t *testing.T) {
	cases := sourcetest.Cases(t, "cursor_*")
	for name, want := range map[string][]string{
		"store.db":    {"5c0a7e10-0000-4000-8000-00000000000a"},
		"state.vscdb": {"5c0a7e10-0000-4000-8000-00000000000b", "5c0a7e10-0000-4000-8000-00000000000c"},
	} {
		parts, read := partsOf(t, name)
		var names []string
		for i, p := range parts {
			names = append(names, p.Name)
			if strings.Contains(read[i], "secret-token") || strings.Contains(read[i], "checkpoint") {
				t.Errorf("%s: the text has more than the chat: %s", p.Name, read[i])
			}
			if !(cursor.Source{}).Match(sources.NewHead([]byte(read[i]))) {
				t.Errorf("%s: Match does not recognize %.100s", p.Name, read[i])
			}
		}
		if !reflect.DeepEqual(names, want) {
			t.Errorf("%s: got %q, want %q", name, names, want)
		}
		kind := map[string]string{"store.db": "store", "state.vscdb": "chat"}[name]
		if got := read[0]; got != string(cases["cursor_"+kind]) {
			t.Errorf("%s differs from the case cursor_%s:\n%s", name, kind, got)
		}
	}
}

// TestVersion: a chat whose head changed has another version, an unchanged one does not.
func TestVersion(t *testing.T) {
	parts, _ := partsOf(t, "state.vscdb")
	again, _ := partsOf(t, "state.vscdb")
	if parts[0].Version == 0 || parts[0].Version != again[0].Version {
		t.Errorf("the same chat has the versions %d and %d", parts[0].Version, again[0].Version)
	}
	if parts[1].Version != 0 {
		t.Errorf("a chat without a time of change has version %d, want 0", parts[1].Version)
	}
	data, err := os.ReadFile("testdata/state.vscdb")
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.Replace(data, []byte(`"lastUpdatedAt":1782800090000`), []byte(`"lastUpdatedAt":1782800090001`), 1)
	changed, err := (cursor.Source{}).Split(bytes.NewReader(data), int64(len(data)))
	if err != nil || changed[0].Version == parts[0].Version {
		t.Errorf("a changed chat: error %v, version %d, want another one", err, changed[0].Version)
	}
}

// TestAborted: the head of a chat tells that the user stopped its last turn.
func TestAborted(t *testing.T) {
	data, err := os.ReadFile("testdata/state.vscdb")
	if err != nil {
		t.Fatal(err)
	}
	for status, want := range map[string]int{"aborted": 1, "completed": 0} {
		member := []byte(fmt.Sprintf("%-29s", `"status":"`+status+`"`))
		changed := bytes.Replace(data, []byte(`"lastUpdatedAt":1782800090000`), member, 1)
		parts, err := (cursor.Source{}).Split(bytes.NewReader(changed), int64(len(changed)))
		if err != nil {
			t.Fatal(err)
		}
		text, err := parts[0].Read()
		if err != nil {
			t.Fatal(err)
		}
		c, _ := sourcetest.Draw(t, cursor.Source{}, "a", text)
		got := 0
		for _, m := range c.Messages {
			if m.Status == normalize.Interrupted {
				got++
			}
		}
		if got != want {
			t.Errorf("%s: got %d interruptions, want %d", status, got, want)
		}
	}
}

// TestDamaged: of a damaged database, the rest is read, and what cannot be read is a problem.
func TestDamaged(t *testing.T) {
	for _, name := range []string{"store.db", "state.vscdb"} {
		sourcetest.Damage(t, cursor.Source{}, filepath.Join("testdata", name))
	}
	data := sourcetest.File(t, "state.vscdb")
	data = bytes.Replace(data, []byte("\x00\x00\x00\x06"), []byte("\x00\x00\x00\xff"), 1) // the rest of a head
	parts, err := (cursor.Source{}).Split(bytes.NewReader(data), int64(len(data)))
	if len(parts) != 2 || err == nil || !strings.Contains(err.Error(), "page 255, where a row continues") {
		t.Errorf("got %d chats, error %v, want 2 and that a row is damaged", len(parts), err)
	}
}

// TestText: a transcript in the old text format has the items of one in the later format.
func TestText(t *testing.T) {
	text := golden.Sections(t, "../../../normalize/testdata/sources/cursor_text.txtar", "in.jsonl")["cursor_text"]
	c, _ := sourcetest.Draw(t, cursor.Text{}, "a.txt", text)
	if got, want := sourcetest.Count(c), (sourcetest.Counts{Prompts: 2, Calls: 2, Results: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	tree := sources.Tree{Base: "projects", Head: func(p string) []byte {
		if strings.HasSuffix(p, ".txt") {
			return text
		}
		return []byte(`{"role":"user","message":{"content":[]}}`)
	}, Paths: []string{
		"w/agent-transcripts/a.txt", "w/agent-transcripts/b.jsonl", "w/agent-transcripts/b.txt", "w/notes.txt",
	}}
	want := []sources.Folder{{Name: "w", OfPath: true, Sessions: []sources.Session{
		{ID: "a", Log: 0, Path: tree.Paths[0]}, {ID: "b", Log: 1, Path: tree.Paths[1]},
	}}}
	if got := (cursor.Source{}).Arrange(&tree); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// FuzzText: any text becomes records or problems, and nothing panics.
func FuzzText(f *testing.F) {
	sourcetest.Fuzz(f, cursor.Text{}, sourcetest.Cases(f, "cursor_text"))
}

// FuzzDatabase: the same for values from databases.
func FuzzDatabase(f *testing.F) {
	sourcetest.Fuzz(f, cursor.Source{}, sourcetest.Cases(f, "cursor_[cs]*"))
}
