package kimi_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/kimi"
	"viewer/internal/testing/sourcetest"
)

// TestMatch: files are matched by their contents, with any white space.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		`{"type":"metadata","protocol_version":"1.4","created_at":1}`:                             true,
		"\ufeff\n{ \"type\" : \"turn.prompt\", \"input\" : [], \"time\" : 1 }":                    true,
		`{"type":"context.append_loop_event","time":1,"event":{"type":"cut`:                       true,
		`{"timestamp":1.5,"message":{"type":"TurnBegin","payload":{}}}`:                           true,
		`{"role":"_checkpoint","id":0}`:                                                           true,
		`{"role":"user","content":"hi"}` + "\n" + `{"role":"_checkpoint","id":1}`:                 true,
		`{"role":"user","content":"hi"}`:                                                          false,
		`{"type":"config.update"}`:                                                                false,
		`{"type":"session.start","data":{},"id":"a","timestamp":"t","parentId":null}`:             false,
		`{"type":"turn.started"}`:                                                                 false,
		`{"timestamp":"t","type":"turn_context","payload":{}}`:                                    false,
		`{"type":"message","timestamp":"t","message":{"role":"user","content":[],"timestamp":1}}`: false,
		`{"type":"user","uuid":"u","timestamp":"t","message":{"role":"user","type":"message"}}`:   false,
		`{"timestamp":1,"message":{"type":"message"}}`:                                            false,
		"": false,
	} {
		if got := (kimi.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
}

// TestFolders: the folders in which sessions are stored.
func TestFolders(t *testing.T) {
	for _, c := range []struct {
		env, home string
		want      []string
	}{
		{"", "/h", []string{"/h/.kimi-code/sessions", "/h/.kimi/sessions"}},
		{"/k", "/h", []string{"/k/sessions", "/h/.kimi/sessions"}},
		{"", "", nil},
	} {
		got := kimi.Source{}.Folders(func(string) string { return c.env }, c.home)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}

// TestArrange: a session consists of the files in its folder: the log of its main agent, those of others, and its
// title.
func TestArrange(t *testing.T) {
	head := `{"type":"metadata","protocol_version":"1.4"}`
	files := map[string]string{
		"5d41/9f/context.jsonl":                                 `{"role":"_checkpoint","id":0}`,
		"5d41/9f/wire.jsonl":                                    head,
		"5d41/old/context.jsonl":                                `{"role":"_checkpoint","id":0}`,
		"wd_net_ac3b/session_1/agents/agent-0/wire.jsonl":       head,
		"wd_net_ac3b/session_1/agents/main/wire.jsonl":          head,
		"wd_net_ac3b/session_1/state.json":                      `{"title":"Nets"}`,
		"wd_net_ac3b/session_2/agents/main/plans/wire.jsonl.md": "a plan",
		"wd_net_ac3b/session_2/agents/main/wire.jsonl":          `{"type":"user"}`,
	}
	tree := &sources.Tree{Base: "sessions", Head: func(p string) []byte { return []byte(files[p]) }}
	tree.Paths = strings.Fields(`5d41/9f/context.jsonl 5d41/9f/wire.jsonl 5d41/old/context.jsonl
		wd_net_ac3b/session_1/agents/agent-0/wire.jsonl wd_net_ac3b/session_1/agents/main/wire.jsonl
		wd_net_ac3b/session_1/state.json wd_net_ac3b/session_2/agents/main/plans/wire.jsonl.md
		wd_net_ac3b/session_2/agents/main/wire.jsonl`)
	want := []sources.Folder{
		{Name: "5d41", OfPath: true, Sessions: []sources.Session{
			{ID: "9f", Log: 1, Path: tree.Paths[1]}, {ID: "old", Log: 2, Path: tree.Paths[2]},
		}},
		{Name: "net", OfPath: true, Sessions: []sources.Session{{
			ID: "session_1", Log: 4, Path: tree.Paths[4], Beside: []int{5},
			Agents: []sources.Agent{{ID: "agent-0", Log: 3, Meta: -1}},
		}}},
	}
	if got := (kimi.Source{}).Arrange(tree); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for file, want := range map[string]string{`{"title":"Nets"}`: "Nets", "{": "", "": ""} {
		if got := (kimi.Source{}).Title([]byte(file)); got != want {
			t.Errorf("the title in %s: got %q", file, got)
		}
	}
}

func TestAppend(t *testing.T) { sourcetest.Grow(t, kimi.Source{}, sourcetest.Cases(t, "kimi_*")) }

func TestShuffled(t *testing.T) {
	first := `{"type":"metadata","protocol_version":"1.4","created_at":1777622400000}`
	sourcetest.Shuffle(t, kimi.Source{}, first, sourcetest.Cases(t, "kimi_*"))
}

func FuzzTranslate(f *testing.F) { sourcetest.Fuzz(f, kimi.Source{}, sourcetest.Cases(f, "kimi_*")) }

type countedLine struct {
	Type   string
	Usage  map[string]int64
	Input  json.RawMessage
	Origin struct{ Kind, Name string }
	Event  struct {
		Type  string
		Usage map[string]int64
	}
}

// count counts the items of a file with knowledge of the format only: tokens are those of requests, and those that no
// step has counted.
func count(_ string, data []byte) (c sourcetest.Counts) {
	for line := range bytes.Lines(data) {
		var l countedLine
		if json.Unmarshal(line, &l) != nil {
			continue
		}
		used := l.Event.Usage
		switch l.Type + l.Event.Type {
		case "turn.prompt", "turn.steer":
			if l.Origin.Kind == "user" || l.Origin.Name == "subagent" {
				c.Prompts++
			}
		case "context.append_loop_eventtool.call":
			c.Calls++
		case "context.append_loop_eventtool.result":
			c.Results++
		case "usage.record":
			if bytes.Contains(line, []byte(`"usageScope":"session"`)) {
				used = l.Usage
			}
		}
		c.Input, c.Output = c.Input+used["inputOther"], c.Output+used["output"]
		c.Cached, c.Written = c.Cached+used["inputCacheRead"], c.Written+used["inputCacheCreation"]
	}
	return c
}

// TestIndented: a log whose lines were indented has the same prompts and calls. A prompt that is in it twice is one.
func TestIndented(t *testing.T) {
	for name, data := range sourcetest.Cases(t, "kimi_*e*") {
		var indented bytes.Buffer
		for line := range bytes.Lines(data) {
			if err := json.Indent(&indented, line, "", "  "); err != nil {
				t.Fatal(err)
			}
		}
		was, _ := sourcetest.Draw(t, kimi.Source{}, name, data)
		is, _ := sourcetest.Draw(t, kimi.Source{}, name, indented.Bytes())
		if got, want := sourcetest.Count(is), sourcetest.Count(was); got != want || want.Prompts == 0 {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
}

// TestCorpus: all records of each real file are accounted for, and the conversation has the items that an independent
// count finds.
func TestCorpus(t *testing.T) {
	sourcetest.Sweep(t, kimi.Source{}, sourcetest.SharedFiles(t, "agents/kimi", ".jsonl"), nil, count)
}
