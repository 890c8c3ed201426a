package tools

import (
	"slices"
	"strings"

	"viewer/internal/fields"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// The tool was called Task until 2.1.50. Copilot calls it task, Qwen Code agent.
var (
	_ = register(Tool{Name: "Agent", Icon: "agent", Label: "Agent", Action: Delegate, Describe: describeAgent})
	_ = register(Tool{Name: "Task", Icon: "agent", Label: "Agent", Action: Delegate, Describe: describeAgent})
	_ = register(Tool{Name: "agent", Icon: "agent", Label: "Agent", Action: Delegate, Describe: describeAgent})
	_ = register(Tool{Name: "task", Icon: "agent", Label: "Agent", Action: Delegate, Describe: describeAgent})
)

type agentResult struct {
	Status, AgentID, ResolvedModel fields.Text
	Content                        []struct{ Text fields.Text }
	TotalDurationMs, TotalTokens   fields.Number
	TotalToolUseCount              fields.Number
	IsAsync                        fields.Bool
}

func describeAgent(c *Call) error {
	var in struct {
		Description, Prompt, SubagentType, AgentType, Agent fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Description, c.Rest = true, string(in.Description), in.Rest
	c.target("description", c.Description, 160)
	if c.Description == "" { // of Crush
		c.Target = words.Line(firstLine(string(in.Prompt)), 160)
	}
	agents := c.group.Agents
	kind := string(in.SubagentType + in.AgentType + in.Agent)
	if kind == "" && len(agents) == 1 { // the log of the agent knows what the program chose
		kind = agents[0].Type
	}
	if kind != "" {
		c.Target = kind + ": " + c.Target
	}
	if !slices.ContainsFunc(agents, func(a *normalize.Agent) bool { return begins(a, string(in.Prompt)) }) {
		c.given(Section{Shape: Prose, Text: string(in.Prompt), Label: "Task", Name: "p"})
	}
	if !c.answered() {
		return nil
	}
	var res agentResult
	known := c.result(&res)
	if known && res.TotalToolUseCount > 0 {
		c.fact(words.Plural(int(res.TotalToolUseCount), "call", "calls"))
	}
	if known && res.TotalTokens > 0 {
		c.fact(words.Short(int64(res.TotalTokens)) + " tokens")
	}
	switch {
	case known && (bool(res.IsAsync) || res.Status == "async_launched"):
		c.runsOn("in background")
		c.read(Section{Text: c.text()})
		return nil
	case known && res.Status == "teammate_spawned":
		c.mark("joined the team", Neutral)
		c.read(Section{Text: c.text()})
		return nil
	case known && res.TotalDurationMs > 0:
		c.lasted(float64(res.TotalDurationMs))
	}
	var answer []string
	for _, b := range res.Content {
		answer = append(answer, string(b.Text))
	}
	if len(answer) == 0 {
		answer = []string{c.text()}
	}
	whole := strings.Join(answer, "\n\n")
	if !slices.ContainsFunc(agents, func(a *normalize.Agent) bool { return ends(a, whole) }) {
		c.read(Section{Shape: Prose, Text: whole, Label: "Answer", Name: "a"})
	}
	return nil
}

// begins reports whether text is the prompt of an agent.
func begins(a *normalize.Agent, text string) bool {
	for _, t := range a.Conversation.Turns {
		if t.Asked() {
			return slices.ContainsFunc(t.Prompt, func(m *normalize.Message) bool { return sameWords(m.Text, text) })
		}
	}
	return false
}

// ends reports whether an agent, or its work until it was resumed, ended with this text. The last text of an agent that
// is known only by its steps does not count.
func ends(a *normalize.Agent, text string) bool {
	return slices.ContainsFunc(a.Conversation.Turns, func(t *normalize.Turn) bool {
		return sameWords(lastText(t), text)
	})
}

// lastText returns the text at the end of a turn, which may have several blocks.
func lastText(t *normalize.Turn) string {
	var blocks []string
	var of *transcript.Message
	for _, item := range slices.Backward(t.Items) {
		m, ok := item.(*normalize.Message)
		switch {
		case !ok && of == nil, ok && m.Kind != normalize.Text:
			continue
		case !ok, of != nil && (m.Record.Message == nil || m.Record.Message.ID != of.ID):
			return strings.Join(blocks, "\n\n")
		}
		if blocks = append([]string{m.Text}, blocks...); m.Record.Message == nil {
			return m.Text
		}
		of = m.Record.Message
	}
	return strings.Join(blocks, "\n\n")
}

// sameWords compares texts, ignoring blanks.
func sameWords(a, b string) bool {
	return a == b || slices.Equal(strings.Fields(a), strings.Fields(b))
}
