package tools

import (
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/transcript"
	"viewer/internal/words"
)

var _ = register(Tool{
	Name: "Workflow", Icon: "workflow", Action: Delegate,
	Template: "workflow", Detail: Workflow{}, Describe: describeWorkflow,
})

// A Workflow is a script that starts agents, and its run.
type Workflow struct {
	Script string // JavaScript
	Fields []Field
	Run    WorkflowRun
	Output string
}

// A WorkflowRun is the record that the program writes of a finished run.
type WorkflowRun struct {
	Status           fields.Text
	DurationMs       fields.Number
	TotalTokens      fields.Number
	AgentCount       fields.Number
	Phases           fields.List[struct{ Title fields.Text }]
	WorkflowProgress fields.List[WorkflowStep]
}

// A WorkflowStep is the progress of an agent of a run.
type WorkflowStep struct {
	Type, Label, PhaseTitle, AgentID, State fields.Text
	Tokens, ToolCalls, DurationMs           fields.Number
}

func describeWorkflow(c *Call) error {
	var in struct {
		Script, Name, ScriptPath, ResumeFromRunID fields.Text
		Args                                      jsontext.Value
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Target, c.Rest = true, words.Line(string(in.Name), 120), in.Rest
	w := Workflow{Script: string(in.Script)}
	add := func(name, value string) {
		if value != "" {
			w.Fields = append(w.Fields, Field{Name: name, Value: value})
		}
	}
	add("script", c.Short(string(in.ScriptPath)))
	add("resumes", string(in.ResumeFromRunID))
	if in.Args != nil {
		args := transcript.Pretty(in.Args)
		w.Fields = append(w.Fields, Field{Name: "arguments", Value: args, Long: len(args) > longValue})
	}
	c.given(Section{Shape: Code, Drawn: true, Text: w.Script, Lang: "js"})
	c.given(Section{Shape: Fields, Drawn: true, List: w.Fields})
	c.Detail = w
	if c.failed() {
		return nil
	}
	var res struct{ Status, WorkflowName, RunID, Summary fields.Text }
	if c.result(&res) {
		if c.Target == "" {
			c.Target = words.Line(string(res.WorkflowName), 120)
		}
		if res.Summary != "" {
			c.Target = words.Line(c.Target+" · "+string(res.Summary), 160)
		}
		switch {
		case c.context.Ends[c.group] == Stopped:
			c.mark(Stopped, Neutral)
		case res.Status == "async_launched":
			c.mark("in background", Neutral)
		}
		add("run", string(res.RunID))
	}
	if c.context.Run != nil {
		if raw, ok := c.context.Run(string(res.RunID)); ok && fields.Decode(raw, &w.Run) == nil {
			if w.Run.TotalTokens > 0 {
				c.fact(words.Short(int64(w.Run.TotalTokens)) + " tokens")
			}
			c.lasted(float64(w.Run.DurationMs))
			add("ended", string(w.Run.Status))
		}
	}
	if n := len(c.group.Agents); n > 0 {
		c.mark(words.Plural(n, "agent", "agents"), Neutral)
	}
	w.Output = c.text()
	c.Detail = w
	return nil
}
