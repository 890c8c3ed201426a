package export

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"viewer/internal/outcome"
	"viewer/internal/words"
	"viewer/normalize"
)

// A Level selects how much of a session is written, as on its page.
type Level uint8

const (
	Story      Level = iota // prompts, and how each turn ended
	Chat                    // also all messages
	Tools                   // also the calls
	Everything              // also additions of the program: hooks, attachments, system records
)

// Levels are the names of the levels, in order.
var Levels = []string{"story", "chat", "tools", "everything"}

// FormerLevels are former names of levels that settings and scripts may still have.
var FormerLevels = []string{"prompts"}

// ParseLevel reads the name of a level.
func ParseLevel(name string) (Level, error) {
	if i := slices.Index(Levels, name); i >= 0 {
		return Level(i), nil
	}
	if i := slices.Index(FormerLevels, name); i >= 0 {
		return Level(i), nil
	}
	return 0, fmt.Errorf("unknown level %q", name)
}

// A Range is a set of numbers of prompts. The zero value has all.
type Range []struct{ from, to int }

// ErrNoTurns is wrapped with the number of prompts.
var ErrNoTurns = errors.New("no such prompts")

// errRange is wrapped with the form of a range.
var errRange = errors.New("is invalid")

// ParseRange reads "3-7", "3", "3-", "-7" and lists of these: "1,3-7".
func ParseRange(s string) (Range, error) {
	var r Range
	for part := range strings.SplitSeq(s, ",") {
		first, last, isSpan := strings.Cut(strings.TrimSpace(part), "-")
		from, to := 1, int(^uint(0)>>1)
		for _, end := range []struct {
			text string
			to   *int
		}{{first, &from}, {last, &to}} {
			if end.text == "" {
				continue
			}
			n, err := strconv.Atoi(end.text)
			if err != nil || n < 1 {
				return nil, fmt.Errorf("%q %w", s, errRange)
			}
			*end.to = n
		}
		if !isSpan {
			to = from
		}
		if first == "" && last == "" || from > to {
			return nil, fmt.Errorf("%q %w", s, errRange)
		}
		r = append(r, struct{ from, to int }{from, to})
	}
	return r, nil
}

// has reports whether the range has a prompt.
func (r Range) has(number int) bool {
	for _, span := range r {
		if span.from <= number && number <= span.to {
			return true
		}
	}
	return len(r) == 0
}

// A CallDetail selects what is written of calls.
type CallDetail uint8

const (
	AllOfCalls CallDetail = iota // if the level has calls
	CallRows                     // only what each was about and how it ended
	NoCalls
)

// CallDetails are the names of the details, in order.
var CallDetails = []string{"all", "rows", "none"}

// Options select what of a conversation is written. The zero value selects the story of the whole session.
type Options struct {
	Level       Level
	NoThinking  bool
	Calls       CallDetail
	Turns       Range  // by the numbers of prompts on the page
	From, To    string // messages, see Find; "" for the first and the last
	Color       bool   // of Text, for a terminal
	Longest     int    // bytes of an input or output that Markdown writes; 0 for all
	LongestText int    // bytes of a prompt, answer, thought or message; 0 for all
}

// whole reports whether the options select all turns.
func (o Options) whole() bool { return o.Turns == nil && o.From == "" && o.To == "" }

// A turn is the part of a turn that is written.
type turn struct {
	*normalize.Turn
	number int                  // of its prompt, from 1; 0 for no prompt
	prompt []*normalize.Message // nil if it is left out
	items  []normalize.Item
}

// choose returns the parts of a session that the options select.
func choose(c *normalize.Conversation, o Options) ([]turn, error) {
	inside, err := between(c, o.From, o.To)
	if err != nil {
		return nil, err
	}
	var turns []turn
	number, met := 0, 0
	for _, t := range c.Turns {
		asked := 0
		if t.Asked() {
			number++
			asked = number
		}
		if !o.Turns.has(number) {
			continue
		}
		met++
		chosen := o.turn(t, inside)
		chosen.number = asked
		if chosen.prompt != nil || chosen.items != nil {
			turns = append(turns, chosen)
		}
	}
	if met == 0 && o.Turns != nil {
		return nil, fmt.Errorf("%w: the session has %s", ErrNoTurns, words.Plural(number, "prompt", "prompts"))
	}
	return turns, nil
}

// turn returns the part of a turn that the options select.
func (o Options) turn(t *normalize.Turn, inside func(*normalize.Message) bool) turn {
	chosen := turn{Turn: t}
	if len(t.Prompt) > 0 && inside(t.Prompt[0]) {
		chosen.prompt = t.Prompt
	}
	answer := outcome.Answer(t)
	for _, item := range t.Items {
		if o.shows(item, answer) && inside(head(item)) {
			chosen.items = append(chosen.items, item)
		}
	}
	return chosen
}

// everywhere selects all messages.
func everywhere(*normalize.Message) bool { return true }

// between returns a function that reports whether a message is between two others in file order.
func between(c *normalize.Conversation, from, to string) (func(*normalize.Message) bool, error) {
	if from == "" && to == "" {
		return everywhere, nil
	}
	order := make(map[*normalize.Message]int, len(c.Order))
	for i, m := range c.Order {
		order[m] = i
	}
	first, last := 0, len(c.Order)
	if from != "" {
		m, err := findMessage(c, from)
		if err != nil {
			return nil, err
		}
		first = order[m]
	}
	if to != "" {
		m, err := findMessage(c, to)
		if err != nil {
			return nil, err
		}
		last = order[m]
		for last+1 < len(c.Order) && c.Order[last+1].Record == m.Record {
			last++ // all messages of one record
		}
	}
	return func(m *normalize.Message) bool { return first <= order[m] && order[m] <= last }, nil
}

// head returns the message that determines the place of an item.
func head(item normalize.Item) *normalize.Message {
	switch it := item.(type) {
	case *normalize.Group:
		return it.Head()
	case *normalize.Branch:
		return it.Head()
	}
	return item.(*normalize.Message)
}

// shows reports whether an item is written.
func (o Options) shows(item normalize.Item, answer []*normalize.Message) bool {
	switch it := item.(type) {
	case *normalize.Group:
		return !o.withoutCalls()
	case *normalize.Branch:
		return true
	case *normalize.Message:
		if slices.Contains(answer, it) {
			return true
		}
		return o.Level >= lowest(it) && !(o.NoThinking && it.Kind == normalize.Thinking)
	}
	return true
}

// ticks are system records that only say that something ended.
var ticks = map[string]bool{"turn_duration": true, "bridge_status": true, "stop_hook_summary": true}

// lowest returns the lowest level at which a message is written.
func lowest(m *normalize.Message) Level {
	switch m.Kind {
	case normalize.Injected:
		if m.Record.IsVirtual { // meant to be shown
			return Chat
		}
	case normalize.Prompt, normalize.Command, normalize.Shell:
		return Story
	case normalize.Text, normalize.Status, normalize.APIError, normalize.Teammate, normalize.Media:
		return Chat
	case normalize.Thinking:
		if strings.TrimSpace(m.Text) == "" {
			return Everything
		}
		return Tools
	case normalize.Output, normalize.Notification, normalize.Summary, normalize.Caption:
		return Tools
	case normalize.System:
		if ticks[m.Name] {
			return Everything
		}
		return Tools
	case normalize.Unknown:
		if m.Name == "result" { // the end of a run
			return Chat
		}
	}
	return Everything
}
