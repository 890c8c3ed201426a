package normalize

import (
	"cmp"
	"fmt"
	"strings"

	"viewer/internal/transcript"
)

// titleOf returns the best title of a session.
func titleOf(f *Facts) string { return cmp.Or(f.GivenTitle(), f.Request()) }

// outline prints a conversation as an indented tree with short lines. A message is its line in the file, ".i" for part
// i of a split record, its kind, and its properties. Below a call are the messages that were grouped with it.
func outline(c *Conversation) string {
	w := new(outliner)
	if title := titleOf(&c.Facts); title != "" {
		w.line("title %s", short(title))
	}
	w.conversation(c)
	for _, a := range c.Agents {
		w.line("unlinked")
		w.in(func() { w.agent(a) })
	}
	for _, a := range c.Unseen {
		w.line("unseen")
		w.in(func() { w.agent(a) })
	}
	for _, p := range c.Problems {
		w.line("problem %s: %s", p.Pos, p.Text)
	}
	return w.b.String()
}

type outliner struct {
	b     strings.Builder
	depth int
}

func (w *outliner) line(format string, args ...any) {
	w.b.WriteString(strings.Repeat("  ", w.depth))
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

func (w *outliner) in(f func()) {
	w.depth++
	f()
	w.depth--
}

func (w *outliner) conversation(c *Conversation) {
	for _, t := range c.Turns {
		w.line("turn %d", t.Index)
		w.in(func() { w.turn(t) })
	}
}

func (w *outliner) turn(t *Turn) {
	for _, m := range t.Prompt {
		w.message("prompt ", m)
	}
	for _, item := range t.Items {
		switch it := item.(type) {
		case *Message:
			w.message("", it)
		case *Group:
			w.group(it)
		case *Branch:
			w.line("taken back")
			w.in(func() { w.conversation(it.Conversation) })
		}
	}
	for _, m := range t.Messages {
		if m.Rule != "" {
			w.line("hidden %s %s", place(m), m.Rule)
		}
	}
	for _, r := range t.Requests {
		w.line("request %s %s", r.ID, usage(r))
	}
}

func (w *outliner) group(g *Group) {
	name, id := "", ""
	if g.Call != nil {
		name, id = g.Call.Name, g.Call.Block.ID
	} else {
		id = g.Result.Block.ToolUseID
	}
	w.line("%s",
		strings.TrimSpace(fmt.Sprintf("call %s %s %s %s %s", place(g.Head()), name, id,
			strings.ToUpper(g.State.String()), g.Head().Ending)))
	w.in(func() {
		for _, m := range g.Captions {
			w.message("caption ", m)
		}
		for _, m := range g.Pre {
			w.message("pre ", m)
		}
		if g.Progress != nil {
			w.message("last ", g.Progress)
		}
		if g.Result != nil {
			text := ""
			if len(g.Result.Block.Content) > 0 {
				text = short(g.Result.Block.Content[0].Text)
				for _, b := range g.Result.Block.Content[1:] {
					text += " + " + short(b.Text)
				}
			}
			w.line("result %s %s", place(g.Result), text)
		}
		for _, m := range g.Inside {
			w.message("inside ", m)
		}
		for _, m := range g.Post {
			w.message("post ", m)
		}
		if g.Resumes != nil {
			w.line("resumes agent %s", g.Resumes.ID)
		}
		for _, a := range g.Agents {
			w.agent(a)
		}
	})
}

func (w *outliner) agent(a *Agent) {
	w.line("%s", strings.TrimSpace(fmt.Sprintf("agent %s %s %s", a.ID, a.Type, a.Description)))
	w.in(func() { w.conversation(a.Conversation) })
}

func (w *outliner) message(role string, m *Message) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s %s", role, place(m), m.Kind)
	if m.Name != "" {
		b.WriteString(" " + m.Name)
	}
	if m.HookEvent != "" {
		b.WriteString(" on " + m.HookEvent)
	}
	if m.Status != NoStatus {
		fmt.Fprintf(&b, " %s", statusNames[m.Status])
	}
	if m.Ending != NoEnding {
		fmt.Fprintf(&b, " ENDED %s", m.Ending)
	}
	if m.Advised {
		b.WriteString(" advised by " + m.Record.AdvisorModel)
	}
	if words := m.Shown(); words != "" {
		b.WriteString(" (" + words + ")")
	}
	if m.Queued {
		b.WriteString(" queued")
	}
	if m.Text != "" {
		b.WriteString(" " + short(m.Text))
	} else {
		for _, t := range m.Tags {
			b.WriteString(" " + short(strings.TrimSpace(t.Body)))
		}
	}
	for _, t := range m.Tags {
		if t.From != "" {
			fmt.Fprintf(&b, " from %s: %s", t.From, short(strings.TrimSpace(t.Body)))
		}
	}
	for _, c := range m.Contexts {
		fmt.Fprintf(&b, " {%s %s}", strings.TrimSpace(c.Kind.String()+" "+c.Name),
			short(strings.TrimSpace(c.Label+" | "+c.Detail)))
	}
	w.line("%s", b.String())
}

var statusNames = map[StatusKind]string{
	Interrupted: "interrupted", InterruptedCall: "interrupted call", Cancelled: "cancelled", Declined: "declined",
	NoResponse: "no response", MissingResult: "missing result", HookStopped: "stopped by a hook",
}

// place returns the line of a message. Those of agents have the name of their file.
func place(m *Message) string {
	if m.Part > 0 {
		return fmt.Sprintf("%d.%d", m.Record.Pos.Line, m.Part)
	}
	return fmt.Sprint(m.Record.Pos.Line)
}

func usage(r *Request) string {
	s := "without usage"
	if r.HasUsage {
		s = fmt.Sprintf("in=%d out=%d", r.Usage.Input, r.Usage.Output)
	}
	if r.Several {
		s += " together"
	}
	if r.OfSession {
		s += " of the session"
	}
	if r.Repeats {
		s += " repeats"
	}
	return s
}

func short(s string) string {
	const most = 70
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return fmt.Sprintf("%q", s)
}

// ids prints the id and the anchor of each message.
func ids(c *Conversation) string {
	var b strings.Builder
	for c := range c.All() {
		for _, m := range c.Messages {
			fmt.Fprintf(&b, "%s id=%s anchor=%s\n", place(m), m.ID, m.Anchor)
		}
	}
	return b.String()
}

// summaries returns the titles in a file by leaf.
func summaries(records []transcript.Record) map[string]string {
	titles := make(map[string]string)
	for _, r := range records {
		if r.Type == "summary" {
			titles[r.LeafUUID] = transcript.String(transcript.Field(r.Raw, "summary"))
		}
	}
	return titles
}
