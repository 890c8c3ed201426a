package goose_test

import (
	"bytes"
	"os"
	"reflect"
	"strings"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/goose"
	"viewer/internal/testing/sourcetest"
)

// TestMatch: files are matched by their contents.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"gooseSession":"20260501_1","working_dir":"/w"}`:                                                  true,
		`{"working_dir":"/w","description":"x","message_count":2}`:                                          true,
		`{"description":"x","message_count":2,"total_tokens":null}`:                                         true,
		"{\n \"id\": \"20260501_1\",\n \"working_dir\": \"/w\",\n \"user_set_name\": false":                 true,
		`{"role":"user","created":1750000000,"content":[{"type":"text","text":"x"}]}`:                       true,
		`{"role":"user","created":1750000000,"content":[{"type":"text","text":"cut`:                         true,
		`{"role":"user","created":1750000000,"content":"x"}`:                                                false,
		`{"role":"user","created":"2026","content":[{"type":"text"}]}`:                                      false,
		`{"role":"user","content":[{"type":"text","text":"x"}]}`:                                            false,
		`{"type":"session","working_dir":"/w","description":"x"}`:                                           false,
		"{\n  \"messages\": [\n    {\n      \"id\": null,\n      \"role\": \"user\",\n      \"created\": 1": true,
		`{"type":"message","message":{"id":"m","role":"assistant","created":1750000000,"content":[`:         true,
		`{"type":"message","message":{"id":"m","role":"user","created":1750000000,"content":[]}}`:           true,
		`{"type":"notification","extension_id":"developer","log":{"message":"x"}}`:                          true,
		`{"type":"message","id":"m","timestamp":"t","message":{"role":"user","content":[]}}`:                false,
		`{"type":"message","message":{"role":"user","content":[]}}`:                                         false,
		"{\"messages\": [{\"role\": \"user\", \"content\": \"x\"}]}":                                        false,
		`{"working_dir":"/w"}`: false,
		"":                     false,
	} {
		if got := (goose.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
}

// TestFolders: the folders in which sessions are stored.
func TestFolders(t *testing.T) {
	env := map[string]string{}
	getenv := func(name string) string { return env[name] }
	want := []string{"/h/.local/share/goose/sessions"}
	if got := (goose.Source{}).Folders(getenv, "/h"); !reflect.DeepEqual(got, want) {
		t.Errorf("got folders %q", got)
	}
	env["XDG_DATA_HOME"], env["APPDATA"], env["GOOSE_PATH_ROOT"] = "/d", "C:/Users/mara/AppData/Roaming", "/g/"
	want = []string{"/d/goose/sessions", "C:/Users/mara/AppData/Roaming/Block/goose/data/sessions", "/g/data/sessions"}
	if got := (goose.Source{}).Folders(getenv, "/h"); !reflect.DeepEqual(got, want) {
		t.Errorf("with variables: got folders %q", got)
	}
	env = map[string]string{"GOOSE_PATH_ROOT": "relative"}
	if got := (goose.Source{}).Folders(getenv, ""); got != nil {
		t.Errorf("without a home: got folders %q, want none", got)
	}
}

// TestSplit: each row of the table of sessions is one, with its messages and the tokens of its requests in order. A
// database of the first version has fewer columns, and a session may have only messages. Keys of extensions are left
// out.
func TestSplit(t *testing.T) {
	for file, names := range map[string][]string{
		"sessions.db": {"database", "agent"}, "first.db": {"first", ""},
	} {
		data := readFile(t, file)
		parts, err := (goose.Source{}).Split(bytes.NewReader(data), int64(len(data)))
		if err != nil || len(parts) != len(names) {
			t.Fatalf("%s: got %d sessions, error %v, want %d", file, len(parts), err, len(names))
		}
		for i, p := range parts {
			read, err := p.Read()
			want := string(sourcetest.Cases(t, "goose_*")["goose_"+names[i]])
			if names[i] == "" {
				want = `{"gooseSession":"lost"}` + "\n" +
					`{"role":"user","created":"never","content":[{"type":"text","text":"Is anybody there?"}]}` + "\n"
			}
			if err != nil || string(read) != want {
				t.Errorf("error %v: got session %s\n%s\nwant\n%s", err, p.Name, read, want)
			}
			if !(goose.Source{}).Match(sources.NewHead(read)) {
				t.Errorf("Match does not recognize %.60s", read)
			}
		}
	}
}

// TestVersion: a session has another version if a message was hidden, and no other session has.
func TestVersion(t *testing.T) {
	data := readFile(t, "sessions.db")
	split := func(data []byte) []sources.Part {
		parts, err := (goose.Source{}).Split(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		return parts
	}
	before := split(data)
	hidden := bytes.Replace(data, []byte(`"agentVisible":false}`), []byte(`"agentVisible":true }`), 1)
	after := split(hidden)
	if bytes.Equal(data, hidden) || after[0].Version == before[0].Version || after[1].Version != before[1].Version {
		t.Errorf("got versions %v, were %v, want only the first changed", after, before)
	}
}

// TestParents: results of calls name the agents whose sessions do not name the one that started them. Other texts do
// not.
func TestParents(t *testing.T) {
	data := readFile(t, "agents.db")
	parts, err := (goose.Source{}).Split(bytes.NewReader(data), int64(len(data)))
	if err != nil || len(parts) != 3 {
		t.Fatalf("got %d sessions, error %v, want 3", len(parts), err)
	}
	for i, want := range []sources.Facts{
		{SessionID: "20260401_1"}, {SessionID: "20260401_2", Parent: "20260401_1"}, {SessionID: "20260401_3"},
	} {
		read, err := parts[i].Read()
		got := sources.ScanAll(sources.ScanRecords(goose.Source{}), read)
		if err != nil || got.SessionID != want.SessionID || got.Parent != want.Parent {
			t.Errorf("error %v: got session %s of %q, want %s of %q", err, got.SessionID, got.Parent, want.SessionID,
				want.Parent)
		}
	}
}

// TestImported: a file in lines is not read if the database beside it has the session.
func TestImported(t *testing.T) {
	paths := []string{"a.jsonl", "b.jsonl", "other/a.jsonl", "sessions.db", "sessions.db/a"}
	tree := &sources.Tree{Paths: paths, Parts: map[string]sources.Source{"sessions.db/a": goose.Source{}}}
	(goose.Source{}).Arrange(tree)
	for i, want := range []bool{true, false, false, false, false} {
		if tree.Taken(i) != want {
			t.Errorf("%s is left out: %v, want %v", paths[i], !want, want)
		}
	}
}

// TestOther: a database of another program has no sessions, and a file that is no database is no error.
func TestOther(t *testing.T) {
	for _, data := range [][]byte{readFile(t, "../../kiro/testdata/data.sqlite3"), []byte("no database")} {
		parts, err := (goose.Source{}).Split(bytes.NewReader(data), int64(len(data)))
		if err != nil || len(parts) != 0 {
			t.Errorf("got %d sessions, error %v, want none", len(parts), err)
		}
	}
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
	sourcetest.Damage(t, goose.Source{}, "testdata/first.db")
}

// TestGrow: a growing file in lines is read as the whole file is.
func TestGrow(t *testing.T) {
	sourcetest.Grow(t, goose.Source{}, sourcetest.Cases(t, "goose_*"))
}

// TestShuffle: lines in any order, complete or truncated, are read.
func TestShuffle(t *testing.T) {
	cases := sourcetest.Cases(t, "goose_*")
	first, _, _ := strings.Cut(string(cases["goose_database"]), "\n")
	sourcetest.Shuffle(t, goose.Source{}, first, cases)
}

// FuzzTranslate: any session becomes records or problems, and nothing panics.
func FuzzTranslate(f *testing.F) {
	sourcetest.Fuzz(f, goose.Source{}, sourcetest.Cases(f, "goose_*"))
}
