package grok_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"viewer/internal/sources"
	"viewer/internal/sources/grok"
	"viewer/internal/testing/sourcetest"
	"viewer/internal/transcript"
)

// TestMatch: files are matched by their contents, with any white space.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"type":"system","content":"You are cut`:                                            true,
		"\ufeff{ \"content\": [], \"type\": \"user\", \"prompt_index\": 0 }":                 true,
		`{"type":"system","content":"x","uuid":"u","subtype":"informational"}`:               false,
		`{"type":"user","content":"hi"}`:                                                     false,
		`{"role":"system","content":"x"}` + "\n" + `{"role":"assistant","model_id":"grok-4"`: true,
		`{"role":"system","content":"You are"}`:                                              false,
		`{"type":"system","subtype":"init","session_id":"s"}`:                                false,
		"": false,
	} {
		if got := (grok.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
}

// TestArrange: a session consists of the files in its folder. Copies of it are not read.
func TestArrange(t *testing.T) {
	head := []byte(`{"type":"system","content":"x"}`)
	tree := &sources.Tree{Base: "sessions", Head: func(string) []byte { return head }, Paths: []string{
		"%2Fw/s1/chat_history.jsonl", "%2Fw/s1/signals.json", "%2Fw/s1/summary.json", "%2Fw/s1/updates.jsonl",
	}}
	want := []sources.Folder{{Name: "%2Fw", OfPath: true, Sessions: []sources.Session{
		{ID: "s1", Log: 0, Path: tree.Paths[0]},
	}}}
	if got := (grok.Source{}).Arrange(tree); !reflect.DeepEqual(got, want) || !tree.Taken(1) ||
		!tree.Taken(2) || !tree.Taken(3) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// TestJoin: what the files next to a log say goes into its first line and a last one. A log that is still being written
// gets no last line. A rewind repeats turns in the updates. Files that are gone say nothing.
func TestJoin(t *testing.T) {
	const unreadable, gone, broken = "unreadable", "gone", "broken"
	const line = `{"type":"user","content":"Dig.","prompt_index":0}`
	const said = `{"info":{"id":"a","cwd":"/w/sand"},
		"session_summary":"s", "generated_title":"Dig \"it\"","created_at":"2026-07-18T10:00:00Z","head_branch":"main",
		"git_remotes":["https://mara:key@example.org/sand.git"],"last_active_at":"2026-07-18T10:29:00Z"}`
	const turn = `{"timestamp":1,"params":{"update":{"sessionUpdate":"turn_completed","usage":{"inputTokens":100,` +
		`"modelUsage":{"grok-5":{"inputTokens":100,"cachedReadTokens":70,"cacheCreationTokens":10,"outputTokens":5,` +
		`"costUsdTicks":25000000}}}},"_meta":{"eventId":"e1","agentTimestampMs":1784370600000}}}` + "\n"
	files := map[string]string{
		"a/chat_history.jsonl": line + "\n", "a/summary.json": said,
		"a/updates.jsonl": `{"params":{"update":{"sessionUpdate":"user_message_chunk"}}}` + "\n" + turn + turn +
			strings.Replace(turn, `"e1"`, `"e2"`, 1) +
			strings.NewReplacer(`"e1"`, `"e3"`, "grok-5", "grok-4", `,"costUsdTicks":25000000`, "").Replace(turn) +
			`{"params":{"update":{"sessionUpdate":"turn_completed"`,
		"%2Fw%2Fb/b/chat_history.jsonl": line, "%2Fw%2Fb/b/summary.json": unreadable,
		"c/chat_history.jsonl": line + "\n{", "c/summary.json": `{"last_active_at":"2026-07-18T10:29:00Z"}`,
		"d/chat_history.jsonl.gz": line, "d/updates.jsonl.zst": `{"update":{"sessionUpdate":"turn_completed","usage":` +
			`{"inputTokens":4,"outputTokens":3,"costUsdTicks":7,"costIsPartial":true}}}`,
		"e/chat_history.jsonl": line, "f/summary.json": said,
		"h/chat_history.jsonl": line, "h/summary.json": gone,
		"i/chat_history.jsonl": broken, "i/summary.json": said,
		"j/chat_history.jsonl": line, "j/summary.json": broken,
		"k/chat_history.jsonl": line, "k/updates.jsonl": broken,
		"g/chat_history.jsonl": line, "g/summary.json": `{"session_kind":"subagent"}`, "g/updates.jsonl": turn,
	}
	rest := line[1:]
	want := map[string]string{
		"a/chat_history.jsonl": `{"grokSession":{"id":"a","cwd":"/w/sand","title":"Dig \"it\"","created":"2026-07-18T10:00:00Z",` +
			`"branch":"main","repository":"example.org/sand"},` + rest + "\n" +
			`{"type":"session_end","timestamp":"2026-07-18T10:30:00Z","models":[{"model":"grok-5","input":40,` +
			`"output":10,"cacheRead":140,"cacheWrite":20,"ticks":50000000},{"model":"grok-4","input":20,"output":5,` +
			`"cacheRead":70,"cacheWrite":10,"ticks":-1}]}` + "\n",
		"%2Fw%2Fb/b/chat_history.jsonl": `{"grokSession":{"unread":true,"id":"b","cwd":"/w/b"},` + rest,
		"c/chat_history.jsonl":          `{"grokSession":{"id":"c"},` + rest + "\n{",
		"d/chat_history.jsonl.gz": `{"grokSession":{"id":"d"},` + rest + "\n" +
			`{"type":"session_end","models":[{"input":4,"output":3,"ticks":-1}]}` + "\n",
		"g/chat_history.jsonl": `{"grokSession":{"id":"g","kind":"subagent"},` + rest,
		"h/chat_history.jsonl": `{"grokSession":{"id":"h"},` + rest,
		"i/chat_history.jsonl": broken, "j/chat_history.jsonl": broken, "k/chat_history.jsonl": broken,
	}
	paths := slices.Sorted(maps.Keys(files))
	got := make(map[string]string)
	for _, j := range (grok.Source{}).Join(paths) {
		data, err := j.Read(func(p string) ([]byte, error) {
			switch files[p] {
			case unreadable:
				return nil, fs.ErrPermission
			case gone:
				return nil, fs.ErrNotExist
			case broken:
				return nil, errors.New(broken)
			}
			return []byte(files[p]), nil
		})
		if !j.Extends {
			t.Errorf("%v: does not extend", j.Files)
		}
		if err != nil {
			data = []byte(err.Error())
		}
		got[paths[j.Files[0]]] = string(data)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestAbout: a session has the folder, the branch, the title and the times of its summary, and the tokens and the cost
// of its updates.
func TestAbout(t *testing.T) {
	c, _ := sourcetest.Draw(t, grok.Source{}, "chat_history.jsonl", []byte(
		`{"grokSession":{"id":"a","cwd":"/w/sand","title":"Dig it","created":"2026-07-18T10:00:00Z","branch":"main",`+
			`"effort":"high","agent":"digger","parent":"p","repository":"example.org/sand","commit":"3f2a"},`+
			`"type":"user","content":"Dig.","prompt_index":0}`+"\n"+
			`{"type":"assistant","content":"Dug.","model_id":"grok-5"}`+"\n"+
			`{"type":"session_end","timestamp":"2026-07-18T10:30:00Z","models":[{"model":"grok-4","input":40,`+
			`"cacheRead":140,"output":10,"ticks":50000000}]}`+"\n"))
	f := c.Facts
	if f.CWD != "/w/sand" || f.AITitle != "Dig it" || !slices.Equal(f.Branches, []string{"main"}) ||
		f.End.Sub(f.Start) != 30*time.Minute {
		t.Errorf("got %+v", f)
	}
	said := map[string]string{}
	for _, m := range c.Order {
		for name, v := range transcript.Members(m.Record.Raw) {
			said[name] = transcript.TextOf(v)
		}
	}
	for name, want := range map[string]string{
		"agent": "digger", "parent session": "p", "repository": "example.org/sand", "commit": "3f2a", "effort": "high",
	} {
		if said[name] != want {
			t.Errorf("%s: got %q, want %q", name, said[name], want)
		}
	}
	requests := c.Turns[len(c.Turns)-1].Requests
	last := requests[len(requests)-1]
	want := transcript.Usage{Input: 40, CacheRead: 140, Output: 10}
	if last.Usage != want || !last.OfSession || last.CostUSD != 0.005 || last.Model != "grok-4" {
		t.Errorf("got %+v", last)
	}
	if first := requests[0]; first.Model != "grok-5" {
		t.Errorf("got %+v", first)
	}
}

// TestFolderOf: the folder stands in the first line that describes the session, or in a text for the model.
func TestFolderOf(t *testing.T) {
	for line, want := range map[string]string{
		`{"grokSession":{"cwd":"/w/sand"},"type":"user","content":"Workspace Path: /no\n","prompt_index":0}`:                     "/w/sand",
		`{"type":"user","content":"<user_info>\nWorkspace Path: /w/well\n</user_info>","prompt_index":0,"synthetic_reason":"x"}`: "/w/well",
		`{"type":"user","content":"<user_info>\nWorkspace Path of others\n/w\n</user_info>","prompt_index":0}`:                   "",
	} {
		c, _ := sourcetest.Draw(t, grok.Source{}, "chat_history.jsonl", []byte(line))
		if got := (grok.Source{}).FolderOf([]byte(line)); got != want || c.Facts.CWD != want {
			t.Errorf("%s: got %q, in the session %q, want %q", line, got, c.Facts.CWD, want)
		}
	}
}

// TestManyModels: the time is linear in the number of models that a session names.
func TestManyModels(t *testing.T) {
	var models []string
	for i := range 100_000 {
		models = append(models, fmt.Sprintf(`"%06d":{}`, i))
	}
	turn := `{"update":{"sessionUpdate":"turn_completed","usage":{"modelUsage":{` + strings.Join(models, ",") + `}}}}`
	files := map[string]string{
		"a/chat_history.jsonl": `{"type":"user","content":"Dig."}` + "\n", "a/updates.jsonl": turn,
	}
	start := time.Now()
	for _, j := range (grok.Source{}).Join(slices.Sorted(maps.Keys(files))) {
		data, err := j.Read(func(p string) ([]byte, error) { return []byte(files[p]), nil })
		if took := time.Since(start); err != nil || !bytes.Contains(data, []byte("099999")) || took > 5*time.Second {
			t.Errorf("got %d bytes and error %v in %v, want all models in a second", len(data), err, took)
		}
	}
}

// TestFolders: a variable moves all data of the program.
func TestFolders(t *testing.T) {
	env := map[string]string{}
	getenv := func(name string) string { return env[name] }
	if got := (grok.Source{}).Folders(getenv, "/h"); !reflect.DeepEqual(got, []string{"/h/.grok/sessions"}) {
		t.Errorf("with home /h: got %q", got)
	}
	env["GROK_HOME"] = "/g"
	if got := (grok.Source{}).Folders(getenv, "/h"); !reflect.DeepEqual(got, []string{"/g/sessions"}) {
		t.Errorf("with $GROK_HOME: got %q", got)
	}
}

func TestAppend(t *testing.T) { sourcetest.Grow(t, grok.Source{}, sourcetest.Cases(t, "grok_*")) }

func TestShuffled(t *testing.T) {
	sourcetest.Shuffle(t, grok.Source{}, `{"type":"system","content":"x"}`, sourcetest.Cases(t, "grok_*"))
}

func FuzzTranslate(f *testing.F) { sourcetest.Fuzz(f, grok.Source{}, sourcetest.Cases(f, "grok_*")) }

// count counts the items of a file with knowledge of the format only.
func count(_ string, data []byte) (c sourcetest.Counts) {
	for line := range bytes.Lines(data) {
		var l struct {
			Type, Role string
			Calls      []struct{} `json:"tool_calls"`
			Synthetic  string     `json:"synthetic_reason"`
		}
		if json.Unmarshal(line, &l) != nil {
			continue
		}
		c.Calls += int64(len(l.Calls))
		switch {
		case l.Type+l.Role == "user" && (l.Synthetic == "" || l.Synthetic == "interjection"):
			c.Prompts++
		case l.Type == "backend_tool_call":
			c.Calls++
		case l.Type == "tool_result" || l.Role == "tool":
			c.Results++
		}
	}
	return c
}

// TestCorpus: all records of each real session are accounted for, and the conversation has the items that an
// independent count finds.
func TestCorpus(t *testing.T) {
	sourcetest.Sweep(t, grok.Source{}, sourcetest.SharedFiles(t, "agents/grok", ".jsonl"), nil, count)
}
