package report

import (
	"strings"

	"viewer/internal/markup"
	"viewer/internal/permissions"
	"viewer/internal/words"
	"viewer/normalize"
)

// Permissions are what the log of a run contains about permissions, see package permissions. This includes agents and
// attempts that were taken back.
type Permissions struct {
	Modes     []PermissionMode     `json:"modes"`
	Decisions []PermissionDecision `json:"decisions"`
	Elevated  []ElevatedCall       `json:"elevated"`
	Outside   []OutsideFile        `json:"outside"`
	Hosts     []AskedHost          `json:"hosts"`
}

// A PermissionMode is a mode that was in force.
type PermissionMode struct {
	Mode     string `json:"mode"` // as pages show it
	Elevated bool   `json:"elevated"`
	Calls    int    `json:"calls"`
	Anchor   string `json:"anchor,omitempty"`
}

// A PermissionDecision is a call that was stopped, or a call that ran and whose log says who allowed it.
type PermissionDecision struct {
	Tool    string `json:"tool"`
	Target  string `json:"target,omitempty"`
	Allowed bool   `json:"allowed"`
	By      string `json:"by"` // rule, person, hook, classifier, nobody
	Who     string `json:"who,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Anchor  string `json:"anchor,omitempty"`
}

// An ElevatedCall is a call that asked for elevated rights.
type ElevatedCall struct {
	Rights  string `json:"rights"` // sudo, without sandbox
	Command string `json:"command,omitempty"`
	Reason  string `json:"reason,omitempty"`
	State   string `json:"state"`
	Anchor  string `json:"anchor"`
}

// An OutsideFile is a path outside of the project that calls used.
type OutsideFile struct {
	Path      string `json:"path"`
	Temporary bool   `json:"temporary,omitempty"`
	Reads     int    `json:"reads"`
	Writes    int    `json:"writes"`
	Deletes   int    `json:"deletes"`
	Anchor    string `json:"anchor"`
}

// An AskedHost is a host that calls contacted.
type AskedHost struct {
	Host   string `json:"host"`
	Calls  int    `json:"calls"`
	Anchor string `json:"anchor"`
}

// deciders are the names of deciders for programs.
var deciders = map[normalize.Decider]string{
	normalize.ByRule: "rule", normalize.ByPerson: "person", normalize.ByHook: "hook",
	normalize.ByClassifier: "classifier", normalize.ByNobody: "nobody",
}

// newPermissions converts the facts for a report.
func newPermissions(f permissions.Facts) Permissions {
	p := Permissions{
		Modes: []PermissionMode{}, Decisions: []PermissionDecision{}, Elevated: []ElevatedCall{},
		Outside: []OutsideFile{}, Hosts: []AskedHost{},
	}
	for _, m := range f.Modes {
		mode := PermissionMode{Mode: m.Name, Elevated: m.Elevated, Calls: m.Calls}
		if m.At != nil {
			mode.Anchor = m.At.Anchor
		}
		p.Modes = append(p.Modes, mode)
	}
	for _, d := range f.Decisions {
		p.Decisions = append(p.Decisions, PermissionDecision{
			Tool: d.Tool, Target: d.Target, Allowed: d.Allowed, By: deciders[d.By], Who: d.Who, Reason: d.Why,
			Anchor: d.At.Anchor,
		})
	}
	for _, e := range f.Elevated {
		p.Elevated = append(p.Elevated, ElevatedCall{e.What, e.Command, e.Why, e.State.String(), e.At.Anchor})
	}
	for _, o := range f.Files {
		p.Outside = append(p.Outside, OutsideFile{o.Path, o.Temporary, o.Reads, o.Writes, o.Deletes, o.At.Anchor})
	}
	for _, h := range f.Hosts {
		p.Hosts = append(p.Hosts, AskedHost{h.Name, h.Calls, h.At.Anchor})
	}
	return p
}

// permissions writes a folded section about permissions, nothing if there are no facts.
func (w *draft) permissions(r *Run) {
	if r.allowed.Empty() {
		return
	}
	var rows []string
	row := func(words, anchor, code, rest string) {
		line := "- " + w.to(markup.ForgeLine(words), anchor)
		if code != "" {
			line += " " + markup.ForgeCode(code)
		}
		if rest != "" {
			line += " · " + markup.ForgeLine(rest)
		}
		rows = append(rows, line+"\n")
	}
	p := &r.Permissions
	for _, d := range p.Decisions {
		row(words.Clip(d.Tool, 60), d.Anchor, words.Clip(d.Target, 200), d.String())
	}
	for _, e := range p.Elevated {
		rest := e.Reason
		if e.State != "done" {
			rest = strings.TrimPrefix(rest+" · "+e.State, " · ")
		}
		row(e.Rights, e.Anchor, words.Clip(e.Command, 200), rest)
	}
	for _, m := range p.Modes {
		row("mode", m.Anchor, "", m.Mode+", "+words.Plural(m.Calls, "call", "calls"))
	}
	for _, o := range p.Outside {
		if !o.Temporary {
			row("outside", o.Anchor, words.Clip(o.Path, 200), touchWords(o))
		}
	}
	for _, h := range p.Hosts {
		row("host", h.Anchor, h.Host, words.Plural(h.Calls, "call", "calls"))
	}
	w.section("<details><summary>"+markup.ForgeHTML(p.title())+"</summary>\n\n", rows, "\n</details>\n\n")
}

// title returns the heading of the section about permissions, with the numbers of its rows.
func (p *Permissions) title() string {
	stopped, allowed, outside := 0, 0, 0
	for _, d := range p.Decisions {
		if d.Allowed {
			allowed++
		} else {
			stopped++
		}
	}
	for _, o := range p.Outside {
		if !o.Temporary {
			outside++
		}
	}
	var said []string
	for _, part := range []struct {
		n         int
		one, many string
	}{
		{stopped, "call not allowed", "calls not allowed"},
		{len(p.Elevated), "with elevated rights", "with elevated rights"},
		{outside, "path outside the project", "paths outside the project"}, {len(p.Hosts), "host", "hosts"},
		{allowed, "call allowed when asked", "calls allowed when asked"},
	} {
		if part.n > 0 {
			said = append(said, words.Plural(part.n, part.one, part.many))
		}
	}
	if len(said) == 0 {
		return "Permissions"
	}
	return "Permissions: " + strings.Join(said, ", ")
}

// String says how a call was decided, by whom and why.
func (d PermissionDecision) String() string {
	how := "not allowed"
	if d.Allowed {
		how = "allowed"
	}
	how += byWords[d.By]
	for _, more := range []string{d.Who, d.Reason} {
		if more != "" {
			how += " · " + more
		}
	}
	return how
}

// byWords returns the words for who decided.
var byWords = map[string]string{
	"rule": " by a rule", "person": " by a person", "hook": " by a hook", "classifier": " by a classifier",
	"nobody": ", nobody was there to ask",
}

// touchWords returns what calls did to a file.
func touchWords(o OutsideFile) string {
	var said []string
	for _, part := range []struct {
		n    int
		word string
	}{{o.Reads, "read"}, {o.Writes, "written"}, {o.Deletes, "deleted"}} {
		if part.n > 0 {
			said = append(said, part.word+" ×"+words.Count(part.n))
		}
	}
	return strings.Join(said, ", ")
}
