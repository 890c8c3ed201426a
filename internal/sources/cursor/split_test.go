package cursor_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/cursor"
	"viewer/internal/testing/golden"
	"viewer/internal/testing/sourcetest"
)

// partsOf are the sessions in a database of testdata, and what each reads as.
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

// A database of the command is one session, one of the editor many, without drafts; nothing else in it is read. What
// they read as are the cases that the outlines of package normalize are made of.
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
				t.Errorf("%s: more was read than the chat: %s", p.Name, read[i])
			}
			if !(cursor.Source{}).Match([]byte(read[i])) {
				t.Errorf("%s: whose it is is not known by %.100s", p.Name, read[i])
			}
		}
		if !reflect.DeepEqual(names, want) {
			t.Errorf("%s: %q, want %q", name, names, want)
		}
		kind := map[string]string{"store.db": "store", "state.vscdb": "chat"}[name]
		if got := read[0]; got != string(cases["cursor_"+kind]) {
			t.Errorf("%s reads as another session than the case cursor_%s:\n%s", name, kind, got)
		}
	}
}

// A chat whose head changed is another version; one that is as it was is not.
func TestVersion(t *testing.T) {
	parts, _ := partsOf(t, "state.vscdb")
	again, _ := partsOf(t, "state.vscdb")
	if parts[0].Version == 0 || parts[0].Version != again[0].Version {
		t.Errorf("versions %d and %d of the same chat", parts[0].Version, again[0].Version)
	}
	if parts[1].Version != 0 {
		t.Errorf("version %d of a chat that does not say when it was changed", parts[1].Version)
	}
	data, err := os.ReadFile("testdata/state.vscdb")
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.Replace(data, []byte(`"lastUpdatedAt":1782800090000`), []byte(`"lastUpdatedAt":1782800090001`), 1)
	changed, err := (cursor.Source{}).Split(bytes.NewReader(data), int64(len(data)))
	if err != nil || changed[0].Version == parts[0].Version {
		t.Errorf("%v, version %d as before", err, changed[0].Version)
	}
}

// Whatever of a database is damaged, what is left is read, and what is not is a problem.
func TestDamaged(t *testing.T) {
	for _, name := range []string{"store.db", "state.vscdb"} {
		sourcetest.Damage(t, cursor.Source{}, filepath.Join("testdata", name))
	}
}

// A transcript of the older form has what one of the later has.
func TestText(t *testing.T) {
	text := golden.Sections(t, "../../../normalize/testdata/sources/cursor_text.txtar", "in.jsonl")["cursor_text"]
	c, _ := sourcetest.Draw(t, cursor.Text{}, "a.txt", text)
	if got, want := sourcetest.Count(c), (sourcetest.Counts{Prompts: 2, Calls: 2, Results: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
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
		t.Errorf("arranged %+v, want %+v", got, want)
	}
}

// FuzzText: whatever a text holds, it becomes records or problems, and nothing panics.
func FuzzText(f *testing.F) {
	sourcetest.Fuzz(f, cursor.Text{}, sourcetest.Cases(f, "cursor_text"))
}

// FuzzDatabase: the same for what is read from databases.
func FuzzDatabase(f *testing.F) {
	sourcetest.Fuzz(f, cursor.Source{}, sourcetest.Cases(f, "cursor_[cs]*"))
}
