package render

import (
	"slices"
	"strings"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// The tool was called Task until 2.1.50.
var (
	_ = register(tools, "Agent", "agent", viewAgent)
	_ = register(tools, "Task", "agent", viewAgent)
)

type agentCall struct {
	row
	Prompt *passage // when no conversation below begins with it
	Answer *passage // when no conversation below ends in it
	Output *output
}

type agentResult struct {
	Status, AgentID, ResolvedModel text
	Content                        []struct{ Text text }
	TotalDurationMs, TotalTokens   number
	TotalToolUseCount              number
	IsAsync                        truth
}

func viewAgent(c call) (agentCall, error) {
	var in struct {
		Description, Prompt, SubagentType text
		extra
	}
	if err := c.input(&in); err != nil {
		return agentCall{}, err
	}
	v := agentCall{row: row{Icon: "agent", Label: "Agent", Prose: true, More: c.d.fields(in.Rest)}}
	c.about(&v.row, "description", string(in.Description), 160)
	if in.SubagentType != "" {
		v.Target = string(in.SubagentType) + ": " + v.Target
	}
	if !slices.ContainsFunc(c.Agents, func(a *normalize.Agent) bool { return begins(a, string(in.Prompt)) }) {
		v.Prompt = c.d.passage(string(in.Prompt), c.Head().Anchor+"-p")
	}
	if c.Result == nil || c.failed() {
		return v, nil
	}
	var res agentResult
	known := c.result(&res)
	if known && res.TotalToolUseCount > 0 {
		v.Facts = append(v.Facts, fact{Text: plural(int(res.TotalToolUseCount), "tool", "tools")})
	}
	if known && res.TotalTokens > 0 {
		v.Facts = append(v.Facts, fact{Text: short(int64(res.TotalTokens)) + " tokens"})
	}
	switch {
	case known && (bool(res.IsAsync) || res.Status == "async_launched"):
		v.Look = "bg"
		v.Facts = append(v.Facts, fact{Text: "in background", Main: true})
		v.Output = c.d.plain(c.text())
		return v, nil
	case known && res.Status == "teammate_spawned":
		v.Facts = append(v.Facts, fact{Text: "joined the team", Main: true})
		v.Output = c.d.plain(c.text())
		return v, nil
	case known && res.TotalDurationMs > 0:
		v.Took = lasting(float64(res.TotalDurationMs))
	}
	var answer []string
	for _, b := range res.Content {
		answer = append(answer, string(b.Text))
	}
	if len(answer) == 0 {
		answer = []string{c.text()}
	}
	whole := strings.Join(answer, "\n\n")
	if !slices.ContainsFunc(c.Agents, func(a *normalize.Agent) bool { return ends(a, whole) }) {
		v.Answer = c.d.passage(whole, c.Head().Anchor+"-a")
	}
	return v, nil
}

// begins says that the prompt of an agent is this text.
func begins(a *normalize.Agent, text string) bool {
	for _, t := range a.Conversation.Turns {
		if t.Asked() {
			return slices.ContainsFunc(t.Prompt, func(m *normalize.Message) bool { return sameWords(m.Text, text) })
		}
	}
	return false
}

// ends says that an agent, or what it did until it was resumed, ended in this text. The last text of an agent that
// is known by its steps only is not among these.
func ends(a *normalize.Agent, text string) bool {
	for _, t := range a.Conversation.Turns {
		if sameWords(lastText(t), text) {
			return true
		}
	}
	return false
}

// lastText is what a turn ends in. It may be of several blocks.
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

// sameWords compares texts, whatever blanks they have.
func sameWords(a, b string) bool {
	return a == b || slices.Equal(strings.Fields(a), strings.Fields(b))
}
