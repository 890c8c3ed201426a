package render

import (
	"html/template"
	"iter"
	"strings"

	"viewer/normalize"
	"viewer/render/page"
)

// An inner is a conversation inside a session: an agent, or an attempt that was taken back. A small one is on the page
// of the call that started it, or where it branched off; a larger one gets separate pages.
type inner struct {
	*normalize.Conversation
	folder   string // of its pages, if it has any: agents, rewound
	name     string // of its pages, and part of its anchor: safe, and unique in the session
	title    string
	who      string // the writer of its prompts
	hasPages bool   // it has separate pages, see pagePlanner
}

// key returns a unique key of its pages, also on file systems that ignore case.
func (in *inner) key() string { return strings.ToLower(in.folder + "/" + in.name) }

// inner returns a conversation inside the session with the name from pagePlanner, or a free name.
func (s *sessionData) inner(c *normalize.Conversation, folder, id, title, who string) *inner {
	if in := s.inners[c]; in != nil {
		return in
	}
	in := &inner{Conversation: c, folder: folder, name: SafeName(id), title: title, who: who}
	base := in.name
	for i := 2; s.innerNames[in.key()]; i++ {
		in.name = base + "_" + count(i)
	}
	return in
}

// ofAgent and ofBranch return the two kinds.
func (s *sessionData) ofAgent(a *normalize.Agent) *inner {
	return s.inner(a.Conversation, "agents", a.ID, s.agentName(a), "Task")
}

func (s *sessionData) ofBranch(b *normalize.Branch) *inner {
	return s.inner(b.Conversation, takenBackFolder, b.Head().Anchor, "Taken back: "+s.branchWords(b), "You")
}

// takenBackFolder is the folder of the pages of attempts that were taken back.
const takenBackFolder = "rewound"

// innersOf visits the conversations inside an item.
func (s *sessionData) innersOf(item normalize.Item) iter.Seq[*inner] {
	return func(yield func(*inner) bool) {
		switch it := item.(type) {
		case *normalize.Group:
			for _, a := range it.Agents {
				if !yield(s.ofAgent(a)) {
					return
				}
			}
		case *normalize.Branch:
			yield(s.ofBranch(it))
		}
	}
}

// turns draws all of an inner conversation.
func (d *drawer) turns(in *inner) []section {
	var all []section
	own := d.nested(in)
	for _, t := range in.Turns {
		if len(t.Prompt) > 0 || len(t.Items) > 0 {
			all = append(all, own.turn(turnPart{turn: t, items: t.Items, first: true, last: true}, in.who))
		}
	}
	return all
}

// branchView is an attempt that was taken back, folded at the place where it branched off.
type branchView struct {
	ID, Text string
	Href     string // of its own page
	Turns    []section
}

func (d *drawer) branch(b *normalize.Branch) template.HTML {
	in := d.ofBranch(b)
	v := branchView{ID: "rewound-" + in.name, Text: d.branchWords(b)}
	if in.hasPages {
		v.Href = d.base + pageName(in, 0)
	} else {
		v.Turns = d.turns(in)
	}
	return page.Execute("partial/branch", v)
}

// branchWords describes what was taken back: "2 prompts, 14 calls".
func (s *sessionData) branchWords(b *normalize.Branch) string {
	t := s.tally.Of(b.Conversation)
	words := plural(b.Conversation.Prompts(), "prompt", "prompts")
	if t.Tools > 0 {
		words += ", " + plural(t.Tools, "call", "calls")
	}
	return words
}
