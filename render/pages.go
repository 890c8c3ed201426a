package render

import (
	"fmt"
	"slices"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// The approximate size of a page in bytes of HTML. A page ends before the prompt at which it is full, or, in the middle
// of a turn, before the message at which it exceeds the larger limit.
const (
	pageFull     = 300 << 10
	pageOverflow = 380 << 10
)

// A turnPart is the part of a turn that is on one page.
type turnPart struct {
	turn        *normalize.Turn
	items       []normalize.Item
	first, last bool // it holds the start, the end of the turn
	number      int  // of its prompt, from 1; 0 when it has none
}

// paginate deals the turns of a conversation onto pages. Where a page ends is
// a function of the records up to that place, in file order and by their own
// sizes: an append never moves an earlier end, and a late result changes only
// the page of its call.
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
				l, at = turnPart{turn: t}, p
			}
			l.items = append(l.items, item)
		}
		l.last = true
		if len(t.Prompt) > 0 || len(t.Items) > 0 {
			pages[at] = append(pages[at], l)
		}
	}
	// A long rewound attempt leaves pages on which nothing stands. Nothing that stays has
	// followed it, so that no other page gets a new name.
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

// weigh estimates the bytes of HTML that a message becomes, from its own record alone.
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

// pageName names page i, from 0: of the session itself (nil), or of a
// conversation inside it.
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

// What is inside a page at the place that it hangs on: one conversation,
// and all of a page together.
const (
	maxInline     = 24 << 10
	maxInlinePage = 120 << 10
)

// What is small has a page of its own where it does not fit on the one it hangs on:
// so many of a session. Of agents that no call started so many are drawn.
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

// files lists the files of a session, the main one first when it is there.
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
