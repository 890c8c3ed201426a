package normalize

import (
	"fmt"
	"strings"

	"viewer/transcript"
)

// An Item is what a turn is made of: a *Message or a *Group.
type Item interface{ isItem() }

// A Group is a tool call in reading order: the call, the hooks before it, its
// result, the hooks after it (reorderMessagesInUI, reference 003).
type Group struct {
	Call   *Message   // nil for a result whose call is not in the file
	Pre    []*Message // hooks of PreToolUse and PermissionRequest
	Result *Message   // nil when there is none; State says why
	Post   []*Message // the other hooks
	Inside []*Message // texts that the call injected, such as the body of a skill
	State  State
	Agents []*Agent // conversations that the call started
}

func (*Group) isItem() {}

// Head is the message that gives the group its place and its anchor.
func (g *Group) Head() *Message {
	if g.Call != nil {
		return g.Call
	}
	return g.Result
}

// Messages are all messages of the group in reading order.
func (g *Group) Messages() []*Message {
	all := make([]*Message, 0, 2+len(g.Pre)+len(g.Post)+len(g.Inside))
	if g.Call != nil {
		all = append(all, g.Call)
	}
	all = append(all, g.Pre...)
	if g.Result != nil {
		all = append(all, g.Result)
	}
	all = append(all, g.Inside...)
	return append(all, g.Post...)
}

// A State says how a call ended.
type State uint8

const (
	Done         State = iota
	Failed             // the result is an error
	Blocked            // a hook did not let it run
	CallDeclined       // the user declined it
	CallDenied         // a permission was missing
	Stopped            // the user interrupted it
	Pending            // no result yet: the log ends while it runs
	Missing            // no result, though the session went on
	Orphan             // a result without a call
)

var stateNames = [...]string{"done", "failed", "blocked", "declined", "denied", "interrupted", "pending", "missing", "orphan"}

func (s State) String() string { return stateNames[s] }

// OK says that there is nothing to look into.
func (s State) OK() bool { return s == Done }

// GroupCalls joins the messages of each tool call, in the place of the call,
// and leaves the others as they are: two passes, O(n). Messages belong together
// by the id of the call and by nothing else, since results and hooks of
// parallel calls interleave and carry times of their own (format, section 12).
//
// What has no place is returned as problems.
func GroupCalls(messages []*Message) ([]Item, []transcript.Problem) {
	calls := make(map[string][]*Group) // usually one each; a copied history repeats them
	groupOf := make(map[*Message]*Group)
	for _, m := range messages {
		if m.Kind == Call && m.Rule == "" {
			g := &Group{Call: m}
			groupOf[m] = g
			calls[m.Block.ID] = append(calls[m.Block.ID], g)
		}
	}
	opened := make(map[string]int) // calls of an id met so far in the second pass
	var items []Item
	var problems []transcript.Problem
	for _, m := range messages {
		if m.Rule != "" {
			continue
		}
		if g := groupOf[m]; g != nil {
			opened[m.Block.ID]++
			items = append(items, g)
			if m.Block.ID == "" {
				problems = append(problems, transcript.Problem{Pos: m.Record.Pos, Text: fmt.Sprintf("message.content[%d]: %s without id", m.Part, m.Block.Type)})
			}
			continue
		}
		id := m.callID()
		if m.Kind == Injected {
			id = m.Record.SourceToolUseID
		}
		var g *Group
		if same := calls[id]; id != "" && len(same) > 0 {
			g = same[max(opened[id]-1, 0)]
		}
		switch {
		case g == nil && m.Kind == Result:
			items = append(items, &Group{Result: m, State: Orphan})
			problems = append(problems, transcript.Problem{Pos: m.Record.Pos, Text: fmt.Sprintf("%s for unknown call %.60q", m.Block.Type, id)})
		case g == nil:
			items = append(items, m)
		case m.Kind == Result && g.Result == nil:
			g.Result = m
		case m.Kind == Result:
			m.Rule = ruleRepeatedResult
		case m.Kind == Injected:
			g.Inside = append(g.Inside, m)
		case before(m.HookEvent):
			g.Pre = append(g.Pre, m)
		default:
			g.Post = append(g.Post, m)
		}
	}
	settle(items)
	return items, problems
}

// before says whether hooks of an event run before the call.
func before(event string) bool {
	return strings.HasPrefix(event, "PreToolUse") || strings.HasPrefix(event, "PermissionRequest")
}

// settle decides how each call ended. A call without result is interrupted when
// an interruption follows before the next prompt, pending when nothing of the
// conversation follows, and missing otherwise.
func settle(items []Item) {
	after := Pending
	behind := "" // the API message behind, unless a human spoke in between
	said := func(m *Message) {
		// Calls of one message run side by side; those of an earlier message had ended.
		id := requestID(m.Record)
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
			if it.Result == nil {
				it.State = after
			} else {
				it.State = resultState(it)
			}
		}
	}
}

func resultState(g *Group) State {
	b := g.Result.Block
	text := ""
	if len(b.Content) > 0 {
		text = b.Content[0].Text
	}
	switch statusOf(text) {
	case Declined, Cancelled:
		return CallDeclined
	case Denied:
		if b.IsError {
			return CallDenied
		}
	case Interrupted, InterruptedCall:
		return Stopped
	case MissingResult:
		return Missing
	}
	if !b.IsError {
		return Done
	}
	for _, h := range g.Pre {
		if h.Name == "hook_blocking_error" {
			return Blocked
		}
	}
	return Failed
}
