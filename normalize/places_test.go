package normalize

import (
	"fmt"
	"testing"

	"viewer/internal/transcript"
)

// checkPlaces checks the promise of Build: the messages of each record are in exactly one conversation, and each
// message that is not hidden is in exactly one place of it, with a unique anchor.
func checkPlaces(t testing.TB, in Input, c *Conversation) {
	t.Helper()
	// The messages of each record.
	parts := make(map[*transcript.Record]int)
	messages := make(map[*Message]bool)
	anchors := make(map[string]*Message)
	conversations := make(map[*Conversation]bool)
	for inner := range c.All() {
		if conversations[inner] {
			t.Errorf("conversation %s is in two places", inner.ID)
		}
		conversations[inner] = true
		if inner.Derived { // made from records of its caller
			continue
		}
		for _, m := range inner.Messages {
			if messages[m] {
				t.Errorf("%s: message is listed twice", at(m))
			}
			messages[m] = true
			parts[m.Record]++
			switch {
			case m.Rule == "" && m.Anchor == "":
				t.Errorf("%s: the message has no anchor", at(m))
			case m.Rule == "" && anchors[m.Anchor] != nil:
				t.Errorf("%s and %s share the anchor %s", at(m), at(anchors[m.Anchor]), m.Anchor)
			}
			if m.Rule == "" {
				anchors[m.Anchor] = m
			}
		}
		checkTurns(t, inner)
	}
	files := []*transcript.File{in.Main}
	for _, f := range in.Agents {
		files = append(files, f.File)
	}
	for _, f := range files {
		for i := range f.Records {
			r := &f.Records[i]
			want := max(1, len(content(r)))
			if got := parts[r]; got != want {
				t.Errorf("%s: %d messages of the record, want %d: %.200s", r.Pos, got, want, r.Raw)
			}
			delete(parts, r)
		}
	}
	for r := range parts {
		t.Errorf("%s: a message whose record is not in the input", r.Pos)
	}
}

// checkTurns checks one conversation, without the agents in it.
func checkTurns(t testing.TB, c *Conversation) {
	t.Helper()
	placed := make(map[*Message]int)
	var listed int
	for i, turn := range c.Turns {
		if turn.Index != i {
			t.Errorf("turn %d has index %d", i, turn.Index)
		}
		listed += len(turn.Messages)
		if len(turn.Messages) == 0 {
			t.Errorf("turn %d is empty", i)
			continue
		}
		turn.Head()
		for _, m := range turn.Prompt {
			placed[m]++
		}
		for _, item := range turn.Items {
			switch it := item.(type) {
			case *Message:
				placed[it]++
			case *Group:
				for _, m := range it.Messages() {
					placed[m]++
				}
				if it.Call == nil && it.State != Orphan {
					t.Errorf("%s: result without call is %s, want orphan", at(it.Result), it.State)
				}
			}
		}
	}
	if listed != len(c.Messages) {
		t.Errorf("the turns have %d messages, want the %d of the conversation", listed, len(c.Messages))
	}
	for _, m := range c.Messages {
		want := 1
		if m.Rule != "" {
			want = 0
		}
		// A warm-up agent is hidden as a whole, after its messages were placed.
		if got := placed[m]; got != want && m.Rule != ruleWarmup {
			t.Errorf("%s: %s %q is in %d places, want %d (rule %q)", at(m), m.Kind, m.Name, got, want, m.Rule)
		}
		delete(placed, m)
	}
	for m := range placed {
		t.Errorf("%s: placed, but not a message of the conversation", at(m))
	}
}

func at(m *Message) string { return fmt.Sprintf("%s part %d", m.Record.Pos, m.Part) }
