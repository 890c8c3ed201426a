package render

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/stats"
	"viewer/normalize"
)

// TestWorkflowNamesAgents: an agent has the name that its workflow gave it, unless its caller described it.
func TestWorkflowNamesAgents(t *testing.T) {
	d := testDrawer(new(normalize.Conversation), stats.Prices{})
	d.labels = workflowLabels(map[string]jsontext.Value{
		"wf_1": jsontext.Value(`{"workflowProgress":[{"type":"workflow_agent","agentId":"a1","label":"review: <tide>"},{"type":"workflow_phase","agentId":"a2","label":"no agent"}]}`),
		"wf_2": jsontext.Value(`"no run"`),
	})
	c := new(normalize.Conversation)
	c.Facts.FirstPrompt = "Look at the tide."
	for want, a := range map[string]*normalize.Agent{
		"scout: review: <tide>":    {ID: "a1", Type: "scout", Conversation: c},
		"Agent: Look at the tide.": {ID: "a2", Conversation: c},
		"Agent: its own words":     {ID: "a1", Description: "its own words", Conversation: c},
	} {
		if got := d.agentName(a); got != want {
			t.Errorf("the name of %s is %q, want %q", a.ID, got, want)
		}
	}
}
