package tools

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// The agents of Codex. Since 0.144 their messages to each other are encrypted in the log.
var (
	_ = register(Tool{
		Name: "spawn_agent", Icon: "agent", Label: "Agent", Action: Delegate,
		Describe: describeSpawnAgent,
	})
	_ = codexMessage("send_input", "Message")
	_ = codexMessage("send_message", "Message")
	_ = codexMessage("followup_task", "Task")
	_ = codexMessage("close_agent", "Agent ended")
	_ = codexMessage("resume_agent", "Agent resumed")
	_ = codexMessage("interrupt_agent", "Agent stopped")
	_ = register(Tool{Name: "wait_agent", Icon: "agent", Label: "Wait", Describe: describeWaitAgent})
	_ = register(Tool{Name: "list_agents", Icon: "agent", Label: "Agents", Describe: describeWaitAgent})
)

// sealedStart is the beginning of encrypted texts.
const sealedStart = "gAAAA"

// sealed returns the size of an encrypted text in words, "" for a text that can be read.
func sealed(s string) string {
	if len(s) < 40 || !strings.HasPrefix(s, sealedStart) || strings.ContainsAny(s, " \n\t") {
		return ""
	}
	return "encrypted, " + words.Size(len(s))
}

// message adds a message to an agent.
func (c *Call) message(s, label, name string) {
	if size := sealed(s); size != "" {
		c.fact(size)
		c.given(Section{Shape: Note, Text: "The message is " + size + ": only the agents can read it."})
		return
	}
	c.given(Section{Shape: Prose, Text: s, Label: label, Name: name})
}

func describeSpawnAgent(c *Call) error {
	var in struct {
		AgentType, TaskName, Message, Model, ReasoningEffort fields.Text
		ForkContext                                          fields.Bool
		ForkTurns                                            fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Rest = true, in.Rest
	task := string(in.TaskName)
	if task == "" && sealed(string(in.Message)) == "" {
		task = firstLine(string(in.Message))
	}
	c.Target = words.Line(task, 160)
	if in.AgentType != "" {
		c.Target = words.Line(string(in.AgentType)+": "+task, 160)
	}
	for _, s := range []fields.Text{in.Model, in.ReasoningEffort} {
		c.fact(words.Line(string(s), 60))
	}
	if bool(in.ForkContext) || in.ForkTurns != "" && in.ForkTurns != "none" {
		c.fact("with the history")
	}
	agents := c.group.Agents
	if !slices.ContainsFunc(agents, func(a *normalize.Agent) bool { return begins(a, string(in.Message)) }) {
		c.message(string(in.Message), "Task", "p")
	}
	if !c.answered() {
		return nil
	}
	c.Background = true
	var res struct{ Nickname fields.Text }
	if c.result(&res) {
		c.fact(words.Line(string(res.Nickname), 40))
	}
	if len(agents) == 0 {
		c.read(Section{Shape: Any, Text: c.text()})
	}
	return nil
}

func codexMessage(name, label string) struct{} {
	return register(Tool{Name: name, Icon: "message", Label: label, Action: Delegate, Describe: describeCodexMessage})
}

func describeCodexMessage(c *Call) error {
	var in struct {
		Target, ID, Message fields.Text
		Interrupt           fields.Bool
		Items               jsontext.Value
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Rest = true, in.Rest
	c.Target = words.Line(string(in.Target+in.ID), 60)
	if in.Message != "" {
		if sealed(string(in.Message)) == "" {
			c.Target += ": " + words.Line(firstLine(string(in.Message)), 120)
		}
		c.message(string(in.Message), "", "p")
	}
	if bool(in.Interrupt) {
		c.fact("interrupts")
	}
	c.agentAnswer()
	return nil
}

func describeWaitAgent(c *Call) error {
	var in struct {
		Targets   []fields.Text
		TimeoutMs fields.Ignored
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Rest, c.Prose = in.Rest, true
	if n := len(in.Targets); n > 0 {
		c.Target = "for " + words.Plural(n, "agent", "agents")
	}
	c.agentAnswer()
	return nil
}

// agentAnswer reads the answers of agents: {"status":{"<agent>":{"completed":"…"}}}, or a text.
func (c *Call) agentAnswer() {
	if !c.answered() {
		return
	}
	v := jsontext.Value(strings.TrimSpace(c.text()))
	if transcript.Kind(v) != '{' || !v.IsValid() {
		c.anyOutput()
		return
	}
	said := false
	for name, state := range transcript.Members(v) {
		switch {
		case name == "status":
			for agent, state := range transcript.Members(state) {
				said = c.agentState(agent, state) || said
			}
		case name == "previous_status":
			said = c.agentState("", state) || said
		case name == "agents":
			var list []Field
			for a := range transcript.Elements(state) {
				list = append(list, Field{
					Name:  transcript.String(transcript.Field(a, "agent_name")),
					Value: transcript.TextOf(transcript.Field(a, "agent_status")),
				})
			}
			c.fact(words.Plural(len(list), "agent", "agents"))
			c.read(Section{Shape: Fields, List: list})
			said = true
		case name == "timed_out" && string(state) == "true":
			c.mark("timed out", Warning)
			said = true
		case name == "message":
			c.fact(words.Line(transcript.TextOf(state), 60))
			said = true
		}
	}
	if !said {
		c.anyOutput()
	}
}

// agentState adds the final state of an agent.
func (c *Call) agentState(agent string, v jsontext.Value) bool {
	if transcript.Kind(v) == '"' {
		c.fact(words.Line(transcript.String(v), 40))
		return true
	}
	said := false
	for state, answer := range transcript.Members(v) {
		text := transcript.TextOf(answer)
		if inner := transcript.String(transcript.Field(answer, "message")); inner != "" {
			text = inner
		}
		label := strings.TrimSpace(state + " " + agent)
		c.read(Section{Shape: Prose, Text: text, Label: label, Name: "a" + agent})
		said = true
	}
	return said
}
