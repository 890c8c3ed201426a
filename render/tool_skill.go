package render

// A skill, or a slash command that the model runs. What it injects follows as
// a text of its own and is drawn inside the call.
var (
	_ = register(tools, "Skill", "text", viewSkill)
	_ = register(tools, "SlashCommand", "text", viewSkill)
)

type skill struct {
	row
	Output *output
}

func viewSkill(c call) (skill, error) {
	var in struct {
		Skill, Command, Args text
		extra
	}
	if err := c.input(&in); err != nil {
		return skill{}, err
	}
	v := skill{row: row{Icon: "skill", More: c.d.fields(in.Rest)}}
	c.about(&v.row, "args", string(in.Skill+in.Command+" "+in.Args), 160)
	if !c.failed() {
		v.Output = c.d.plain(c.text())
	}
	return v, nil
}
