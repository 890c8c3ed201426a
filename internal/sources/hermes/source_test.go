package hermes_test

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/hermes"
	"viewer/internal/testing/sourcetest"
)

// TestMatch: files are matched by their contents.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"hermesSession":"20260601_0900","source":"cli"}`:                                             true,
		`{"session_id":"a","model":"m","platform":"cli","session_start":"2026-06-01T09:00:00","sy`:     true,
		`{"id":"a","source":"cli","user_id":null,"model":"m","model_config":null,"system_prompt":"cut`: true,
		`{"role": "session_meta", "tools": [], "model": "m"}`:                                          true,
		`{"role":"user","content":"x","timestamp":"2026-06-01T09:00:00"}`:                              false,
		`{"session_id":"a","model":"m","messages":[]}`:                                                 false,
		`{"id":"a","source":"cli","messages":[]}`:                                                      false,
		`{"type":"x","session_id":"a","platform":"cli","session_start":"2026-06-01T09:00:00"}`:         false,
		"": false,
	} {
		if got := (hermes.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
}

// TestFolders: the database in which sessions are stored.
func TestFolders(t *testing.T) {
	env := map[string]string{"HERMES_HOME": "relative"}
	getenv := func(name string) string { return env[name] }
	want := []string{"/h/.hermes/state.db"}
	if got := (hermes.Source{}).Folders(getenv, "/h"); !reflect.DeepEqual(got, want) {
		t.Errorf("got folders %q", got)
	}
	env["LOCALAPPDATA"] = "C:/Users/mara/AppData/Local"
	want = append(want, "C:/Users/mara/AppData/Local/hermes/state.db")
	if got := (hermes.Source{}).Folders(getenv, "/h"); !reflect.DeepEqual(got, want) {
		t.Errorf("on Windows: got folders %q", got)
	}
	env["HERMES_HOME"] = "/g/"
	if got := (hermes.Source{}).Folders(getenv, "/h"); !reflect.DeepEqual(got, []string{"/g/state.db"}) {
		t.Errorf("with a variable: got folders %q", got)
	}
	if got := (hermes.Source{}).Folders(func(string) string { return "" }, ""); got != nil {
		t.Errorf("without a home: got folders %q, want none", got)
	}
}

// TestSplit: each session with messages is a part, with its messages in order and what its models used. A database of
// the first version has fewer columns, and a session may have only messages. Users are left out.
func TestSplit(t *testing.T) {
	for file, names := range map[string][]string{
		"state.db": {"database", "agent", "continued"}, "first.db": {"first", ""},
	} {
		data := readFile(t, file)
		parts, err := (hermes.Source{}).Split(bytes.NewReader(data), int64(len(data)))
		if err != nil || len(parts) != len(names) {
			t.Fatalf("%s: got %d sessions, error %v, want %d", file, len(parts), err, len(names))
		}
		for i, p := range parts {
			read, err := p.Read()
			want := string(sourcetest.Cases(t, "hermes_*")["hermes_"+names[i]])
			if names[i] == "" {
				want = `{"hermesSession":"lost"}` + "\n" +
					`{"row":3,"role":"user","timestamp":"1771000003","content":"Is anybody there?"}` + "\n"
			}
			if err != nil || string(read) != want {
				t.Errorf("error %v: got session %s\n%s\nwant\n%s", err, p.Name, read, want)
			}
			if !(hermes.Source{}).Match(sources.NewHead(read)) || bytes.Contains(read, []byte("mara")) {
				t.Errorf("Match does not recognize %.60s, or it names a user", read)
			}
		}
	}
}

// TestVersion: a session has another version if a message was taken back, and no other session has.
func TestVersion(t *testing.T) {
	data := readFile(t, "state.db")
	split := func(data []byte) []sources.Part {
		parts, err := (hermes.Source{}).Split(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		return parts
	}
	before := split(data)
	renamed := bytes.Replace(data, []byte("Lamp turns too fast"), []byte("Lamp turns too slow"), 1)
	after := split(renamed)
	if bytes.Equal(data, renamed) || after[0].Version == before[0].Version || after[1].Version != before[1].Version {
		t.Errorf("got versions %v, were %v, want only the first changed", after, before)
	}
}

// TestParents: an agent names the session that started it. A session that continues another one after a compaction is
// not an agent.
func TestParents(t *testing.T) {
	data := readFile(t, "state.db")
	parts, err := (hermes.Source{}).Split(bytes.NewReader(data), int64(len(data)))
	if err != nil || len(parts) != 3 {
		t.Fatalf("got %d sessions, error %v, want 3", len(parts), err)
	}
	for i, want := range []sources.Facts{
		{SessionID: "20260601_0900"}, {SessionID: "20260601_0901", Parent: "20260601_0900"},
		{SessionID: "20260601_0905"},
	} {
		read, err := parts[i].Read()
		got := sources.ScanAll(sources.ScanRecords(hermes.Source{}), read)
		if err != nil || got.SessionID != want.SessionID || got.Parent != want.Parent {
			t.Errorf("error %v: got session %s of %q, want %s of %q", err, got.SessionID, got.Parent, want.SessionID,
				want.Parent)
		}
	}
}

// TestCopies: a file is not read if the database has its session.
func TestCopies(t *testing.T) {
	paths := []string{"sessions/a.jsonl", "sessions/b.jsonl", "sessions/session_a.json", "state.db", "state.db/a"}
	tree := &sources.Tree{Paths: paths, Parts: map[string]sources.Source{"state.db/a": hermes.Source{}}}
	(hermes.Source{}).Arrange(tree)
	for i, want := range []bool{true, false, true, false, false} {
		if tree.Taken(i) != want {
			t.Errorf("%s is left out: %v, want %v", paths[i], !want, want)
		}
	}
}

// TestOther: a database of another program has no sessions, and a file that is no database is no error.
func TestOther(t *testing.T) {
	for _, data := range [][]byte{readFile(t, "../../goose/testdata/sessions.db"), []byte("no database")} {
		parts, err := (hermes.Source{}).Split(bytes.NewReader(data), int64(len(data)))
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
	sourcetest.Damage(t, hermes.Source{}, "testdata/first.db")
}

// TestGrow: a growing file in lines is read as the whole file is.
func TestGrow(t *testing.T) {
	sourcetest.Grow(t, hermes.Source{}, sourcetest.Cases(t, "hermes_*"))
}

// TestShuffle: lines in any order, complete or truncated, are read.
func TestShuffle(t *testing.T) {
	cases := sourcetest.Cases(t, "hermes_*")
	first, _, _ := strings.Cut(string(cases["hermes_database"]), "\n")
	sourcetest.Shuffle(t, hermes.Source{}, first, cases)
}

// FuzzTranslate: any session becomes records or problems, and nothing panics.
func FuzzTranslate(f *testing.F) {
	sourcetest.Fuzz(f, hermes.Source{}, sourcetest.Cases(f, "hermes_*"))
}

// count counts the items of a document with knowledge of the format only.
func count(_ string, data []byte) (c sourcetest.Counts) {
	var session struct {
		Messages []struct {
			Role      string
			ToolCalls []struct{} `json:"tool_calls"`
		}
	}
	_ = json.Unmarshal(data, &session)
	for _, m := range session.Messages {
		switch m.Role {
		case "user":
			c.Prompts++
		case "tool":
			c.Results++
		}
		c.Calls += int64(len(m.ToolCalls))
	}
	return c
}

// TestCorpus: all records of each real document are accounted for, and the conversation has the items that an
// independent count finds.
func TestCorpus(t *testing.T) {
	sourcetest.Sweep(t, hermes.Source{}, sourcetest.SharedFiles(t, "agents/hermes", ".json"), nil, count)
}
