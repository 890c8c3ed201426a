package grok_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/grok"
	"viewer/internal/testing/sourcetest"
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

// TestArrange: a session consists of the files in its folder, with its title. Copies of it are not read.
func TestArrange(t *testing.T) {
	head := []byte(`{"type":"system","content":"x"}`)
	tree := &sources.Tree{Base: "sessions", Head: func(string) []byte { return head }, Paths: []string{
		"%2Fw/s1/chat_history.jsonl", "%2Fw/s1/signals.json", "%2Fw/s1/summary.json", "%2Fw/s1/updates.jsonl",
	}}
	want := []sources.Folder{{Name: "%2Fw", OfPath: true, Sessions: []sources.Session{
		{ID: "s1", Log: 0, Path: tree.Paths[0], Beside: []int{2}},
	}}}
	if got := (grok.Source{}).Arrange(tree); !reflect.DeepEqual(got, want) || !tree.Taken(1) || !tree.Taken(3) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for file, want := range map[string]string{
		`{"generated_title":"Dig","session_summary":"s"}`: "Dig", `{"session_summary":"s"}`: "s", "{": "",
	} {
		if got := (grok.Source{}).Title([]byte(file)); got != want {
			t.Errorf("the title in %s: got %q", file, got)
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
