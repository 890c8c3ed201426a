package goose_test

import (
	"fmt"
	"reflect"
	"slices"
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
		for i, p := range sourcetest.Split(t, goose.Source{}, sourcetest.File(t, file), len(names)) {
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
	data := sourcetest.File(t, "sessions.db")
	sourcetest.Version(t, goose.Source{}, data, 2, `"agentVisible":false}`, `"agentVisible":true }`, 0)
}

// TestParents: results of calls name the agents whose sessions do not name the one that started them. Other texts do
// not.
func TestParents(t *testing.T) {
	sourcetest.Parents(t, goose.Source{}, sourcetest.File(t, "agents.db"),
		[2]string{"20260401_1"}, [2]string{"20260401_2", "20260401_1"}, [2]string{"20260401_3"})
}

// TestStructured: results say how a command ended, that a file is new and which session is that of an agent. A thought
// whose text is encrypted has its size.
func TestStructured(t *testing.T) {
	call := func(name, id string) string {
		return fmt.Sprintf(`{"role":"assistant","created":1750000000,"content":[{"type":"toolRequest","id":%q,`+
			`"toolCall":{"status":"success","value":{"name":%q,"arguments":{}}}}]}`+"\n", id, name)
	}
	result := func(id, text, more string) string {
		return fmt.Sprintf(`{"role":"user","created":1750000001,"content":[{"type":"toolResponse","id":%q,`+
			`"toolResult":{"status":"success","value":{"content":[{"type":"text","text":%q}],%s}}}]}`+"\n",
			id, text, more)
	}
	const thought = `{"role":"assistant","created":1750000000,"content":[{"type":"thinking","thinking":"",` +
		`"signature":"c2VhbGVk"}]}` + "\n"
	c, _ := sourcetest.Draw(t, goose.Source{}, "s.jsonl", []byte(
		thought+call("developer__shell", "1")+result("1", "x", `"structuredContent":{"exit_code":3,"timed_out":true}`)+
			call("developer__write", "2")+result("2", "Created a.go", `"isError":false`)+
			call("delegate", "3")+
			result("3", "Started", `"_meta":{"subagent_session_id":"s_2","foreground_subagent":true}`)))
	var got []string
	for _, m := range c.Order {
		if r := m.Record.ToolUseResult; r != nil {
			got = append(got, string(r))
		}
		if b := m.Block; b != nil && b.Type == "thinking" {
			got = append(got, fmt.Sprint("thought of ", b.Encrypted))
		}
	}
	want := []string{"thought of 8", `{"exitCode":3,"timedOut":true}`, `{"type":"create"}`,
		`{"agentId":"s_2","answersLater":true}`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
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
