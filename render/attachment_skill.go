package render

import (
	"strings"
)

var (
	_ = register(attachments, "skill_listing", "attached", viewSkillListing)
	_ = register(attachments, "skill_discovery", "attached", viewSkillListing)
	_ = register(attachments, "invoked_skills", "attached", viewInvokedSkills)
	_ = register(attachments, "command_permissions", "attached", viewCommandPermissions)
)

func viewSkillListing(e event) (attached, error) {
	var in struct {
		Content    text
		SkillCount number
	}
	if err := e.decode(&in); err != nil {
		return attached{}, err
	}
	v := attached{line: quiet("skill", "The model was told of its skills"), Prose: e.markdown(string(in.Content)), Rows: e.rest("content", "skillCount", "names", "isInitial")}
	if in.SkillCount > 0 {
		v.Text += " · " + plural(int(in.SkillCount), "skill", "skills")
	}
	return v, nil
}

func viewInvokedSkills(e event) (attached, error) {
	var in struct {
		Skills []struct{ Name, Path, Content text }
	}
	if err := e.decode(&in); err != nil {
		return attached{}, err
	}
	v := attached{line: quiet("skill", "Skills kept after the compaction")}
	var names, body []string
	for _, s := range in.Skills {
		names = append(names, string(s.Name))
		body = append(body, "## "+string(s.Name)+"\n\n"+string(s.Content))
	}
	v.Text = also(v.Text, oneLine(strings.Join(names, ", "), 120))
	v.Prose = e.d.markdown(strings.Join(body, "\n\n"), e.Anchor)
	return v, nil
}

func viewCommandPermissions(e event) (attached, error) {
	var in struct {
		AllowedTools []text
		Model        text
	}
	if err := e.decode(&in); err != nil {
		return attached{}, err
	}
	v := attached{line: quiet("key", "The command may use "+plural(len(in.AllowedTools), "tool", "tools")+" without asking")}
	if len(in.AllowedTools) == 0 {
		v.Text = "The command brings no permissions of its own"
	}
	if in.Model != "" {
		v.Facts = facts(oneLine(string(in.Model), 60))
	}
	if len(in.AllowedTools) > 0 {
		v.Blocks = append(v.Blocks, e.d.files(in.AllowedTools))
	}
	return v, nil
}
