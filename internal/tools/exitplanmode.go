package tools

import (
	"cmp"

	"viewer/internal/fields"
	"viewer/internal/markup"
	"viewer/normalize"
)

// The plan that the user was asked to approve. Until 1.0.5x the tool had another name.
var (
	_ = exitPlanMode("ExitPlanMode")
	_ = exitPlanMode("exit_plan_mode")
)

func exitPlanMode(name string) struct{} {
	return register(Tool{
		Name: name, Icon: "plan", Label: "Plan", Action: Plan, Approved: true, Describe: describeExitPlanMode,
	})
}

func describeExitPlanMode(c *Call) error {
	var in struct {
		Plan, PlanFilePath, Summary fields.Text
		AllowedPrompts              []struct{ Tool, Prompt fields.Text }
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Open, c.Rest = true, true, in.Rest
	var res struct{ Plan, FilePath fields.Text }
	c.result(&res)
	plan := cmp.Or(string(in.Plan), string(in.Summary+res.Plan))
	c.Target = markup.Excerpt(plan, 120)
	c.given(Section{Shape: Markdown, Text: plan})
	var list []Field
	if file := string(in.PlanFilePath); file != "" {
		list = append(list, Field{Name: "file", Value: c.Short(file)})
	}
	for _, a := range in.AllowedPrompts {
		list = append(list, Field{Name: "may " + string(a.Tool), Value: string(a.Prompt)})
	}
	c.given(Section{Shape: Fields, List: list})
	switch {
	case c.answered():
		c.fact("approved")
	case c.failed() && c.group.State == normalize.Done:
		c.Failure = true // it says that the user declined
		c.fact("approved, with a new context")
	}
	return nil
}
