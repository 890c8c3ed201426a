package tools

import "viewer/internal/fields"

// A skill, or a slash command that the model runs. The text that it injects follows as a separate message and is drawn
// inside the call.
var (
	_ = register(Tool{Name: "Skill", Icon: "skill", Skill: "skill", Describe: describeSkill})
	_ = register(Tool{Name: "skill", Icon: "skill", Label: "Skill", Skill: "skill", Describe: describeSkill})
	_ = register(Tool{Name: "SlashCommand", Icon: "skill", Skill: "command", Describe: describeSkill})
)

func describeSkill(c *Call) error {
	var in struct {
		Skill, Command, Args fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.target("args", string(in.Skill+in.Command+" "+in.Args), 160)
	c.Rest = in.Rest
	if !c.failed() {
		c.read(Section{Text: c.text()})
	}
	return nil
}
