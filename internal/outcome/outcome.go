package outcome

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// Facts are the most important facts about a session.
type Facts struct {
	Mark   Mark
	Reason string // more about the mark, "" if it needs no more: "the last request failed"

	Asked  string             // the first sentence of the first prompt, one line; "" if there is none
	Prompt *normalize.Message // the message of Asked

	Heading string             // the heading that the last answer begins with, one line; "" for none
	Text    string             // its first sentences, or the recap that the program wrote after it; one line
	Answer  *normalize.Message // the message of Heading and Text, nil if there is no answer
	Halted  bool               // the last turn has no answer: Text and Answer are about its end

	Commits      []Commit
	Pushes       []Push
	PullRequests []PullRequest

	Checks []Check

	seen map[string]bool // commits in logs that git printed so far

	APIErrors int                // failed requests, those of agents included
	APIError  *normalize.Message // the first of them, nil for none
}

// Of returns how the session of a conversation ended. Attempts that were taken back do not count. spilled has long
// outputs that are stored next to the session, by the name of their file.
func Of(c *normalize.Conversation, spilled map[string][]byte) Facts {
	var f Facts
	f.asked(c)
	f.ended(c)
	var checks checkList
	for _, s := range shellsOf(c, spilled) {
		r := newReading(s)
		f.git(r)
		checks.add(r)
	}
	for inner := range c.Kept() {
		f.noted(inner)
		f.apiErrors(inner)
	}
	f.Commits = slices.DeleteFunc(f.Commits, func(c Commit) bool { return c.unsure })
	f.linked(c)
	f.Checks = checks.all
	if f.Mark == Done && len(f.Pushes) > 0 && !f.committedSince() && !f.changedSince(c) {
		f.Mark = Pushed
	}
	return f
}

// shellsOf returns the calls that ran commands, those of agents included, in the order of their times if all have one.
func shellsOf(c *normalize.Conversation, spilled map[string][]byte) []tools.Shell {
	var all []tools.Shell
	for inner := range c.Kept() {
		calls := tools.ShellsOf(inner, tools.SpilledFrom(spilled))
		for g := range inner.Groups() {
			if s := calls.Of(g); len(s.Commands) > 0 {
				all = append(all, s)
			}
		}
	}
	called := func(s tools.Shell) time.Time { return s.Start.Call.Time() }
	if !slices.ContainsFunc(all, func(s tools.Shell) bool { return called(s).IsZero() }) {
		slices.SortStableFunc(all, func(a, b tools.Shell) int { return called(a).Compare(called(b)) })
	}
	return all
}

// Asked returns the first request of a conversation on one line, and its message; "" and nil for none.
func Asked(c *normalize.Conversation) (string, *normalize.Message) {
	var f Facts
	f.asked(c)
	return f.Asked, f.Prompt
}

// asked finds the first request of the session, if possible of more than a word and not blocked by a hook.
func (f *Facts) asked(c *normalize.Conversation) {
	if m := askingCommand(c); m != nil {
		f.Asked, f.Prompt = commandLine(m, maxAsked), m
		return
	}
	for _, t := range c.Turns {
		for _, m := range t.Prompt {
			text := request(m.Text)
			if m.Kind != normalize.Prompt || text == "" {
				continue
			}
			isPoor := normalize.IsWord(m.Text) || m.Blocked()
			if f.Prompt == nil || !isPoor {
				f.Asked, f.Prompt = text, m
			}
			if !isPoor {
				return
			}
		}
	}
	if f.Prompt != nil {
		return
	}
	for _, t := range c.Turns { // the leader of a team asks by a message
		for _, item := range t.Items {
			if m, ok := item.(*normalize.Message); ok && m.Kind == normalize.Teammate {
				if text := request(messageText(m)); text != "" {
					f.Asked, f.Prompt = text, m
					return
				}
			}
		}
	}
	for _, t := range c.Turns { // a command without arguments is a request if there is no other
		for _, m := range t.Prompt {
			if m.Kind == normalize.Command {
				f.Asked, f.Prompt = commandLine(m, maxAsked), m
				return
			}
		}
	}
}

// askingCommand returns the command with arguments that the model answers before somebody writes a prompt of more than
// a word, nil for none.
func askingCommand(c *normalize.Conversation) *normalize.Message {
	for _, t := range c.Turns {
		var command *normalize.Message
		for _, m := range t.Prompt {
			switch {
			case m.Kind == normalize.Prompt && !normalize.IsWord(m.Text) && !m.Blocked():
				return nil
			case m.Kind == normalize.Command:
				command = m // the last of several is the one that is answered
			}
		}
		if command != nil && command.Text != "" && !t.Asked() && len(t.Requests) > 0 {
			return command
		}
	}
	return nil
}

// commandLine returns a command with its arguments, in at most n runes.
func commandLine(m *normalize.Message, n int) string { return words.Line(m.Name+" "+m.Text, n) }

// messageText returns the text of a message from another member of a team: what somebody wrote, otherwise the subject
// of a task that the program assigned: {"type":"task_assignment","subject":"…"}.
func messageText(m *normalize.Message) string {
	assigned := ""
	for _, tag := range m.Tags {
		subject := ""
		if v := strings.TrimSpace(tag.Body); strings.HasPrefix(v, "{") && transcript.Valid([]byte(v)) {
			subject = transcript.String(transcript.Field(jsontext.Value(v), "subject"))
		}
		switch {
		case subject == "" && tag.Body != "":
			return tag.Body
		case assigned == "":
			assigned = subject
		}
	}
	return cmp.Or(assigned, m.Text)
}

// apiErrors counts the failed requests that are not hidden.
func (f *Facts) apiErrors(c *normalize.Conversation) {
	for _, t := range c.Turns {
		for _, item := range t.Items {
			if m, ok := item.(*normalize.Message); ok && m.Kind == normalize.APIError {
				if f.APIErrors++; f.APIError == nil {
					f.APIError = m
				}
			}
		}
	}
}
