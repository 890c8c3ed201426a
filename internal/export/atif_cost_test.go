package export

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// TestTrajectoryCost: the cost of a trajectory includes that of its agents. It is the cost of a session whose steps
// have none, unless it was computed from list prices.
func TestTrajectoryCost(t *testing.T) {
	step := func(metrics string) string {
		return `{"step_id":1,"source":"agent","message":"a","model_name":"claude-haiku-4-5","metrics":` + metrics + `}`
	}
	const (
		bare   = `{"prompt_tokens":0,"completion_tokens":1000}` // half a cent with Haiku 4.5
		priced = `{"prompt_tokens":0,"completion_tokens":1000,"cost_usd":0.25}`
		listed = `{"prompt_tokens":0,"completion_tokens":1000,"cost_usd":0.25,"extra":{"list_price":true}}`
	)
	for _, c := range []struct {
		name, main, agent, final string
		want                     float64
		wantListed               bool
	}{
		{"steps with costs", priced, priced, `{"total_cost_usd":0.9}`, 0.5, false},
		{"a stated total", bare, bare, `{"total_cost_usd":0.9}`, 0.9, false},
		{"a total of list prices", bare, bare, `{"total_cost_usd":0.9,"extra":{"list_price":true}}`, 0.01, true},
		{"a stated total beside list prices", listed, listed, `{"total_cost_usd":0.9}`, 0.9, false},
		{"no costs", bare, bare, `{}`, 0.01, true},
	} {
		doc := `{"schema_version":"ATIF-v1.7","session_id":"s","agent":{"name":"a"},"final_metrics":` + c.final +
			`,"steps":[` + step(c.main) + `],"subagent_trajectories":[{"trajectory_id":"b","steps":[` +
			step(c.agent) + `]}]}`
		s := sourceSession("/trajectory.json", []byte(doc))
		if cost := s.Totals.Cost; cost.Total().Dollars() != c.want || cost.List > 0 != c.wantListed {
			t.Errorf("%s: got cost %+v, want %v", c.name, cost, c.want)
		}
		out, err := ATIF(s, Options{Level: Everything})
		if err != nil {
			t.Fatal(err)
		}
		var written struct {
			Final struct {
				Cost  float64 `json:"total_cost_usd"`
				Extra struct {
					Listed bool `json:"list_price"`
				} `json:"extra"`
			} `json:"final_metrics"`
		}
		if err := json.Unmarshal(out, &written); err != nil {
			t.Fatal(err)
		}
		if got := written.Final; math.Abs(got.Cost-c.want) > 1e-9 || got.Extra.Listed != c.wantListed {
			t.Errorf("%s: wrote %+v, want %v", c.name, got, c.want)
		}
	}
}

// TestTrajectoryTokens: tokens that a log states only for the whole session are written, and read again.
func TestTrajectoryTokens(t *testing.T) {
	log := strings.Join([]string{
		`{"type":"system","subtype":"init","session_id":"s","model":"claude-haiku-4-5","uuid":"1","cwd":"/w"}`,
		`{"type":"assistant","session_id":"s","uuid":"2","message":{"id":"m","role":"assistant","model":"claude-haiku-4-5","content":[{"type":"text","text":"ok"}]}}`,
		`{"type":"result","subtype":"success","session_id":"s","uuid":"3","total_cost_usd":0.5,"usage":{"input_tokens":7,"cache_read_input_tokens":20,"cache_creation_input_tokens":300,"output_tokens":4}}`,
	}, "\n")
	was := sourceSession("/s.jsonl", []byte(log))
	out, err := ATIF(was, Options{Level: Everything})
	if err != nil {
		t.Fatal(err)
	}
	is := sourceSession("/trajectory.json", out)
	u, v := was.Totals.Usage, is.Totals.Usage
	if u.Input != 7 || u.CacheRead != 20 || u.CacheWrite != 300 || u.Output != 4 || u != v {
		t.Errorf("usage %+v became %+v", u, v)
	}
	if a, b := was.Totals.Cost, is.Totals.Cost; a.Total().Dollars() != 0.5 || a != b {
		t.Errorf("cost %+v became %+v", a, b)
	}
}
