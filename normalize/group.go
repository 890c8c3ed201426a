package normalize

import (
	"fmt"
	"slices"
	"strings"

	"viewer/internal/transcript"
)

// An Item is an element of a turn: a *Message, a *Group or a *Branch.
type Item interface{ isItem() }

// A Group is a tool call in reading order: the call, the hooks before it, its result, the hooks after it
// (reorderMessagesInUI).
type Group struct {
	Call   *Message   // nil for a result whose call is not in the file
	Pre    []*Message // hooks of PreToolUse and PermissionRequest
	Result *Message   // nil if there is none; State says why
	Post   []*Message // the other hooks
	Inside []*Message // texts that the call injected, such as the body of a skill, and results after the first
	State  State
	// Progress is the last progress of a call without result.
	Progress *Message
	Captions []*Message // summaries of this call and those after it
	Resumes  *Agent     // the agent of an earlier call that this one resumes
	Agents   []*Agent   // conversations that the call started
}

func (*Group) isItem() {}

// Head returns the message that gives the group its place and its anchor.
func (g *Group) Head() *Message {
	if g.Call != nil {
		return g.Call
	}
	return g.Result
}

// Messages returns all messages of the group in reading order.
func (g *Group) Messages() []*Message {
	all := make([]*Message, 0, 2+len(g.Pre)+len(g.Post)+len(g.Inside))
	if g.Call != nil {
		all = append(all, g.Call)
	}
	all = append(append(all, g.Captions...), g.Pre...)
	if g.Progress != nil {
		all = append(all, g.Progress)
	}
	if g.Result != nil {
		all = append(all, g.Result)
	}
	all = append(all, g.Inside...)
	return append(all, g.Post...)
}

// A State is the way a call ended.
type State uint8

const (
	Done          State = iota
	Failed              // the result is an error
	Blocked             // a hook stopped it
	CallDeclined        // the user declined it
	CallDenied          // a permission was missing
	Stopped             // the user interrupted it
	CallCancelled       // the program gave it up, because a call of the same message failed
	Pending             // no result yet: the log ends while it runs
	Missing             // no result, although the session continued
	Orphan              // a result without a call
	Unlogged            // no result, because the log has none: see transcript.Block.NoResult
)

var stateNames = [...]string{
	"done", "failed", "blocked", "declined", "denied", "interrupted", "cancelled", "pending", "missing", "orphan",
	"unlogged",
}

func (s State) String() string { return stateNames[s] }

// OK reports whether the call succeeded.
func (s State) OK() bool { return s == Done }

// GroupCalls joins the messages of each tool call, at the place of the call, and leaves the others unchanged, in two
// passes and O(n). Messages belong together only by the id of the call, because results and hooks of parallel calls
// interleave and have separate times.
//
// Messages without a call are returned as problems.
func GroupCalls(messages []*Message) ([]Item, []transcript.Problem) {
	all := make([]Group, 0, countCalls(messages)) // in the order of their calls
	c := calls{groups: make(map[string][]*Group, cap(all)), opened: make(map[string]int, cap(all))}
	for _, m := range messages {
		if m.Kind == Call && m.Rule == "" {
			all = append(all, Group{Call: m})
			c.groups[m.Block.ID] = append(c.groups[m.Block.ID], &all[len(all)-1])
		}
	}
	items := make([]Item, 0, len(messages)-len(all)/2)
	var besides map[*Group][]Item
	var problems []transcript.Problem
	for _, m := range messages {
		if m.Kind == Progress {
			if g := c.of(m.callID()); g != nil {
				g.Progress = m
			}
		}
		if m.Rule != "" {
			continue
		}
		if m.Kind == Call {
			g := &all[0]
			all = all[1:]
			c.opened[m.Block.ID]++
			items = append(items, g)
			if m.Block.ID == "" && !m.Block.NoResult {
				problems = append(problems, transcript.Problem{
					Pos: m.Record.Pos, Text: fmt.Sprintf("message.content[%d]: %s without id", m.Part, m.Block.Type),
				})
			}
			continue
		}
		switch g := c.owner(m); {
		case g == nil && m.Kind == Result:
			items = append(items, &Group{Result: m, State: Orphan})
			problems = append(problems, transcript.Problem{
				Pos: m.Record.Pos, Text: fmt.Sprintf("%s for unknown call %.60q", m.Block.Type, m.callID()),
			})
		case m.Kind == System && c.of(m.Record.ToolUseID) != nil:
			if besides == nil {
				besides = make(map[*Group][]Item)
			}
			g = c.of(m.Record.ToolUseID)
			besides[g] = append(besides[g], m)
		case g == nil:
			items = append(items, m)
		default:
			g.add(m)
		}
	}
	items = placeBesides(items, besides)
	setStates(items)
	items = markApproved(items)
	showLastProgress(items)
	return items, problems
}

// add adds a message other than the call itself.
func (g *Group) add(m *Message) {
	switch {
	case m.Kind == Result && g.Result == nil:
		g.Result = m
	case m.Kind == Result && g.repeats(m):
		m.Rule = ruleRepeatedResult
	case m.Kind == Caption:
		g.Captions = append(g.Captions, m)
	case m.Kind == Injected || m.Kind == Result:
		g.Inside = append(g.Inside, m)
	case before(m.HookEvent):
		g.Pre = append(g.Pre, m)
	default:
		g.Post = append(g.Post, m)
	}
}

// placeBesides adds notes of the program about a call as items after it.
func placeBesides(items []Item, besides map[*Group][]Item) []Item {
	if besides == nil {
		return items
	}
	all := make([]Item, 0, len(items)+len(besides))
	for _, item := range items {
		all = append(all, item)
		if g, ok := item.(*Group); ok {
			all = append(all, besides[g]...)
		}
	}
	return all
}

func countCalls(messages []*Message) int {
	n := 0
	for _, m := range messages {
		if m.Kind == Call && m.Rule == "" {
			n++
		}
	}
	return n
}

// calls finds groups by the ids of their calls.
type calls struct {
	groups map[string][]*Group // usually one for each id; a copied history repeats ids
	opened map[string]int      // calls of an id met so far in the second pass
}

func (c calls) of(id string) *Group {
	same := c.groups[id]
	if id == "" || len(same) == 0 {
		return nil
	}
	return same[max(c.opened[id]-1, 0)]
}

// owner returns the group that a message names, nil for none.
func (c calls) owner(m *Message) *Group {
	switch m.Kind {
	case Injected:
		return c.of(m.Record.SourceToolUseID)
	case Caption:
		for _, id := range captioned(m.Record) {
			if g := c.of(id); g != nil {
				return g
			}
		}
		return nil
	}
	return c.of(m.callID())
}

// captioned returns the calls that a summary is about, in order (snake_case in SDK streams).
func captioned(r *transcript.Record) []string {
	var ids []string
	for name, value := range transcript.Members(r.Raw) {
		switch name {
		case "precedingToolUseIds", "preceding_tool_use_ids", "toolUseIds":
			for e := range transcript.Elements(value) {
				ids = append(ids, transcript.String(e))
			}
		}
	}
	return ids
}

// showLastProgress sets the last progress of each call without a result; with a result it would add nothing.
func showLastProgress(items []Item) {
	for _, item := range items {
		g, ok := item.(*Group)
		switch {
		case !ok || g.Progress == nil:
		case g.Result == nil:
			g.Progress.Rule = ""
		default:
			g.Progress = nil
		}
	}
}

// before reports whether hooks of an event run before the call.
func before(event string) bool {
	return strings.HasPrefix(event, "PreToolUse") || strings.HasPrefix(event, "PermissionRequest")
}

// setStates sets how each call ended. A call without a result is interrupted if an interruption follows before the next
// prompt, pending if nothing of the conversation follows, and missing otherwise.
func setStates(items []Item) {
	stopped := make(map[string]bool) // API messages that an interruption names, since 2.1.150
	for _, item := range items {
		if m, ok := item.(*Message); ok && m.Record.InterruptedMessageID != "" {
			stopped[m.Record.InterruptedMessageID] = true
		}
	}
	after := Pending
	behind := "" // the next API message, unless there is a prompt in between
	said := func(m *Message) {
		// Calls of one message run in parallel; those of an earlier message had ended.
		id := RequestID(m.Record)
		if behind != "" && id != "" && id != behind {
			after = Missing
		}
		if id != "" {
			behind = id
		}
	}
	for i := len(items) - 1; i >= 0; i-- {
		switch it := items[i].(type) {
		case *Message:
			switch {
			case it.Status == Interrupted || it.Status == InterruptedCall:
				after, behind = Stopped, ""
			case it.Kind == Prompt && !it.Queued:
				after, behind = Missing, ""
			default:
				said(it)
			}
		case *Group:
			if it.Call == nil {
				continue
			}
			said(it.Call)
			switch call := it.Call.Record; {
			case it.Result != nil:
				it.State = resultState(it)
			case stopped[RequestID(call)] || stopped[call.UUID] && call.UUID != "":
				it.State = Stopped
			case it.Call.Block.NoResult && after != Stopped:
				it.State = Unlogged
			default:
				it.State = after
			}
		}
	}
}

// denials maps kinds of denial to states of calls.
var denials = map[string]State{
	"user-rejected":          CallDeclined,
	"interrupted":            Stopped,
	"permission-rule":        CallDenied,
	"hook":                   Blocked,
	"automode-blocked":       CallDenied, // by the classifier of auto mode
	"automode-unavailable":   CallDenied,
	"automode-parsing-error": CallDenied, // its answer could not be read
}

func resultState(g *Group) State {
	b := g.Result.Block
	text := ""
	if len(b.Content) > 0 {
		text = b.Content[0].Text
	}
	if s, ok := denials[g.Result.Record.DenialKind(b.ToolUseID)]; ok {
		return deniedState(g, s, text)
	}
	switch statusOf(text) {
	case Interrupted, InterruptedCall:
		return Stopped
	case MissingResult:
		return Missing
	}
	if !b.IsError {
		return Done
	}
	if r, ok := RefusalOf(text); ok {
		return r.State
	}
	if strings.HasSuffix(text, abortedText) {
		return Stopped
	}
	if isBlocked(g) {
		return Blocked
	}
	return Failed
}

// deniedState returns the state of a call that did not run. The text of its result is more precise than the kind of the
// denial: a call is "user-rejected" also if nobody was there to ask, and hooks are a "permission-rule".
func deniedState(g *Group, kind State, text string) State {
	if kind != CallDeclined && kind != CallDenied {
		return kind
	}
	if r, ok := RefusalOf(text); ok {
		return r.State
	}
	if kind == CallDenied && isBlocked(g) {
		return Blocked
	}
	return kind
}

// isBlocked reports whether a hook before a call stopped it, or denied it in place of a person.
func isBlocked(g *Group) bool {
	return slices.ContainsFunc(g.Pre, func(h *Message) bool {
		switch h.Name {
		case "hook_blocking_error":
			return true
		case "hook_permission_decision":
			return transcript.String(transcript.Field(h.Record.Attachment.Raw, "decision")) == "deny"
		}
		return false
	})
}
