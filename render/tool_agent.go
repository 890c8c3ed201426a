package render

import "strings"

// The tool was called Task until 2.1.50.
var (
	_ = register(tools, "Agent", "agent", viewAgent)
	_ = register(tools, "Task", "agent", viewAgent)
)

type agentCall struct {
	row
	Prompt *passage // when no conversation below repeats it
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
	if len(c.Agents) == 0 {
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
	if len(c.Agents) == 0 {
		v.Answer = c.d.passage(strings.Join(answer, "\n\n"), c.Head().Anchor+"-a")
	}
	return v, nil
}
