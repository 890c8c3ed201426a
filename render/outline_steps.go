package render

import (
	"cmp"
	"strings"

	"viewer/internal/outcome"
	"viewer/internal/tools"
	"viewer/normalize"
)

// An outlineStep is an event after the only prompt of a session: a plan, an agent, a task list, a failure, a commit,
// the answer.
type outlineStep struct {
	Href, Text string
	Icon, Look string

	anchor string
	merges bool // a step of this kind that follows directly replaces it
}

// maxSteps is the maximum number of steps of an outline.
const maxSteps = 60

// isStepped reports whether the outline of the session lists steps.
func (s *sessionData) isStepped() bool { return s.prompts <= 1 }

// noteStep adds a call to the steps if it is one.
func (d *drawer) noteStep(g *normalize.Group, c call, v *callView) {
	if !d.isStepped() || d.inAgent || d.depth > 0 || d.takenBack > 0 || len(d.outlined) > maxSteps {
		return
	}
	step := outlineStep{anchor: v.ID, Icon: v.Icon}
	title := func() string {
		return oneLine(cmp.Or(strings.TrimSuffix(v.Purpose, "."), v.Name+" "+v.Target), maxPromptWords)
	}
	switch {
	case g.State == normalize.Blocked:
		step.Icon, step.Look, step.Text = "warn", "bad", title()+" blocked"
	case failed(g):
		step.Icon, step.Look, step.Text = "warn", "bad", title()+" failed"
	case d.commits()[g.Call] != "":
		step.Icon, step.Text = "git", d.commits()[g.Call]
	case len(g.Agents) > 0:
		step.Icon, step.Text = "agent", oneLine(d.agentName(g.Agents[0]), maxPromptWords)
		if n := len(g.Agents) - 1; n > 0 {
			step.Text += " and " + plural(n, "other", "others")
		}
	case c.Action == tools.Plan && len(c.Tool) > 0:
		step.Text, step.merges = title(), v.Icon == "todo"
	default:
		return
	}
	if n := len(d.outlined); step.merges && n > 0 && d.outlined[n-1].merges {
		d.outlined[n-1] = step
		return
	}
	d.outlined = append(d.outlined, step)
}

// stepList returns the steps of all pages, and the answer; more says how many are not listed.
func (d *pageDrawing) stepList() (all []outlineStep, more string) {
	if !d.first || !d.isStepped() {
		return nil, ""
	}
	for i := range d.pageResults {
		switch steps := d.pageResults[i].steps; {
		case i == 0:
			all = append(all, d.pageState.outlined...)
		case d.jobs[i].inner == nil:
			all = append(all, steps...)
		}
	}
	if n := len(all); n > maxSteps {
		all, more = all[:maxSteps], unlisted(n-maxSteps)
	}
	if f := d.outcome(); f.Answer != nil && d.pageOf(f.Answer.Anchor) != "" {
		name, look := "Answer: ", "good"
		if !f.Mark.Good() {
			name, look = "Said last: ", "" // as at the top of the page
		}
		last := outlineStep{anchor: f.Answer.Anchor, Icon: "message", Look: look,
			Text: name + cmp.Or(f.Heading, oneLine(f.Text, maxPromptWords))}
		if f.Halted {
			last.Icon, last.Look, last.Text = "warn", "", oneLine(f.Text, maxPromptWords)
		}
		all = append(all, last)
	}
	if len(all) < 2 { // the only prompt is enough
		return nil, ""
	}
	for i := range all {
		all[i].Href = d.href(all[i].anchor)
	}
	return all, more
}

// commitWords names the commits of a session by the call that made them.
func commitWords(f *outcome.Facts) map[*normalize.Message]string {
	all := make(map[*normalize.Message]string, len(f.Commits))
	for _, c := range f.Commits {
		if all[c.Call] == "" {
			all[c.Call] = oneLine("Commit "+c.String(), maxPromptWords)
		}
	}
	return all
}
