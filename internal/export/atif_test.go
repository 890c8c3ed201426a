package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"viewer/internal/testing/schemacheck"
	"viewer/normalize"
)

// TestATIFSchema validates the trajectory of every session, and checks properties that a schema cannot express.
func TestATIFSchema(t *testing.T) {
	schema := schemacheck.LoadFile(t, "testdata/atif.schema.json")
	eachSession(t, func(name string, s Session) {
		for _, level := range []Level{Tools, Everything} {
			data, err := ATIF(s, Options{Level: level})
			if errors.Is(err, errNoSteps) {
				continue
			}
			if err == nil {
				err = checkTrajectory(schema, data)
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			countTrajectory(t, name, s.Conversation, data)
		}
	})
}

// checkTrajectory validates a trajectory by the schema, and checks the numbers of steps, the calls of results, and the
// ids of agents.
func checkTrajectory(schema *jsonschema.Schema, data []byte) error {
	if err := schemacheck.Validate(schema, data); err != nil {
		return err
	}
	var t readTrajectory
	if err := json.Unmarshal(data, &t); err != nil {
		return err
	}
	return t.check()
}

// A readTrajectory has the parts of a trajectory that are checked beyond the schema.
type readTrajectory struct {
	ID    string `json:"trajectory_id"`
	Steps []struct {
		ID    int `json:"step_id"`
		Calls []struct {
			ID string `json:"tool_call_id"`
		} `json:"tool_calls"`
		Observation struct {
			Results []struct {
				Call string `json:"source_call_id"`
			}
		}
	}
	Agents []readTrajectory `json:"subagent_trajectories"`
}

func (t *readTrajectory) check() error {
	for i, s := range t.Steps {
		if s.ID != i+1 {
			return fmt.Errorf("step %d has the number %d", i+1, s.ID)
		}
		calls := make(map[string]bool)
		for _, c := range s.Calls {
			calls[c.ID] = true
		}
		for _, r := range s.Observation.Results {
			if r.Call != "" && !calls[r.Call] {
				return fmt.Errorf("step %d: a result of the call %s, which is not of the step", s.ID, r.Call)
			}
		}
	}
	ids := make(map[string]bool)
	for i := range t.Agents {
		a := &t.Agents[i]
		if ids[a.ID] {
			return fmt.Errorf("two agents have the id %s", a.ID)
		}
		ids[a.ID] = true
		if err := a.check(); err != nil {
			return fmt.Errorf("%s: %w", a.ID, err)
		}
	}
	return nil
}

// countTrajectory counts prompts, calls and results of a trajectory, including agents, without code of the exporter.
func countTrajectory(t *testing.T, name string, c *normalize.Conversation, data []byte) {
	t.Helper()
	var want, got struct{ calls, results, prompts int }
	count := func(c *normalize.Conversation) {
		for g := range c.Groups() {
			if g.Call != nil {
				want.calls++
			}
			if g.Result != nil {
				want.results++
			}
		}
		seen := make(map[any]bool)
		for _, turn := range c.Turns {
			for _, m := range turn.Messages {
				if m.Kind == normalize.Prompt && m.Rule == "" && !seen[m.Record] {
					seen[m.Record] = true
					want.prompts++
				}
			}
		}
	}
	var inside func(c *normalize.Conversation)
	inside = func(c *normalize.Conversation) {
		count(c)
		for g := range c.Groups() {
			for _, a := range g.Agents {
				inside(a.Conversation)
			}
		}
	}
	inside(c)
	for _, a := range c.Agents {
		inside(a.Conversation)
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	eachObject(v, func(o map[string]any) {
		if calls, ok := o["tool_calls"].([]any); ok {
			got.calls += len(calls)
		}
		more, _ := o["extra"].(map[string]any)
		if o["source"] == "user" && more["kind"] == nil {
			got.prompts++
		}
		_, named := o["source_call_id"]
		if _, content := o["content"]; content && (named || more["tool_call_id"] != nil) {
			got.results++
		}
	})
	if got != want {
		t.Errorf("%s: the trajectory has %+v, want %+v as in the session", name, got, want)
	}
}

// eachObject calls do for the objects of a trajectory, but not for those in arguments.
func eachObject(v any, do func(map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		do(v)
		for name, inner := range v {
			if name != "arguments" && name != "extra" {
				eachObject(inner, do)
			}
		}
	case []any:
		for _, inner := range v {
			eachObject(inner, do)
		}
	}
}

// TestATIFRejects: the check rejects invalid trajectories.
func TestATIFRejects(t *testing.T) {
	schema := schemacheck.LoadFile(t, "testdata/atif.schema.json")
	s := session("/a.jsonl", []byte(`{"type":"user","uuid":"u","message":{"content":"x"}}
{"type":"assistant","uuid":"v","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]}}
{"type":"user","uuid":"w","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"a"}]}}`))
	good, err := ATIF(s, Options{Level: Tools})
	if err != nil {
		t.Fatal(err)
	}
	if err := checkTrajectory(schema, good); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new string }{
		{`"ATIF-v1.7"`, `"ATIF-v2.0"`},
		{`"source": "user"`, `"source": "human"`},
		{`"source": "agent"`, `"source": "user"`},
		{`"step_id": 2`, `"step_id": 3`},
		{`"source_call_id": "t"`, `"source_call_id": "u"`},
		{`"arguments": {`, `"argument": {`},
		{`"message": "x"`, `"message": {}`},
	} {
		bad := strings.Replace(string(good), c.old, c.new, 1)
		if bad == string(good) {
			t.Fatalf("the trajectory lacks %s:\n%s", c.old, good)
		}
		if checkTrajectory(schema, []byte(bad)) == nil {
			t.Errorf("the check accepts %s", c.new)
		}
	}
}
