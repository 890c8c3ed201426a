package render

import (
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

var _ = register(tools, "Workflow", "workflow", viewWorkflow)

type workflow struct {
	row
	Phases []phase
	Script *output
	Rows   []field
	Output *output
}

func viewWorkflow(c call) (workflow, error) {
	var in struct {
		Script, Name, ScriptPath, ResumeFromRunID text
		Args                                      jsontext.Value
		extra
	}
	if err := c.input(&in); err != nil {
		return workflow{}, err
	}
	v := workflow{row: row{Icon: "workflow", Prose: true, Target: oneLine(string(in.Name), 120), More: c.d.fields(in.Rest)}}
	v.Script = c.d.code(string(in.Script), "js")
	if in.ScriptPath != "" {
		v.Rows = append(v.Rows, field{Name: "script", Value: c.d.path(string(in.ScriptPath))})
	}
	if in.ResumeFromRunID != "" {
		v.Rows = append(v.Rows, field{Name: "resumes", Value: string(in.ResumeFromRunID)})
	}
	if in.Args != nil {
		v.Rows = append(v.Rows, c.d.field("arguments", transcript.Pretty(in.Args)))
	}
	if c.failed() {
		return v, nil
	}
	var res struct{ Status, WorkflowName, RunID, Summary text }
	if c.result(&res) {
		if v.Target == "" {
			v.Target = oneLine(string(res.WorkflowName), 120)
		}
		if res.Summary != "" {
			v.Target = oneLine(v.Target+" · "+string(res.Summary), 160)
		}
		if res.Status == "async_launched" {
			v.Facts = append(v.Facts, fact{Text: "in background", Main: true})
		}
		if res.RunID != "" {
			v.Rows = append(v.Rows, field{Name: "run", Value: string(res.RunID)})
		}
	}
	var run workflowRun
	if raw, ok := c.d.workflow(string(res.RunID)); ok && decode(raw, &run) == nil {
		if run.TotalTokens > 0 {
			v.Facts = append(v.Facts, fact{Text: short(int64(run.TotalTokens)) + " tokens"})
		}
		v.Took = lasting(float64(run.DurationMs))
		if run.Status != "" {
			v.Rows = append(v.Rows, field{Name: "ended", Value: string(run.Status)})
		}
	}
	v.Phases = c.d.phases(run, c.Agents)
	if n := len(c.Agents); n > 0 {
		v.Facts = append(v.Facts, fact{Text: plural(n, "agent", "agents"), Main: true})
	}
	v.Output = c.d.plain(c.text())
	return v, nil
}
