package hermes_test

import (
	"bytes"
	"encoding/json"
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
		for i, p := range sourcetest.Split(t, hermes.Source{}, sourcetest.File(t, file), len(names)) {
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
	data := sourcetest.File(t, "state.db")
	sourcetest.Version(t, hermes.Source{}, data, 3, "Lamp turns too fast", "Lamp turns too slow", 0)
}

// TestParents: an agent names the session that started it. A session that continues another one after a compaction is
// not an agent.
func TestParents(t *testing.T) {
	sourcetest.Parents(t, hermes.Source{}, sourcetest.File(t, "state.db"),
		[2]string{"20260601_0900"}, [2]string{"20260601_0901", "20260601_0900"}, [2]string{"20260601_0905"})
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
