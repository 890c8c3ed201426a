package render

import (
	"html/template"
	"path"
	"strings"

	"viewer/normalize"
	"viewer/stats"
)

// agentView is an agent inside the page of its call.
type agentView struct {
	ID, Type, Description string
	Facts                 []fact
	Turns                 []template.HTML
	Href                  string // of its own page
}

// agent draws an agent: inside the page when it is small, else as a link.
func (d *drawer) agent(a *normalize.Agent) template.HTML {
	v := agentView{ID: "agent-" + d.agentFile(a), Type: a.Type, Description: agentTask(a), Facts: agentFacts(a)}
	if v.Type == "" {
		v.Type = "Agent"
	}
	if name, own := d.own[a]; own {
		v.Href = d.base + pageName(name, 0)
		return execute("partial/agentlink", v)
	}
	d.nest++
	clock := d.clock
	for _, t := range a.Conversation.Turns {
		if len(t.Prompt) > 0 || len(t.Items) > 0 {
			v.Turns = append(v.Turns, d.turn(t, t.Items, true, true, 0, "Task"))
		}
	}
	d.clock = clock
	d.nest--
	return execute("partial/agent", v)
}

func agentFacts(a *normalize.Agent) []fact {
	t := stats.Of(a.Conversation)
	var all []fact
	if t.Failed > 0 {
		all = append(all, fact{Text: count(t.Failed) + " failed", Look: "bad"})
	}
	all = append(all, fact{Text: plural(t.Tools, "tool", "tools")})
	if n := t.Usage.Context() + t.Usage.Output; n > 0 {
		all = append(all, fact{Text: short(n) + " tokens"})
	}
	if t.Time > 0 {
		all = append(all, fact{Text: duration(t.Time)})
	}
	return all
}

// ownPage notes that an agent is drawn on pages of its own.
func (d *drawer) ownPage(a *normalize.Agent) {
	if d.own == nil {
		d.own = make(map[*normalize.Agent]string)
	}
	d.own[a] = d.agentFile(a)
}

// agentFile is the name of an agent's page, and its anchor: its id, made safe,
// with a number when two agents would share it.
func (d *drawer) agentFile(a *normalize.Agent) string {
	if name, ok := d.names[a]; ok {
		return name
	}
	if d.names == nil {
		d.names = make(map[*normalize.Agent]string)
		d.taken = make(map[string]bool)
	}
	base := SafeName(a.ID)
	name := base
	for i := 2; d.taken[strings.ToLower(name)]; i++ {
		name = base + "_" + count(i)
	}
	d.taken[strings.ToLower(name)] = true
	d.names[a] = name
	return name
}

// SafeName makes a name for a file or folder that every file system and every
// web host takes: letters, digits, '-', '_' and inner dots, at most 80 of them.
// It may clash with that of another name.
func SafeName(s string) string {
	var b strings.Builder
	for _, r := range path.Clean(s) {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_':
			b.WriteRune(r)
		case r == '.' && b.Len() > 0:
			b.WriteRune(r)
		default:
			if b.Len() > 0 && !strings.HasSuffix(b.String(), "-") {
				b.WriteByte('-')
			}
		}
		if b.Len() >= 80 {
			break
		}
	}
	name := strings.Trim(b.String(), "-.")
	if name == "" || reserved[strings.ToLower(strings.SplitN(name, ".", 2)[0])] {
		return "x-" + name
	}
	return name
}

// reserved are the names that Windows keeps for devices.
var reserved = map[string]bool{
	"con": true, "prn": true, "aux": true, "nul": true, "com1": true, "com2": true, "com3": true, "com4": true,
	"lpt1": true, "lpt2": true, "lpt3": true,
}
