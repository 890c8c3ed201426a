package openhands_test

import (
	"errors"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/openhands"
	"viewer/internal/testing/sourcetest"
	"viewer/internal/transcript"
)

// TestMatch: files are matched by their contents.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"openhandsConversation":"a"}`:                                             true,
		`{"id":"e","timestamp":"t","source":"user","kind":"MessageEvent"}`:          true,
		`{"id":"e","timestamp":"t","source":"user","kind":"message"}`:               false,
		`{"id":"e","type":"x","timestamp":"t","source":"u","kind":"MessageEvent"}`:  false,
		`{"kind":"MessageEvent","llm_message":{}}`:                                  false,
		`{"id":"a","agent":{"kind":"Agent"},"workspace":{"kind":"LocalWorkspace"}}`: false,
		"": false,
	} {
		if got := (openhands.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
}

// TestFolders: the folders in which conversations are stored.
func TestFolders(t *testing.T) {
	env := map[string]string{}
	for _, c := range []struct{ name, value, home, want string }{
		{"", "", "/h", "/h/.openhands/conversations"},
		{"OPENHANDS_PERSISTENCE_DIR", "/p/", "", "/p/conversations"},
		{"OPENHANDS_CONVERSATIONS_DIR", "/c", "/h", "/c"},
	} {
		env[c.name] = c.value
		got := (openhands.Source{}).Folders(func(name string) string { return env[name] }, c.home)
		if !reflect.DeepEqual(got, []string{c.want}) {
			t.Errorf("%+v: got folders %q", c, got)
		}
	}
	if got := (openhands.Source{}).Folders(func(string) string { return "" }, ""); got != nil {
		t.Errorf("without a home: got folders %q, want none", got)
	}
}

// TestJoin: the files of a conversation are read in the order of their numbers. A damaged event is kept, one that was
// removed is left out, and settings and secrets of the state are not read.
func TestJoin(t *testing.T) {
	files := map[string]string{
		"a/base_state.json": `{"agent":{"llm":{"model":"gull-2","api_key":"secret"}},` + "\n" +
			`"workspace":{"working_dir":"/w"},"secret_registry":{"x":"secret"}}`,
		"a/events/event-00002-aaaaaaaa.json":  "{\n\"kind\": \"TokenEvent\"}",
		"a/events/event-100000-aaaaaaaa.json": `{"kind":"PauseEvent"}`,
		"a/events/event-99999-aaaaaaaa.json":  `{"kind":`,
		"a/events/notes.json":                 `{}`,
		"b/events/event-00000-aaaaaaaa.json":  `{}`,
		"c/base_state.json":                   `{`,
	}
	var paths []string
	for p := range files {
		paths = append(paths, p)
	}
	paths = append(paths, "a/events/event-00001-aaaaaaaa.json") // removed meanwhile
	slices.Sort(paths)
	joined := openhands.Source{}.Join(paths)
	if len(joined) != 2 || len(joined[0].Files) != 5 {
		t.Fatalf("got %+v, want two conversations, the first with five files", joined)
	}
	read := func(p string) ([]byte, error) {
		if text, ok := files[p]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
	want := `{"openhandsConversation":"a","folder":"/w","model":"gull-2"}
{ "kind": "TokenEvent"}
{"kind":"DamagedEvent","source":"event-99999-aaaaaaaa.json","text":"{\"kind\":"}
{"kind":"PauseEvent"}
`
	if got, err := joined[0].Read(read); err != nil || string(got) != want {
		t.Errorf("error %v: got\n%s\nwant\n%s", err, got, want)
	}
	want = `{"openhandsConversation":"c","damaged":true}` + "\n"
	if got, err := joined[1].Read(read); err != nil || string(got) != want {
		t.Errorf("error %v: got %s", err, got)
	}
	failed := errors.New("cannot read")
	if _, err := joined[0].Read(func(string) ([]byte, error) { return nil, failed }); !errors.Is(err, failed) {
		t.Errorf("got error %v, want %v", err, failed)
	}
}

// TestEdited: the result of an edit has the file as it was before.
func TestEdited(t *testing.T) {
	event := `{"kind":"ObservationEvent","tool_call_id":"c","observation":{"command":"str_replace","prev_exist":true,` +
		`"old_content":"a","new_content":"b"}}`
	records, _ := openhands.Source{}.NewTranslator().Translate(transcript.Pos{}, []byte(event))
	if got := string(records[0].ToolUseResult); got != `{"originalFile":"a"}` {
		t.Errorf("got %s", got)
	}
}

// TestGrow: a growing conversation is read as the whole is.
func TestGrow(t *testing.T) {
	sourcetest.Grow(t, openhands.Source{}, sourcetest.Cases(t, "openhands_*"))
}

// TestShuffle: lines in any order, complete or truncated, are read.
func TestShuffle(t *testing.T) {
	cases := sourcetest.Cases(t, "openhands_*")
	first, _, _ := strings.Cut(string(cases["openhands_conversation"]), "\n")
	sourcetest.Shuffle(t, openhands.Source{}, first, cases)
}

// FuzzTranslate: any conversation becomes records or problems, and nothing panics.
func FuzzTranslate(f *testing.F) {
	sourcetest.Fuzz(f, openhands.Source{}, sourcetest.Cases(f, "openhands_*"))
}
