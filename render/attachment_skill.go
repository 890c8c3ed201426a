package render

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
	"viewer/render/page"
)

var (
	_ = register(attachments, "skill_listing", "attached", viewSkillListing)
	_ = register(attachments, "skill_discovery", "attached", viewSkillDiscovery)
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
	v := attached{line: quiet("skill", "The model was told about its skills"), Prose: e.markdown(string(in.Content)),
		Rows: e.rest("content", "skillCount", "names", "isInitial")}
	if in.SkillCount > 0 {
		v.Text += dot + plural(int(in.SkillCount), "skill", "skills")
	}
	return v, nil
}

// viewSkillDiscovery draws the skills that match the request.
func viewSkillDiscovery(e event) (attached, error) {
	var in struct {
		Content    text
		SkillCount number
		Skills     jsontext.Value
	}
	if err := e.decode(&in); err != nil {
		return attached{}, err
	}
	v := attached{line: quiet("skill", "The model was told about skills that fit"),
		Prose: e.markdown(string(in.Content)),
		Rows:  e.rest("content", "skills", "skillCount")}
	n := 0
	for s := range transcript.Elements(in.Skills) {
		n++
		var skill struct{ Name, Description text }
		if decode(s, &skill) != nil {
			skill.Name = text(transcript.TextOf(s))
		}
		if skill.Description == "" {
			v.Rows = append(v.Rows, e.d.said("skill", string(skill.Name)))
		} else {
			v.Rows = append(v.Rows, e.d.said(oneLine(string(skill.Name), 60), string(skill.Description)))
		}
	}
	if n = max(n, int(in.SkillCount)); n > 0 {
		v.Text += dot + plural(n, "skill", "skills")
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
	v := attached{line: quiet("key", "The command may use "+plural(len(in.AllowedTools), "tool", "tools")+
		" without asking")}
	if len(in.AllowedTools) == 0 {
		v.Text = "The command has no permissions of its own"
	}
	if in.Model != "" {
		v.Facts = page.Facts(oneLine(string(in.Model), 60))
	}
	if len(in.AllowedTools) > 0 {
		v.Blocks = append(v.Blocks, e.d.paths(in.AllowedTools))
	}
	return v, nil
}
