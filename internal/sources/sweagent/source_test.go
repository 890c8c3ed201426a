package sweagent_test

import (
	"encoding/json"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/sweagent"
	"viewer/internal/testing/sourcetest"
)

// TestMatch: files are matched by their contents.
func TestMatch(t *testing.T) {
	for head, want := range map[string]bool{
		"{\n  \"environment\": \"main\",\n  \"trajectory\": [\n    {\n      \"action\": \"ls\",\n      \"observation\": \"": true,
		`{"trajectory":[],"history":[],"info":{}}`:                                                true,
		`{"info":{"mini_version":"1.1"},"messages":[`:                                             true,
		`{"info":{"config":{"agent":{}},"mini_version":"1.1","sub`:                                true,
		`{"messages":[],"info":{},"trajectory_format":"mini-swe-agent"}`:                          true,
		`{"environment":{"a":1},"trajectory":[]}`:                                                 false,
		`{"environment":"prod","services":["action","observation"]}`:                              false,
		`{"messages":[{"role":"user","content":"a"}]}`:                                            false,
		`{"info":{"title":"an API"},"paths":{}}`:                                                  false,
		`{"type":"user","message":{"content":"a"}}`:                                               false,
		"[{\"role\":\"system\",\"content\":\"One block:\\n```bash\\nls\\n```\"}]":                 true,
		"[{\"role\":\"user\",\"content\":\"hello\"},{\"role\":\"assistant\",\"content\":\"hi\"}]": false,
		"[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"```bash\\nls\\n```\"}]}]": false,
		"": false,
	} {
		if got := (sweagent.Source{}).Match(sources.NewHead([]byte(head))); got != want {
			t.Errorf("%s: got %v, want %v", head, got, want)
		}
	}
}

// FuzzTranslate: any document becomes records or problems, and nothing panics.
func FuzzTranslate(f *testing.F) {
	sourcetest.Fuzz(f, sweagent.Source{}, sourcetest.Cases(f, "swe-agent_*"))
}

// count counts the items of a file with knowledge of the format only: an action is a call, and the next message to the
// model is its result.
func count(t *testing.T) sourcetest.Counter {
	return func(name string, data []byte) (c sourcetest.Counts) {
		var d struct {
			Trajectory []struct{ Observation string }
			History    []struct {
				Role, Action string
				Demo         bool `json:"is_demo"`
			}
		}
		if err := json.Unmarshal(data, &d); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		c.Prompts = 1
		ran := false
		for _, m := range d.History {
			switch {
			case m.Demo:
			case m.Role == "assistant":
				if ran = m.Action != ""; ran {
					c.Calls++
				}
			case ran && (m.Role == "user" || m.Role == "tool"):
				c.Results++
				ran = false
			}
		}
		if n := len(d.Trajectory); ran && n > 0 && d.Trajectory[n-1].Observation != "" {
			c.Results++
		}
		return c
	}
}

// TestCorpus: all records of each real file are accounted for, nothing is unknown, and the conversation has the items
// that an independent count finds. The tokens of a run are given at its end, not for each request.
func TestCorpus(t *testing.T) {
	files := sourcetest.SharedFiles(t, "agents/swe-agent", ".traj")
	sourcetest.Sweep(t, sweagent.Source{}, files, nil, count(t))
}
