package atif_test

import (
	"encoding/json"
	"testing"

	"viewer/internal/sources/atif"
	"viewer/internal/testing/sourcetest"
)

type countedDocument struct {
	Steps []struct {
		Source      string
		Copied      bool              `json:"is_copied_context"`
		Calls       []json.RawMessage `json:"tool_calls"`
		Observation struct {
			Results []struct {
				Call    string `json:"source_call_id"`
				Content json.RawMessage
			}
		}
		Metrics struct {
			In     int64 `json:"prompt_tokens"`
			Out    int64 `json:"completion_tokens"`
			Cached int64 `json:"cached_tokens"`
		}
	}
	Agents []countedDocument `json:"subagent_trajectories"`
}

// count counts the items of a file with knowledge of the format only: a result without a name belongs to the only call
// of its step.
func count(t *testing.T) sourcetest.Counter {
	return func(name string, data []byte) sourcetest.Counts {
		var d countedDocument
		if err := json.Unmarshal(data, &d); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		c := d.count(false)
		return c
	}
}

func (d *countedDocument) count(inside bool) (c sourcetest.Counts) {
	for _, s := range d.Steps {
		if s.Copied && !(inside && s.Source == "user") {
			continue
		}
		if s.Source == "user" && !inside {
			c.Prompts++
		}
		c.Calls += int64(len(s.Calls))
		for _, r := range s.Observation.Results {
			if r.Call != "" || len(s.Calls) == 1 && r.Content != nil {
				c.Results++
			}
		}
		c.Input, c.Cached = c.Input+s.Metrics.In-s.Metrics.Cached, c.Cached+s.Metrics.Cached
		c.Output += s.Metrics.Out
	}
	for _, a := range d.Agents {
		inner := a.count(true)
		c.Calls, c.Results = c.Calls+inner.Calls, c.Results+inner.Results
		c.Input, c.Cached, c.Output = c.Input+inner.Input, c.Cached+inner.Cached, c.Output+inner.Output
	}
	return c
}

// inventedTools are tools that authors of examples invented.
var inventedTools = map[string]string{
	"tool analyst_estimates": "an example", "tool delegate_research": "an example", "tool extract_text": "an example",
	"tool financial_search": "an example", "tool get_news": "an example", "tool news_search": "an example",
}

// TestCorpus: all records of each real file are accounted for, nothing is unknown but tools of invented agents, and the
// conversation has the items that an independent count finds.
func TestCorpus(t *testing.T) {
	files := sourcetest.SharedFiles(t, "agents/atif", ".json")
	sourcetest.Sweep(t, atif.Source{}, files, inventedTools, count(t))
}
