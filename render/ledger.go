package render

import (
	"maps"
	"strings"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// A Ledger accounts for every value that was read: it was drawn, drawn generically, hidden by a named rule, or
// unreadable. Pages show it as "What this is made of".
type Ledger struct {
	Files   int
	Read    int // values of the files, or lines without one
	Drawn   int
	Generic map[string]int // by kind, such as "tool Foo"
	Hidden  map[string]int // by rule
	Lost    int            // values that became no record; each is a problem
	Missed  int            // not drawn: a bug of the viewer, which pages report

	Redacted map[string]int // number of redactions, by rule
	Sure     int            // number of certain secrets among these

	Kinds map[string]int // contents of the records, by kind: "prompt", "tool Bash", "system turn_duration"

	// What is incomplete.
	Orphans    int // results without a call
	Unanswered int // calls without a result
	Loose      int // agents without a call
	Promptless int // sessions without a prompt
	LogMissing int // sessions without a log, of which only agents are left
}

// Add sums two ledgers.
func (l Ledger) Add(m Ledger) Ledger {
	l.Files += m.Files
	l.Read += m.Read
	l.Drawn += m.Drawn
	l.Lost += m.Lost
	l.Missed += m.Missed
	l.Generic = sum(l.Generic, m.Generic)
	l.Hidden = sum(l.Hidden, m.Hidden)
	l.Kinds = sum(l.Kinds, m.Kinds)
	l.Redacted = sum(l.Redacted, m.Redacted)
	l.Sure += m.Sure
	l.Orphans += m.Orphans
	l.Unanswered += m.Unanswered
	l.Loose += m.Loose
	l.Promptless += m.Promptless
	l.LogMissing += m.LogMissing
	return l
}

// Balanced reports whether everything that was read is accounted for.
func (l Ledger) Balanced() bool {
	return l.Missed == 0 && l.Read == l.Drawn+l.Generics()+l.Hiddens()+l.Lost
}

// Generics counts the records that were drawn generically.
func (l Ledger) Generics() int { return total(l.Generic) }

// Hiddens counts the records that were hidden by a rule.
func (l Ledger) Hiddens() int { return total(l.Hidden) }

func total(m map[string]int) int {
	n := 0
	for _, v := range m {
		n += v
	}
	return n
}

func sum(a, b map[string]int) map[string]int {
	all := make(map[string]int, len(a)+len(b))
	maps.Copy(all, a)
	for k, v := range b {
		all[k] += v
	}
	return all
}

// newLedger counts the records of a session. A record of several parts counts as the first of these that a part has:
// missed, generic, drawn, hidden.
func newLedger(c *normalize.Conversation, files []*transcript.File,
	entries ...map[*normalize.Message]ledgerEntry) Ledger {
	l := Ledger{Files: len(files), Generic: make(map[string]int), Hidden: make(map[string]int),
		Kinds: make(map[string]int)}
	l.Loose = len(c.Agents)
	switch {
	case c.Facts.AgentsWithoutLog > 0:
		l.LogMissing = 1
	case c.Prompts() == 0:
		l.Promptless = 1
	}
	for _, f := range files {
		l.Read += f.Values()
		l.Lost += f.Values() - len(f.Records)
	}
	for conversation := range c.All() {
		if conversation.Derived {
			continue // its steps are progress records of its caller
		}
		for g := range conversation.Groups() {
			switch {
			case g.Call == nil:
				l.Orphans++
			case g.Result == nil && g.State != normalize.Unlogged:
				l.Unanswered++
			}
		}
		messages := conversation.Messages
		for _, m := range messages {
			note(l.Kinds, kindOf(m))
		}
		for parts := range normalize.ByRecord(messages) {
			l.record(parts, entries)
		}
	}
	return l
}

// maxKindNames is the maximum number of kinds with a name for each session. Later ones count as one kind.
const maxKindNames = 1000

func note(counts map[string]int, kind string) {
	if _, known := counts[kind]; !known && len(counts) >= maxKindNames {
		kind = "other kinds"
	}
	counts[kind]++
}

// kindOf returns the kind of a message for the ledger.
func kindOf(m *normalize.Message) string {
	switch m.Kind {
	case normalize.Call:
		return "tool " + oneLine(m.Name, 60)
	case normalize.System, normalize.Attachment, normalize.Hook, normalize.Progress, normalize.Block:
		return strings.TrimSpace(m.Kind.String() + " " + oneLine(m.Name, 60))
	case normalize.Unknown:
		return strings.TrimSpace("record " + oneLine(m.Name, 60))
	}
	return m.Kind.String()
}

func (l *Ledger) record(parts []*normalize.Message, entries []map[*normalize.Message]ledgerEntry) {
	missed, generic, rule, allHidden := false, "", "", true
	for _, m := range parts {
		allHidden = allHidden && m.Rule != ""
		var how ledgerEntry
		drawn := false
		for i := 0; i < len(entries) && !drawn; i++ {
			how, drawn = entries[i][m]
		}
		switch {
		case m.Rule != "":
			rule = m.Rule
		case !drawn:
			missed = true
		case how.generic:
			generic = how.kind
		}
	}
	switch {
	case missed:
		l.Missed++
	case generic != "":
		note(l.Generic, generic)
	case allHidden:
		l.Hidden[rule]++
	default:
		l.Drawn++
	}
}
