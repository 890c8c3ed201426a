package pi_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/claude"
	"viewer/internal/sources/pi"
	"viewer/internal/testing/sourcetest"
	"viewer/internal/transcript"
	"viewer/normalize"
)

var list = sources.List{pi.Source{}, claude.Source{}}

// TestMatch: files are matched by their contents, with any white space.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"type":"session","version":3,"id":"a","timestamp":"t","cwd":"/w"}`:                                      true,
		"\ufeff\n{ \"type\" : \"session\", \"id\" : \"a\", \"timestamp\" : \"t\", \"provider\" : \"anthropic\" }": true,
		`{"type":"title","title":"x","pad":"  "}` + "\n" + `{"type":"session","id":"a"`:                           true,
		`{"type":"title","title":"x"}` + "\n" + `{"type":"ses` + "\x00" + `on","id":"a"` + "\n" +
			`{"type":"message","id":"a","parentId":"b","timestamp":"t","message":{"role":"user"}}`: true,
		`{"type":"model_change","id":"a","parentId":null,"timestamp":"t","modelId":"m"}`:                    true,
		`{"type":"message","id":"a","parentId":"b","timestamp":"t","message":{"role":"user","content":[]}}`: true,
		`{"type":"message","timestamp":"t","message":{"role":"user","content":[],"timestamp":1}}`:           true,
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}`:                    false,
		`{"type":"message","id":"a","timestamp":"t","message":{"role":"user","content":[]}}`:                false,
		`{"type":"title","title":"x"}` + "\n" + `{"type":"user"}`:                                           false,
		`{"type":"session.start","data":{},"id":"a","timestamp":"t","parentId":null}`:                       false,
		`{"timestamp":"t","type":"session_meta","payload":{"id":"a"}}`:                                      false,
		`{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"hi"}}`:               false,
		`{"type":"session","sessionId":"s","id":"a","timestamp":"t"}`:                                       false,
		`{"type":"session","id":"a"}`: false,
		"":                            false,
	} {
		if got := (pi.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
}

// TestFolders: the folders in which sessions are stored.
func TestFolders(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		home string
		want []string
	}{
		{nil, "/home/mara", []string{
			"/home/mara/.pi/agent/sessions", "/home/mara/.omp/agent/sessions", "/home/mara/.openclaw/agents"}},
		{map[string]string{"PI_CODING_AGENT_DIR": "/d/pi", "OPENCLAW_STATE_DIR": "/d/claw"}, "/home/mara", []string{
			"/d/pi/sessions", "/home/mara/.omp/agent/sessions", "/d/claw/agents"}},
		{map[string]string{"PI_CODING_AGENT_SESSION_DIR": "/d/s"}, "", []string{"/d/s"}},
		{nil, "", nil},
	} {
		got := pi.Source{}.Folders(func(name string) string { return c.env[name] }, c.home)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}

// TestPrivate: files with keys and lists of sessions are never read.
func TestPrivate(t *testing.T) {
	paths := []string{"agent/models.json", "agents/main/sessions/sessions.json", "s.jsonl"}
	tree := &sources.Tree{Paths: paths, Head: func(p string) []byte {
		t.Errorf("%s was opened, want it left alone", p)
		return nil
	}}
	if got := (sources.List{pi.Source{}, claude.Source{}}).Arrange(tree); len(got) > 1 {
		t.Errorf("got %+v", got)
	}
	for i := range paths[:2] {
		if !tree.Taken(i) {
			t.Errorf("%s is not left out", paths[i])
		}
	}
}

// TestScan: a scan gives the facts of the records, in whatever pieces the file is read.
func TestScan(t *testing.T) {
	files := sourcetest.Cases(t, "pi_*")
	delete(files, "pi_bad") // it has several sessions
	sourcetest.Scan(t, pi.Source{}, files, func(name string, want *sources.Facts) {
		want.FirstUUID = firstEntry(files[name])
	})
}

// firstEntry returns what copies of a session have in common: id and time of the first entry.
func firstEntry(data []byte) string {
	for _, line := range bytes.Split(data, []byte("\n")) {
		var in struct{ Type, ID, Timestamp string }
		if json.Unmarshal(line, &in) == nil && in.Type != "session" && in.Type != "title" {
			return in.ID + "@" + in.Timestamp
		}
	}
	return ""
}

// TestAppend: a growing file, including incomplete lines, gives the same as reading it at once.
func TestAppend(t *testing.T) {
	sourcetest.Grow(t, pi.Source{}, sourcetest.Cases(t, "pi_*"))
}

// TestShuffled: lines in any order are all accounted for, on the page and in branches.
func TestShuffled(t *testing.T) {
	first := `{"type":"session","version":3,"id":"a","timestamp":"2026-04-24T06:00:00Z"}`
	sourcetest.Shuffle(t, pi.Source{}, first, sourcetest.Cases(t, "pi_*"))
}

// TestFork: a fork repeats the entries of the session that it was copied from, with the same ids in both files. Entries
// of different sessions have different ids, although logs number them alike.
func TestFork(t *testing.T) {
	const rest = `{"type":"message","id":"aa","parentId":null,"timestamp":"2026-04-24T06:00:01Z","message":{"role":"user","content":"Hi"}}`
	const other = `{"type":"message","id":"aa","parentId":null,"timestamp":"2026-04-24T06:00:02Z","message":{"role":"user","content":"Hi"}}`
	id := func(head, entry string) (uuid, lineage string) {
		f := list.Read("in.jsonl", []byte(head+"\n"+entry+"\n"), transcript.Options{})
		return f.Records[1].UUID, f.Records[0].LineageID
	}
	first, _ := id(`{"type":"session","version":3,"id":"s1","timestamp":"2026-04-24T06:00:00Z","cwd":"/w"}`, rest)
	copied, from := id(`{"type":"session","version":3,"id":"s2","timestamp":"2026-04-24T07:00:00Z","cwd":"/w",`+
		`"parentSession":"C:\\Users\\mara\\2026-04-24T06-00-00-000Z_s1.jsonl"}`, rest)
	if first != copied || from != "s1" {
		t.Errorf("got ids %q and %q, copied from %q", first, copied, from)
	}
	another, _ := id(`{"type":"session","version":3,"id":"s3","timestamp":"2026-04-24T06:00:00Z"}`, other)
	if another == first {
		t.Errorf("two entries have the id %q", first)
	}
}

// FuzzTranslate: any line becomes records or problems, and nothing panics.
func FuzzTranslate(f *testing.F) {
	sourcetest.Fuzz(f, pi.Source{}, sourcetest.Cases(f, "pi_*"))
}

// TestStoppedCommand: a command that the human stopped did not fail, whatever it printed until then.
func TestStoppedCommand(t *testing.T) {
	for output, want := range map[string]normalize.State{
		`Command aborted`:                                   normalize.Stopped,
		`1 of 9 passed\n\n\nCommand aborted`:                normalize.Stopped,
		`Command aborted\n\n\nCommand exited with code 1`:   normalize.Failed,
		`1 of 9 passed\n\n\nCommand timed out after 9 secs`: normalize.Failed,
	} {
		c, _ := sourcetest.Draw(t, pi.Source{}, "s.jsonl", []byte(
			`{"type":"session","version":3,"id":"a","timestamp":"2026-04-24T06:00:00Z"}
{"type":"message","id":"b","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{"command":"make test"}}]}}
{"type":"message","id":"d","parentId":"b","message":{"role":"toolResult","toolCallId":"c","toolName":"bash","isError":true,"content":[{"type":"text","text":"`+output+`"}]}}
`))
		for g := range c.Groups() {
			if g.State != want {
				t.Errorf("%s: got %s, want %s", output, g.State, want)
			}
		}
	}
}
