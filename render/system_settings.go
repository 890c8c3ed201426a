package render

import (
	"viewer/internal/words"
	"viewer/render/page"
)

// Settings of a session from here on, in the logs of some agents: the model, what it may do without asking, and the
// sandbox of commands.
var _ = register(systems, "settings", "event", viewSettings)

func viewSettings(e event) (recordEvent, error) {
	var in struct{ Model, Role, Effort, Tier, Approvals, Reviewer, Sandbox, Network, Mode, Folder text }
	if err := e.decode(&in); err != nil {
		return recordEvent{}, err
	}
	v := recordEvent{line: line{Icon: "gear", Text: "Settings", Level: atTools, Look: "note"}}
	add := func(label string, value text, look string) {
		if value != "" {
			f := page.Fact{Text: words.Line(label+string(value), 80), Look: look}
			v.Facts = append(v.Facts, f)
		}
	}
	free := ""
	if in.Sandbox == "danger-full-access" || in.Sandbox == "off" {
		free = "warn"
	}
	add("", in.Model, "")
	add("role ", in.Role, "")
	add("effort ", in.Effort, "")
	add("service tier ", in.Tier, "")
	add("mode ", in.Mode, "")
	add("approvals ", in.Approvals, "")
	add("reviewer ", in.Reviewer, "")
	add("sandbox ", in.Sandbox, free)
	add("network ", in.Network, "")
	if in.Folder != "" {
		v.Rows = append(v.Rows, field{Name: "folder", Value: string(in.Folder)})
	}
	return v, nil
}
