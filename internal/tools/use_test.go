package tools

import (
	"testing"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestLostAgents: an agent counts as lost if its call ended and no log has it.
func TestLostAgents(t *testing.T) {
	const call = `{"type":"assistant","uuid":"a","timestamp":"2026-05-12T10:00:00Z","message":{"id":"m","role":` +
		`"assistant","content":[{"type":"tool_use","id":"t","name":"Task","input":{"prompt":"Oil it"}}]}}` + "\n"
	result := func(isError, structured string) string {
		return `{"type":"user","uuid":"b","timestamp":"2026-05-12T10:00:01Z","message":{"role":"user","content":[` +
			`{"type":"tool_result","tool_use_id":"t","content":"Oiled","is_error":` + isError + `}]},` +
			`"toolUseResult":` + structured + "}\n"
	}
	agent := transcript.Read("agent-x.jsonl", []byte(`{"type":"user","isSidechain":true,"agentId":"x","uuid":"c",`+
		`"timestamp":"2026-05-12T10:00:00Z","message":{"role":"user","content":"Oil it"}}`))
	const text = `{"type":"assistant","uuid":"p","timestamp":"2026-05-12T10:00:00Z","message":{"id":"n","role":` +
		`"assistant","content":[{"type":"text","text":"It works."}]}}` + "\n"
	withLog := normalize.Input{Agents: []normalize.AgentFile{{ID: "x", File: &agent}}}
	copied := normalize.Input{Shared: map[string]bool{"a": true, "p": true}}
	for name, test := range map[string]struct {
		log    string
		input  normalize.Input
		number int
	}{
		"no log":              {log: call + result("false", `{"agentId":"x"}`), number: 1},
		"a log":               {log: call + result("false", `{"agentId":"x"}`), input: withLog},
		"no answer":           {log: call},
		"failed":              {log: call + result("true", `"Error"`)},
		"of a team":           {log: call + result("false", `{"agentId":"x","status":"teammate_spawned"}`)},
		"in a copied history": {log: call + text + result("false", `{"agentId":"x"}`), input: copied},
	} {
		log := transcript.Read("s.jsonl", []byte(test.log))
		test.input.ID, test.input.Main = "s", &log
		if got := LostAgents(normalize.Build(test.input)); got != test.number {
			t.Errorf("%s: got %d, want %d", name, got, test.number)
		}
	}
}
