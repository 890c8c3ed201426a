package render

import (
	"html/template"
	"strings"

	"viewer/normalize"
)

// An inner is a conversation inside a session: an agent, or an attempt that
// was taken back. A small one stands inside the page of the call that started
// it, or where it left; a larger one gets pages of its own.
type inner struct {
	*normalize.Conversation
	folder string // of its pages, when it has some: agents, rewound
	name   string // of its pages, and part of its anchor: safe, and its own in the session
	title  string
	who    string // wrote its prompts
	own    bool   // it has pages of its own, see planInner
}

// inner names a conversation inside the session once.
func (d *drawer) inner(c *normalize.Conversation, folder, id, title, who string) *inner {
	if in := d.inners[c]; in != nil {
		return in
	}
	base := SafeName(id)
	name := base
	for i := 2; d.taken[strings.ToLower(folder+"/"+name)]; i++ {
		name = base + "_" + count(i)
	}
	in := &inner{Conversation: c, folder: folder, name: name, title: title, who: who}
	if !d.settled {
		d.taken[strings.ToLower(folder+"/"+name)] = true
		d.inners[c] = in
	}
	return in
}

// ofAgent and ofBranch name the two kinds.
func (d *drawer) ofAgent(a *normalize.Agent) *inner {
	return d.inner(a.Conversation, "agents", a.ID, d.agentName(a), "Task")
}

func (d *drawer) ofBranch(b *normalize.Branch) *inner {
	return d.inner(b.Conversation, rewound, b.Head().Anchor, "Taken back: "+d.branchWords(b), "You")
}

// rewound is the folder of attempts that were taken back.
const rewound = "rewound"

// innersOf lists what an item holds.
func (d *drawer) innersOf(item normalize.Item) []*inner {
	switch it := item.(type) {
	case *normalize.Group:
		var all []*inner
		for _, a := range it.Agents {
			all = append(all, d.ofAgent(a))
		}
		return all
	case *normalize.Branch:
		return []*inner{d.ofBranch(it)}
	}
	return nil
}

// turns draws all of an inner conversation.
func (d *drawer) turns(in *inner) []section {
	var all []section
	d.nest++
	defer d.follow(in.Conversation)()
	clock, day := d.clock, d.day
	for _, t := range in.Turns {
		if len(t.Prompt) > 0 || len(t.Items) > 0 {
			all = append(all, d.turn(t, t.Items, true, true, 0, in.who))
		}
	}
	d.clock, d.day = clock, day
	d.nest--
	return all
}

// branchView is an attempt that was taken back, folded where it left.
type branchView struct {
	ID, Text string
	Href     string // of its own page
	Turns    []section
}

func (d *drawer) branch(b *normalize.Branch) template.HTML {
	in := d.ofBranch(b)
	v := branchView{ID: "rewound-" + in.name, Text: d.branchWords(b)}
	if in.own {
		v.Href = d.base + pageName(in, 0)
	} else {
		d.undone++
		v.Turns = d.turns(in)
		d.undone--
	}
	return execute("partial/branch", v)
}

// branchWords say how much was taken back: "2 prompts, 14 tools".
func (d *drawer) branchWords(b *normalize.Branch) string {
	t := d.tally.Of(b.Conversation)
	s := plural(b.Conversation.Prompts(), "prompt", "prompts")
	if t.Tools > 0 {
		s += ", " + plural(t.Tools, "tool", "tools")
	}
	return s
}
