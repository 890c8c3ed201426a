package render

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/tools"
	"viewer/normalize"
)

// A phase is one step of a workflow with the agents that worked in it.
type phase struct {
	Name   string
	Agents []phaseAgent
}

type phaseAgent struct {
	Name, Href string // Href is "" if the agent has no log
	Look       string
	Facts      string
}

// workflowLabels returns the labels of agents from finished runs, by the id of the agent.
func workflowLabels(runs map[string]jsontext.Value) map[string]string {
	labels := make(map[string]string)
	for _, id := range slices.Sorted(maps.Keys(runs)) {
		var run tools.WorkflowRun
		if decode(runs[id], &run) != nil {
			continue
		}
		for _, p := range run.WorkflowProgress {
			if p.Type == "workflow_agent" && p.AgentID != "" {
				labels[string(p.AgentID)] = oneLine(string(p.Label), 120)
			}
		}
	}
	return labels
}

// phases lists the agents of a run by phase, from the summary of the run and, if it lacks them, from the agents
// themselves.
func (p *pageState) phases(run tools.WorkflowRun, agents []*normalize.Agent) []phase {
	var all []phase
	add := func(name string, a phaseAgent) {
		for i := range all {
			if all[i].Name == name {
				all[i].Agents = append(all[i].Agents, a)
				return
			}
		}
		all = append(all, phase{name, []phaseAgent{a}})
	}
	for _, w := range run.Phases {
		all = append(all, phase{Name: oneLine(string(w.Title), 80)})
	}
	known := make(map[string]bool)
	for _, w := range run.WorkflowProgress {
		if w.Type != "workflow_agent" {
			continue
		}
		known[string(w.AgentID)] = true
		a := phaseAgent{Name: oneLine(string(w.Label), 80)}
		if a.Name == "" {
			a.Name = "agent " + oneLine(string(w.AgentID), 20)
		}
		for _, agent := range agents {
			if agent.ID == string(w.AgentID) {
				a.Href = p.agentHref(agent)
			}
		}
		a.Facts, a.Look = workflowFacts(w)
		add(oneLine(string(w.PhaseTitle), 80), a)
	}
	for _, agent := range agents {
		if known[agent.ID] {
			continue
		}
		var said []string
		for _, f := range p.agentFacts(agent) {
			said = append(said, f.Text)
		}
		name := p.agentTask(agent)
		if name == "" {
			name = "agent " + oneLine(agent.ID, 20)
		}
		add(oneLine(agent.Phase, 80), phaseAgent{Name: name, Href: p.agentHref(agent),
			Facts: strings.Join(said, dot)})
	}
	for i := range all {
		all[i].Name = cmp.Or(all[i].Name, "Agents")
	}
	return all
}

// agentHref returns the address of an agent, on the same page or on a separate one.
func (p *pageState) agentHref(a *normalize.Agent) string {
	in := p.ofAgent(a)
	if in.hasPages {
		return p.base + pageName(in, 0)
	}
	return "#agent-" + in.name
}

// workflowFacts returns what the summary of a run says of an agent, and the look of that.
func workflowFacts(w tools.WorkflowStep) (facts, look string) {
	var said []string
	if w.ToolCalls > 0 {
		said = append(said, plural(int(w.ToolCalls), "call", "calls"))
	}
	if w.Tokens > 0 {
		said = append(said, short(int64(w.Tokens))+" tokens")
	}
	if w.DurationMs > 0 {
		said = append(said, millis(float64(w.DurationMs)))
	}
	if w.State != "" && w.State != "done" {
		said = append(said, oneLine(string(w.State), 40))
		look = "bad"
	}
	return strings.Join(said, dot), look
}
