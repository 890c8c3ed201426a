package normalize

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// An Agent is a conversation inside a session: a separate file, or records marked as sidechain in the main file.
type Agent struct {
	ID           string
	Type         string // "Explore", "general-purpose" ...; "" if unknown
	Description  string
	Run          string // of the workflow that it belongs to
	Phase        string // of that workflow
	Conversation *Conversation

	toolUseID string
	linked    bool
}

// An AgentFile is the file of one agent with the contents of its side file.
type AgentFile struct {
	ID   string // from the file's name: agent-<id>.jsonl
	File *transcript.File
	Meta jsontext.Value // agent-<id>.meta.json
	Run  string         // the folder below subagents/workflows that it is in
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
		case "workflowPhase":
			a.Phase = transcript.String(value)
		}
	}
	return a
}

// isWarmup recognizes the agents of 2.0.28 to 2.0.42 that were started only to warm a cache: one prompt "Warmup", one
// reply, no calls.
func (a *Agent) isWarmup() bool {
	c := a.Conversation
	if len(c.Turns) != 1 || !c.Turns[0].Asked() || strings.TrimSpace(c.Turns[0].Prompt[0].Text) != "Warmup" {
		return false
	}
	for range c.Groups() {
		return false
	}
	return true
}

// hide hides all messages of a warm-up.
func (a *Agent) hide() {
	for _, m := range a.Conversation.Messages {
		m.Rule = ruleWarmup
	}
}

// isHidden reports whether nothing of the agent is drawn, because it is a warm-up or another session draws it.
func (a *Agent) isHidden() bool {
	for _, m := range a.Conversation.Order {
		if m.Rule != ruleWarmup && m.Rule != ruleShared {
			return false
		}
	}
	return len(a.Conversation.Order) > 0
}

// link assigns each agent to the call that started it, by the first of these that applies: the side file names the
// call; the result names the agent, as a field or in its text; a progress record names both; the prompts are the same.
// It returns the agents that it cannot assign.
func link(all []*Conversation, agents []*Agent) []*Agent {
	x := indexStarts(all)
	for _, a := range agents {
		for _, g := range []*Group{
			x.byCall[a.toolUseID], x.byResult[a.ID], x.byText[a.ID], x.byProgress[a.ID], x.byRun[a.Run],
		} {
			if a.mayBeOf(g) {
				a.attach(g)
				break
			}
		}
	}
	var rest []*Agent
	for _, a := range agents {
		if !a.linked && !x.linkByPrompt(a) {
			rest = append(rest, a)
		}
	}
	rest = append(rest, breakCycles(all, agents)...)
	noteResumed(x.resuming, agents)
	return rest
}

// A startIndex holds the calls that may have started an agent, by what tells.
type startIndex struct {
	byCall                       startsBy                 // by id of the call
	byResult, byText, byProgress startsBy                 // by id of the agent
	byRun                        startsBy                 // by workflow run
	byPrompt                     map[string][]promptStart // by prompt, white space collapsed
	resuming                     []naming                 // calls whose results name an agent
}

type startsBy map[string]*Group

// note notes a call. The first one started an agent; later ones resume it.
func (by startsBy) note(id string, g *Group) {
	if id != "" && by[id] == nil {
		by[id] = g
	}
}

func indexStarts(all []*Conversation) *startIndex {
	x := &startIndex{byCall: make(startsBy), byResult: make(startsBy), byText: make(startsBy),
		byProgress: make(startsBy), byRun: make(startsBy), byPrompt: make(map[string][]promptStart)}
	for _, c := range all {
		for g := range c.Groups() {
			x.add(g)
		}
		for _, m := range c.Messages {
			if m.Record.DataType == "agent_progress" {
				if g := x.byCall[m.Record.ParentToolUseID]; g != nil {
					x.byProgress.note(transcript.String(transcript.Field(m.Record.Data, "agentId")), g)
				}
			}
		}
	}
	return x
}

func (x *startIndex) add(g *Group) {
	var agent, run string
	if g.Result != nil {
		if agent, run = named(g.Result.Structured()); agent != "" {
			x.resuming = append(x.resuming, naming{g, agent})
		}
	}
	if g.Call == nil {
		return
	}
	x.byCall.note(g.Call.Block.ID, g)
	if g.Result != nil {
		x.byResult.note(agent, g)
		x.byRun.note(run, g)
		x.byText.note(agentInText(g.Result.Block), g)
	}
	for name, v := range transcript.QuotedMembers(g.Call.Block.Input) {
		switch string(name) {
		case `"prompt"`, `"goal"`:
			x.addPrompt(g, v, false)
		case `"stages"`:
			for stage := range transcript.Elements(v) {
				x.addPrompt(g, transcript.Field(stage, "prompt_template"), true)
			}
		case `"tasks"`:
			for task := range transcript.Elements(v) {
				x.addPrompt(g, transcript.Field(task, "goal"), true)
			}
		}
	}
}

// A promptStart is a call with a prompt for an agent, or for one of several.
type promptStart struct {
	group   *Group
	several bool
}

func (x *startIndex) addPrompt(g *Group, v jsontext.Value, several bool) {
	if prompt := transcript.String(v); prompt != "" {
		key := collapse(prompt)
		x.byPrompt[key] = append(x.byPrompt[key], promptStart{g, several})
	}
}

// linkByPrompt assigns an agent to the first call with its prompt that has none, and reports whether there is one.
func (x *startIndex) linkByPrompt(a *Agent) bool {
	key := collapse(a.Conversation.firstText())
	for i, p := range x.byPrompt[key] {
		if key != "" && (p.several || len(p.group.Agents) == 0) && a.mayBeOf(p.group) {
			a.attach(p.group)
			x.byPrompt[key] = append(x.byPrompt[key][:i:i], x.byPrompt[key][i+1:]...)
			return true
		}
	}
	return false
}

// mayBeOf reports whether a call, which may be nil, can have started the agent: an agent is never inside itself.
func (a *Agent) mayBeOf(g *Group) bool { return g != nil && !a.Conversation.holds(g) }

func (a *Agent) attach(g *Group) {
	g.Agents = append(g.Agents, a)
	a.linked = true
	a.nameAfter(g.Call)
}

// A naming is a call, and the agent that its result names.
type naming struct {
	group *Group
	agent string
}

// noteResumed finds the calls that resume an agent of an earlier call: their results name it.
func noteResumed(calls []naming, agents []*Agent) {
	byID := make(map[string]*Agent)
	for _, a := range agents {
		byID[a.ID] = a
	}
	for _, n := range calls {
		a := byID[n.agent]
		if a != nil && a.linked && !slices.Contains(n.group.Agents, a) {
			n.group.Resumes = a
		}
	}
}

// named returns the agent that a structured result names, and the run of a workflow: the name of the folder of its
// agents. Most results are large and name none, so members are read only if their names occur.
func named(result jsontext.Value) (agent, run string) {
	for at := 0; ; at++ {
		// capitals are rarer in texts than the letters before this
		next := bytes.Index(result[at:], []byte(`Id"`))
		if next < 0 {
			return "", ""
		}
		at += next
		if before := result[:at]; bytes.HasSuffix(before, []byte(`"agent`)) || bytes.HasSuffix(before, []byte(`"run`)) {
			return transcript.String(transcript.Field(result, "agentId")),
				transcript.String(transcript.Field(result, "runId"))
		}
	}
}

// breakCycles returns the agents that were only assigned to calls of each other: otherwise forged or damaged files
// could hide them from the page.
func breakCycles(all []*Conversation, agents []*Agent) []*Agent {
	reached := make(map[*Agent]bool)
	var walk func(c *Conversation)
	walk = func(c *Conversation) {
		for b := range c.Branches() {
			walk(b.Conversation)
		}
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

// agentInText returns the agent that the text of a result names: "agentId: a2018e5".
func agentInText(result *transcript.Block) string {
	for _, b := range result.Content {
		if _, after, ok := strings.Cut(b.Text, "agentId: "); ok {
			end := 0
			for end < len(after) && (after[end] == '-' || '0' <= after[end] && after[end] <= '9' ||
				'a' <= after[end]|0x20 && after[end]|0x20 <= 'z') {
				end++
			}
			return after[:end]
		}
	}
	return ""
}

func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// sidechains separates the records of inline agents from the main conversation: one list for each, in file order;
// several agents interleave. Those of 1.0.x are joined through their parents; those of an SDK stream name their call.
func sidechains(records []*transcript.Record) (main []*transcript.Record, chains [][]*transcript.Record) {
	if !slices.ContainsFunc(records, isInside) { // as in most files
		return records, nil
	}
	chat := false
	parent := make(map[string]string) // of the sidechain records
	outside := map[string]bool{"": true}
	for _, r := range records {
		if !isInside(r) {
			chat = chat || r.Type == "user" || r.Type == "assistant"
			outside[r.UUID] = true
		} else if _, ok := parent[r.UUID]; !ok && r.UUID != "" {
			parent[r.UUID] = r.ParentUUID
		}
	}
	if !chat { // the file of an agent without its session
		return records, nil
	}
	roots := sidechainRoots{parent, outside, make(map[string]string)}
	index := make(map[string]int) // the chain of a call or of a root
	for _, r := range records {
		if !isInside(r) {
			main = append(main, r)
			continue
		}
		key := "" // a record of unknown origin
		switch {
		case r.IsSidechain && r.UUID != "":
			key = "record " + roots.of(r.UUID)
		case r.IsSidechain && !outside[r.ParentUUID]:
			key = "record " + roots.of(r.ParentUUID)
		case !r.IsSidechain:
			key = "call " + r.ParentToolUseID
		}
		at, ok := index[key]
		if !ok || key == "" {
			at = len(chains)
			index[key] = at
			chains = append(chains, nil)
		}
		chains[at] = append(chains[at], r)
	}
	return main, chains
}

// sidechainRoots finds the first record of the agent that a record belongs to.
type sidechainRoots struct {
	parent  map[string]string // of the records of agents
	outside map[string]bool   // the records of the main conversation
	found   map[string]string // the roots found so far, by id
}

func (r sidechainRoots) of(id string) string {
	var path []string
	for {
		if first, ok := r.found[id]; ok {
			id = first
			break
		}
		path = append(path, id)
		r.found[id] = id // a cycle ends here
		up := r.parent[id]
		if r.outside[up] {
			break
		}
		id = up // also a parent that comes later in the file
	}
	for _, p := range path {
		r.found[p] = id
	}
	return id
}

// isInside reports whether a record of the main file belongs to an agent.
func isInside(r *transcript.Record) bool {
	return r.IsSidechain || r.ParentToolUseID != "" && (r.Type == "user" || r.Type == "assistant")
}

// nameAfter copies the type and the description of an agent from its call if the agent has none, so that both have the
// same name.
func (a *Agent) nameAfter(call *Message) {
	if call == nil || call.Block == nil {
		return
	}
	for _, name := range []string{"subagent_type", "agent_type"} { // as other writers call it
		a.Type = cmp.Or(a.Type, transcript.String(transcript.Field(call.Block.Input, name)))
	}
	for _, name := range []string{"description", "task_name"} {
		a.Description = cmp.Or(a.Description, transcript.String(transcript.Field(call.Block.Input, name)))
	}
}
