package render

import (
	"fmt"
	"slices"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// Approximate sizes of a page in bytes of HTML. A page ends before the prompt that exceeds the first limit or, inside a
// turn, before the message that exceeds the second one.
const (
	pageFull     = 300 << 10
	pageOverflow = 380 << 10
)

// A turnPart is the part of a turn that is on one page.
type turnPart struct {
	turn        *normalize.Turn
	items       []normalize.Item
	first, last bool // it has the start or the end of the turn
	number      int  // of its prompt, from 1; 0 for none
}

// paginate divides the turns of a conversation into pages. The end of a page depends only on the records before it, in
// file order, and on their sizes: an append never moves an earlier end, and a late result changes only the page of its
// call.
func paginate(c *normalize.Conversation) [][]turnPart {
	pageOf := make(map[*normalize.Message]int, len(c.Order))
	page, weight := 0, 0
	for _, m := range c.Order {
		w := weigh(m)
		canEnd := m.Part == 0 && m.Rule == ""
		starts := canEnd && (m.Kind == normalize.Prompt && !m.Queued || m.Kind == normalize.Command)
		inside := canEnd && m.Kind != normalize.Result && m.Kind != normalize.Hook && m.Kind != normalize.Injected
		anywhere := weight+w > 2*pageOverflow // thousands of hooks or parts of one record
		if starts && weight > pageFull || (starts || inside) && weight+w > pageOverflow && weight > 0 ||
			anywhere && weight > 0 {
			page++
			weight = 0
		}
		weight += w
		pageOf[m] = page
	}
	pages := make([][]turnPart, page+1)
	number := 0
	for _, t := range c.Turns {
		if t.Asked() {
			number++
		}
		at := pageOf[t.Head()]
		l := turnPart{turn: t, first: true}
		if t.Asked() {
			l.number = number
		}
		for _, item := range t.Items {
			if p := pageOf[itemHead(item)]; p != at {
				pages[at] = append(pages[at], l)
				l, at = turnPart{turn: t, number: l.number}, p
			}
			l.items = append(l.items, item)
		}
		l.last = true
		if len(t.Prompt) > 0 || len(t.Items) > 0 {
			pages[at] = append(pages[at], l)
		}
	}
	// A long attempt that was taken back leaves empty pages. They are the last ones, so no other page gets a new name.
	pages = slices.DeleteFunc(pages, func(p []turnPart) bool { return len(p) == 0 })
	if len(pages) == 0 {
		pages = make([][]turnPart, 1)
	}
	return pages
}

func itemHead(item normalize.Item) *normalize.Message {
	switch it := item.(type) {
	case *normalize.Group:
		return it.Head()
	case *normalize.Branch:
		return it.Head()
	case *normalize.Message:
		return it
	}
	return nil
}

// weigh estimates the bytes of HTML that a message becomes, from its record alone.
func weigh(m *normalize.Message) int {
	if m.Rule != "" {
		return 0
	}
	const frame = 450
	switch m.Kind {
	case normalize.Call:
		return frame + 2*min(len(m.Block.Input), maxText)
	case normalize.Result:
		w := frame
		for _, b := range m.Block.Content {
			w += min(len(b.Text), maxText) * 3 / 2
			if b.Type != "text" && b.Type != "image" && b.Type != "document" {
				w += min(len(b.Raw), maxText)
			}
		}
		return w
	case normalize.System, normalize.Attachment, normalize.Hook, normalize.Unknown:
		return frame + min(len(m.Record.Raw), maxText)
	}
	return frame + min(len(m.Text), maxText)*3/2
}

// pageName returns the name of page i, from 0, of the session (in is nil) or of a conversation inside it.
func pageName(in *inner, i int) string {
	switch {
	case in == nil && i == 0:
		return "index.html"
	case in == nil:
		return fmt.Sprintf("%d.html", i+1)
	case i == 0:
		return in.folder + "/" + in.name + ".html"
	}
	return fmt.Sprintf("%s/%s-%d.html", in.folder, in.name, i+1)
}

// Maximum weights of conversations that are drawn inside a page: of one, and of all on the page.
const (
	maxInline     = 24 << 10
	maxInlinePage = 120 << 10
)

// Maximum numbers: of small conversations with separate pages because they do not fit on the page of their call, and of
// drawn agents that no call started.
const (
	maxSmallPages = 500
	maxUnlinked   = 1000
)

// conversationWeight estimates the bytes of HTML that a conversation becomes.
func conversationWeight(c *normalize.Conversation) int {
	w := 0
	for _, m := range c.Order {
		w += weigh(m)
	}
	return w
}

// files lists the files of a session, the main one first if it exists.
func (s Session) files() []*transcript.File {
	var all []*transcript.File
	if s.Conversation.Facts.AgentsWithoutLog == 0 {
		all = append(all, s.Main)
	}
	for _, a := range s.Agents {
		all = append(all, a.File)
	}
	return all
}
