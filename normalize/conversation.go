package normalize

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"viewer/internal/transcript"
)

// A Conversation is a session, or an agent inside one, in reading order.
type Conversation struct {
	ID        string
	Writer    transcript.Writer // of its log
	Facts     Facts
	Turns     []*Turn
	Agents    []*Agent   // of the whole session: agents without a call
	Unseen    []*Agent   // of the whole session, with all messages hidden: warm-ups, and agents of a copied history
	Messages  []*Message // in file order, hidden ones included, without those of branches
	Order     []*Message // the same with those of branches
	TakenBack bool       // this is an attempt that was taken back
	Sent      API        // what the model would be sent next
	Derived   bool       // an agent that only progress records report: its messages have no separate records
	Problems  []transcript.Problem
}

// Input has the files of one session and facts about it.
type Input struct {
	ID     string // of the session, if its records do not say
	Main   *transcript.File
	Agents []AgentFile

	// Summaries are titles by the uuid of a record, from all files of the project.
	Summaries map[string]string

	// Title is the title that the user gave the session, from a file next to its log.
	Title string

	// Shared has the records of a copied history that another session draws.
	Shared map[string]bool

	// LogMissing means that the log of the session is missing and Main is an empty file: only agents are left.
	LogMissing bool

	// Personal means that records with account data of the user are drawn, too.
	Personal bool
}

// Build returns the conversation of a session. It cannot fail: faults in the data are problems of the conversation.
func Build(in Input) *Conversation {
	records := pointers(in.Main.Records)
	main, chains := sidechains(records)
	c := conversation(in.ID, "", main, in)
	// the file of an agent whose session is gone
	if a := newAgent(in.ID, c, nil); a.isWarmup() && c.Turns[0].Prompt[0].Record.IsSidechain {
		a.hide()
		c = conversation(in.ID, "", nil, in)
		c.Facts, c.Problems, c.Unseen = a.Conversation.Facts, a.Conversation.Problems, []*Agent{a}
		c.Facts.FirstPrompt = ""
	}
	c.Problems = append(append([]transcript.Problem(nil), in.Main.Problems...), c.Problems...)
	if len(c.Messages) > 0 && !slices.ContainsFunc(c.Messages, isOfSession) {
		c.Problems = append(c.Problems, transcript.Problem{
			Pos:  c.Messages[0].Record.Pos,
			Text: "no record is of a known kind: another program may have written this file",
		})
		if c.Writer == (transcript.Writer{}) { // what no other source recognizes is read as a log of Claude Code
			c.Writer = transcript.Writer{Name: "Unknown program", NotSent: true}
		}
	}
	// some programs continue a session in a file that is named after it: ID_1
	if id := c.Facts.SessionID; id != "" && !strings.HasPrefix(c.ID, id+"_") {
		c.ID = id
	}
	first(&c.Facts.CustomTitle, in.Title)

	agents := c.addAgents(in, chains)
	if in.LogMissing {
		c.Facts.take(agents)
	}
	c.Facts.outlast(agents)
	c.send(in.Personal)
	if n := len(c.Problems) - maxProblems; n > 0 {
		c.Problems = append(c.Problems[:maxProblems:maxProblems], transcript.Problem{
			Pos: c.Problems[maxProblems].Pos, Text: transcript.MoreProblems(n),
		})
	}
	return c
}

// isOfSession reports whether a message is of a known kind, or names a session or itself as those of new kinds do.
func isOfSession(m *Message) bool {
	return m.Kind != Unknown || m.Rule != "" || m.Record.SessionID != "" || m.Record.UUID != ""
}

// addAgents adds the agents of a session: those in the chains of its log, those with files, and those of which only
// progress is known. It returns those that are drawn.
func (c *Conversation) addAgents(in Input, chains [][]*transcript.Record) []*Agent {
	s := &agentSet{all: c.withBranches(nil), main: c, used: make(map[string]int)}
	// what applies to agents, too
	inner := Input{Personal: in.Personal, Main: &transcript.File{Writer: in.Main.Writer}, Shared: in.Shared}
	for _, chain := range chains {
		id := s.unique(deriveShortMessageId(chain[0].UUID))
		a := newAgent(id, conversation(id, id+"-", chain, inner), nil)
		a.toolUseID = callNamedBy(chain[0])
		s.add(a, nil)
	}
	for _, f := range in.Agents {
		ac := conversation(f.ID, s.unique(deriveShortMessageId(f.ID))+"-", pointers(f.File.Records), inner)
		a := newAgent(f.ID, ac, f.Meta)
		a.Run = f.Run
		if len(f.File.Records) > 0 {
			first(&a.toolUseID, callNamedBy(&f.File.Records[0]))
		}
		s.add(a, f.File.Problems)
	}
	for _, a := range s.derived(inner) {
		s.add(a, nil)
	}
	if len(s.agents) > 0 {
		c.Agents = link(s.all, s.agents)
	}
	return s.agents
}

// callNamedBy returns the call that started an agent, if the first record of the agent names it.
func callNamedBy(r *transcript.Record) string {
	if r.IsSidechain && r.Type == "progress" { // of a call in the agent
		return ""
	}
	return r.ParentToolUseID
}

// An agentSet collects the agents of a session.
type agentSet struct {
	main   *Conversation
	all    []*Conversation // of the session and of its agents, each with its branches
	agents []*Agent        // that are drawn
	used   map[string]int  // by name: the number of the last agent with it
}

// add adds an agent, and the problems of its file.
func (s *agentSet) add(a *Agent, problems []transcript.Problem) {
	s.main.Problems = append(append(s.main.Problems, problems...), a.Conversation.Problems...)
	if a.isWarmup() {
		a.hide()
	}
	if a.isHidden() {
		s.main.Unseen = append(s.main.Unseen, a)
		return
	}
	s.all = a.Conversation.withBranches(s.all)
	s.agents = append(s.agents, a)
}

// unique returns a name, with a number if another agent has it.
func (s *agentSet) unique(name string) string {
	free, n := name, max(s.used[name], 1)
	for s.used[free] > 0 {
		n++
		free = fmt.Sprintf("%s-%d", name, n)
	}
	s.used[name], s.used[free] = n, max(s.used[free], 1)
	return free
}

// maxProblems limits how many problems of a session are listed.
const maxProblems = 5000

// AsSent reports whether the log tells what the model was sent.
func (c *Conversation) AsSent() bool { return !c.Writer.NotSent }

// send computes what the model is sent, for the conversation and all inside it. What the API would refuse becomes a
// problem, unless there is such a problem already.
func (c *Conversation) send(personal bool) {
	seen := make(map[transcript.Problem]bool)
	for _, p := range c.Problems {
		seen[p] = true
	}
	if !c.AsSent() {
		return
	}
	for inner := range c.All() {
		inner.Sent = ForAPI(inner, APIOptions{Personal: personal, Agent: inner != c && !inner.TakenBack})
		for _, p := range inner.Sent.Problems {
			if !seen[p] && !inner.Derived { // whose records belong to its caller
				c.Problems = append(c.Problems, p)
			}
		}
	}
}

// withBranches appends the conversation and its branches, branches of branches
// too.
func (c *Conversation) withBranches(all []*Conversation) []*Conversation {
	all = append(all, c)
	for b := range c.Branches() {
		all = b.Conversation.withBranches(all)
	}
	return all
}

func pointers(records []transcript.Record) []*transcript.Record {
	p := make([]*transcript.Record, len(records))
	for i := range records {
		p[i] = &records[i]
	}
	return p
}

// conversation normalizes one list of records.
func conversation(id, prefix string, records []*transcript.Record, in Input) *Conversation {
	c := &Conversation{ID: id, Writer: in.Main.Writer, Messages: Split(records)}
	classify(c.Messages)
	deliverQueued(c.Messages)
	markRepeats(c.Messages)
	if in.Personal {
		showPersonal(c.Messages)
	}
	markEndings(c.Messages)
	markAdvised(c.Messages)
	names := newAnchors(prefix, len(records))
	for _, m := range c.Messages {
		if m.Rule == "" || m.Kind == Progress { // which a call without result shows
			m.Anchor = names.of(m.Record, m.Part)
		}
	}
	markShared(c.Messages, in.Shared)
	// This comes after the anchors, because hidden records had one while the file was shorter.
	hidePointers(c.Messages)
	withdrawn := withdraw(c.Messages)
	markRepeatedPrompts(c.Messages)
	markStarts(c.Messages)
	c.assemble(0)
	c.Problems = append(withdrawn, c.Problems...)
	c.Facts = gather(c.Order, in.Summaries, in.Shared)
	c.Facts.FirstPrompt = cmp.Or(firstPrompt(c.Messages), firstPrompt(c.Order))
	return c
}

// assemble makes turns of the messages, and a conversation of each attempt that was taken back.
func (c *Conversation) assemble(nesting int) {
	c.Order = c.Messages
	main, taken := c.Messages, [][]*Message(nil)
	if nesting < maxNesting {
		if c.Writer.Tree && len(c.Messages) > 0 {
			main, taken = leftPaths(c.Messages)
		} else {
			kept, ends := splitMarked(c.Messages)
			main, taken = splitTakenBack(kept)
			taken = append(taken, ends...)
		}
	}
	c.Messages = main
	items, problems := GroupCalls(main)
	c.Problems = problems
	c.Turns = turns(main, items)
	if len(taken) == 0 {
		return
	}
	branches := make([]*Branch, 0, len(taken))
	for _, messages := range taken {
		b := &Branch{&Conversation{ID: c.ID, Writer: c.Writer, Messages: messages, TakenBack: true}}
		b.Conversation.assemble(nesting + 1)
		b.Conversation.Facts.Start, b.Conversation.Facts.End = span(messages)
		c.Problems = append(c.Problems, b.Conversation.Problems...)
		branches = append(branches, b)
	}
	c.place(branches)
}

// place adds attempts that were taken back to the end of the turn in which they began: the last turn that began before.
// Both lists are in file order, so one pass finds all places.
func (c *Conversation) place(branches []*Branch) {
	order := make(map[*Message]int, len(c.Order))
	for i, m := range c.Order {
		order[m] = i
	}
	at := 0
	for _, b := range branches {
		for at+1 < len(c.Turns) && order[c.Turns[at+1].Messages[0]] < order[b.Head()] {
			at++
		}
		c.Turns[at].Items = append(c.Turns[at].Items, b)
	}
}

// markShared hides messages that another session draws. A call stays if its result is only in this session.
func markShared(messages []*Message, shared map[string]bool) {
	if len(shared) == 0 {
		return
	}
	answered := make(map[string]bool) // here
	for _, m := range messages {
		if m.Kind == Result && !shared[m.Record.UUID] {
			answered[m.Block.ToolUseID] = true
		}
	}
	for _, m := range messages {
		if shared[m.Record.UUID] && m.Rule == "" && !(m.Kind == Call && answered[m.Block.ID]) {
			m.Rule = ruleShared
		}
	}
}

// Groups yields the calls of the conversation in reading order, without those
// of the agents inside.
func (c *Conversation) Groups() iter.Seq[*Group] { return itemsOf[*Group](c) }

// Branches yields the attempts that were taken back, in reading order.
func (c *Conversation) Branches() iter.Seq[*Branch] { return itemsOf[*Branch](c) }

// itemsOf yields the items of one type.
func itemsOf[T Item](c *Conversation) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, t := range c.Turns {
			for _, item := range t.Items {
				if i, ok := item.(T); ok && !yield(i) {
					return
				}
			}
		}
	}
}

// All yields the conversation and those of its agents and branches, nested ones included,
// in reading order, and then those that are hidden.
func (c *Conversation) All() iter.Seq[*Conversation] {
	return func(yield func(*Conversation) bool) { c.all(yield) }
}

// Kept yields the conversations that All yields, without attempts that were taken back.
func (c *Conversation) Kept() iter.Seq[*Conversation] {
	return func(yield func(*Conversation) bool) {
		c.all(func(inner *Conversation) bool { return inner.TakenBack || yield(inner) })
	}
}

func (c *Conversation) all(yield func(*Conversation) bool) bool {
	if !yield(c) {
		return false
	}
	for g := range c.Groups() {
		for _, a := range g.Agents {
			if !a.Conversation.all(yield) {
				return false
			}
		}
	}
	for b := range c.Branches() {
		if !b.Conversation.all(yield) {
			return false
		}
	}
	for _, a := range append(c.Agents[:len(c.Agents):len(c.Agents)], c.Unseen...) {
		if !a.Conversation.all(yield) {
			return false
		}
	}
	return true
}

// Prompts returns the number of human prompts, including queued ones and those that were taken back, without the
// prompts of agents.
func (c *Conversation) Prompts() int {
	n := 0
	var counted *transcript.Record // the parts of a prompt are one prompt
	for _, m := range c.Order {
		if m.Kind == Prompt && m.Rule == "" && m.Record != counted {
			counted = m.Record
			n++
		}
	}
	return n
}

func (c *Conversation) holds(g *Group) bool {
	for mine := range c.Groups() {
		if mine == g {
			return true
		}
	}
	for b := range c.Branches() {
		if b.Conversation.holds(g) {
			return true
		}
	}
	return false
}

// firstText returns the prompt that an agent was started with.
func (c *Conversation) firstText() string {
	for _, m := range c.Messages {
		if m.Kind == Prompt && m.Record.Message != nil && len(m.Record.Message.Content) > 0 {
			return m.Record.Message.Content[0].Text
		}
	}
	return ""
}
