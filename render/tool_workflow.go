package render

import "viewer/internal/tools"

var _ = register(toolTemplates, "workflow", "workflow", viewWorkflow)

type workflow struct {
	Phases []phase
	Script *output
	Rows   []field
	Output *output
}

func viewWorkflow(c call) (workflow, error) {
	w, err := detail[tools.Workflow](c)
	if err != nil {
		return workflow{}, err
	}
	v := workflow{Script: c.d.code(w.Script, "js"), Rows: c.d.fieldList(w.Fields)}
	if !c.failed() {
		v.Phases = c.d.phases(w.Run, c.Group().Agents)
		v.Output = c.d.plain(w.Output)
	}
	return v, nil
}
