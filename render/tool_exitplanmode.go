package render

import (
	"html/template"

	"viewer/internal/markup"
)

// The plan that was put before the user. Until 1.0.5x the tool had another name.
var (
	_ = register(tools, "ExitPlanMode", "exitplanmode", viewExitPlanMode)
	_ = register(tools, "exit_plan_mode", "exitplanmode", viewExitPlanMode)
)

type exitPlanMode struct {
	row
	Plan    template.HTML
	Allowed []field
}

func viewExitPlanMode(c call) (exitPlanMode, error) {
	var in struct {
		Plan, PlanFilePath text
		AllowedPrompts     []struct{ Tool, Prompt text }
		extra
	}
	if err := c.input(&in); err != nil {
		return exitPlanMode{}, err
	}
	v := exitPlanMode{row: row{Icon: "plan", Label: "Plan", Prose: true, More: c.d.fields(in.Rest), Shows: shows{Open: true}}}
	var res struct{ Plan, FilePath text }
	c.result(&res)
	plan := string(in.Plan)
	if plan == "" {
		plan = string(res.Plan)
	}
	v.Target = markup.Excerpt(plan, 120)
	v.Plan = c.d.markdown(plan, c.Head().Anchor)
	if file := string(in.PlanFilePath); file != "" {
		v.Allowed = append(v.Allowed, field{Name: "file", Value: c.d.path(file)})
	}
	for _, a := range in.AllowedPrompts {
		v.Allowed = append(v.Allowed, field{Name: "may " + string(a.Tool), Value: string(a.Prompt)})
	}
	if c.Result != nil && !c.failed() {
		v.Facts = facts("approved")
	}
	return v, nil
}
