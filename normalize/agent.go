package normalize

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/transcript"
)

// An Agent is a conversation inside a session: a file of its own, or records
// marked as sidechain in the main file.
type Agent struct {
	ID           string
	Type         string // "Explore", "general-purpose" ...; "" when nothing says
	Description  string
	Conversation *Conversation

	toolUseID string
	linked    bool
}

// An AgentFile is the file of one agent and its side file, nil when there is none.
type AgentFile struct {
	ID   string // from the file's name: agent-<id>.jsonl
	File *transcript.File
	Meta jsontext.Value // agent-<id>.meta.json
}

func newAgent(id string, conversation *Conversation, meta jsontext.Value) *Agent {
	a := &Agent{ID: id, Conversation: conversation}
	for name, value := range transcript.Members(meta) {
		switch name {
		case "agentType":
			a.Type = transcript.String(value)
		case "description":
			a.Description = transcript.String(value)
		case "toolUseId":
			a.toolUseID = transcript.String(value)
		}
	}
	return a
}

// isWarmup recognises the agents of 2.0.28 to 2.0.42 that were only started to
// warm a cache: one "Warmup", one reply.
func (a *Agent) isWarmup() bool {
	c := a.Conversation
	return len(c.Turns) == 1 && c.Turns[0].Asked() && strings.TrimSpace(c.Turns[0].Prompt[0].Text) == "Warmup"
}

// link hangs each agent under the call that started it, in the order of
// evidence of the format, section 16: the side file names the call; the result
// names the agent; a progress record names both; the prompts are the same. It
// returns the agents for which nothing speaks.
func link(all []*Conversation, agents []*Agent) []*Agent {
	groups := make(map[string]*Group)     // by call id
	byAgent := make(map[string]*Group)    // by agent id
	byPrompt := make(map[string][]*Group) // by prompt, white space collapsed
	for _, c := range all {
		for g := range c.Groups() {
			if g.Call == nil {
				continue
			}
			groups[g.Call.Block.ID] = g
			if id := startedAgent(g); id != "" && byAgent[id] == nil {
				byAgent[id] = g
			}
			if prompt := transcript.String(transcript.Field(g.Call.Block.Input, "prompt")); prompt != "" {
				key := collapse(prompt)
				byPrompt[key] = append(byPrompt[key], g)
			}
		}
		for _, m := range c.Messages {
			if m.Record.DataType == "agent_progress" {
				id := transcript.String(transcript.Field(m.Record.Data, "agentId"))
				if g := groups[m.Record.ParentToolUseID]; g != nil && id != "" && byAgent[id] == nil {
					byAgent[id] = g
				}
			}
		}
	}
	own := func(a *Agent, g *Group) bool { // an agent never hangs under itself
		return g != nil && !a.Conversation.holds(g)
	}
	attach := func(a *Agent, g *Group) {
		g.Agents = append(g.Agents, a)
		a.linked = true
	}
	for _, a := range agents {
		if g := groups[a.toolUseID]; own(a, g) {
			attach(a, g)
		} else if g := byAgent[a.ID]; own(a, g) {
			attach(a, g)
		}
	}
	var rest []*Agent
	for _, a := range agents {
		if a.linked {
			continue
		}
		key := collapse(a.Conversation.firstText())
		for i, g := range byPrompt[key] {
			if key != "" && len(g.Agents) == 0 && own(a, g) {
				attach(a, g)
				byPrompt[key] = append(byPrompt[key][:i:i], byPrompt[key][i+1:]...)
				break
			}
		}
		if !a.linked {
			rest = append(rest, a)
		}
	}
	return append(rest, breakCycles(all, agents)...)
}

// breakCycles takes out agents that hang only under each other: forged or
// damaged files could otherwise hide them from the page.
func breakCycles(all []*Conversation, agents []*Agent) []*Agent {
	reached := make(map[*Agent]bool)
	var walk func(c *Conversation)
	walk = func(c *Conversation) {
		for g := range c.Groups() {
			for _, a := range g.Agents {
				if !reached[a] {
					reached[a] = true
					walk(a.Conversation)
				}
			}
		}
	}
	walk(all[0])
	for _, a := range agents {
		if !a.linked {
			walk(a.Conversation)
		}
	}
	var cut []*Agent
	for _, a := range agents {
		if a.linked && !reached[a] {
			for _, c := range all {
				for g := range c.Groups() {
					g.Agents = without(g.Agents, a)
				}
			}
			a.linked = false
			reached[a] = true
			walk(a.Conversation)
			cut = append(cut, a)
		}
	}
	return cut
}

func without(agents []*Agent, a *Agent) []*Agent {
	for i := range agents {
		if agents[i] == a {
			return append(agents[:i:i], agents[i+1:]...)
		}
	}
	return agents
}

// startedAgent is the agent that a result says was started: in its structured
// form, or in its text as "agentId: a2018e5".
func startedAgent(g *Group) string {
	if g.Result == nil {
		return ""
	}
	if id := transcript.String(transcript.Field(g.Result.Record.ToolUseResult, "agentId")); id != "" {
		return id
	}
	for _, b := range g.Result.Block.Content {
		if _, after, ok := strings.Cut(b.Text, "agentId: "); ok {
			end := 0
			for end < len(after) && (after[end] == '-' || '0' <= after[end] && after[end] <= '9' || 'a' <= after[end]|0x20 && after[end]|0x20 <= 'z') {
				end++
			}
			return after[:end]
		}
	}
	return ""
}

func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// sidechains separates the records of inline agents (1.0.x) from the main
// conversation: one list for each root, in file order. Records are joined
// through their parents; several agents interleave.
func sidechains(records []*transcript.Record) (main []*transcript.Record, chains [][]*transcript.Record) {
	chat := false
	for _, r := range records {
		chat = chat || !r.IsSidechain && (r.Type == "user" || r.Type == "assistant")
	}
	if !chat { // the file of an agent, given by itself
		return records, nil
	}
	index := make(map[string]int) // uuid of a sidechain record -> its chain
	for _, r := range records {
		if !r.IsSidechain {
			main = append(main, r)
			continue
		}
		at, known := index[r.ParentUUID]
		if !known || r.ParentUUID == "" {
			at = len(chains)
			chains = append(chains, nil)
		}
		if r.UUID != "" {
			index[r.UUID] = at
		}
		chains[at] = append(chains[at], r)
	}
	return main, chains
}
