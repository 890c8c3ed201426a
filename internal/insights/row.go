package insights

import (
	"strings"
	"time"
)

// A Kind is the kind of thing that a Row counts.
type Kind uint8

const (
	Tool         Kind = iota // calls of a tool
	Command                  // calls of a shell, by the command that decides their exit code
	Mended                   // failed commands, and in Detail what made them succeed
	Hook                     // runs of a hook; Failed are those that blocked
	Denied                   // calls that were not allowed to run, by tool, and in Detail by whom
	Skill                    // calls that ran a skill
	Agent                    // calls that started an agent, by its type
	Server                   // calls of an MCP server
	Loop                     // the same call with the same result, repeatedly
	ReadAgain                // repeated reads of a file without a change between
	Unused                   // files that were read and not named again
	Undone                   // files that calls changed, without a net change
	Interruption             // by a person
	Correction               // prompts after an interruption or a declined call
	Compaction               // of the context, by what started it
	Context                  // sessions by the peak of their context
	ContextAdded             // Count: requests after others, Tokens: by how much their context grew
	TimeSpent                // of a session, by kind
	Hour                     // prompts, by the hour of the day in UTC
	Activity                 // of a day in UTC, "" for none: calls, failed calls, and time at work
	Finding                  // notes of people and findings of programs, by label
	ContextAt                // sessions that made so many requests, by that number; Tokens: the context of that request
	kinds                    // number of kinds
)

// A Row counts one thing of a session.
type Row struct {
	Kind   Kind
	Name   string // "" for the sum of all others, if there are too many
	Detail string
	Count  int
	Failed int
	Tokens int64
	Time   time.Duration
	Place  string // of the first one that failed, otherwise of the first: its anchor, or its page and anchor
}

// A rowKey identifies a row.
type rowKey struct {
	kind         Kind
	name, detail string
}

func (r *Row) key() rowKey { return rowKey{r.Kind, r.Name, r.Detail} }

// add adds the counts of another row. The place does not change, unless the other row is the first with a failure.
func (r *Row) add(o *Row) {
	if r.Place == "" || r.Failed == 0 && o.Failed > 0 {
		r.Place = strings.Clone(o.Place) // without the memory of the session
	}
	r.count(o)
}

// count adds only the counts.
func (r *Row) count(o *Row) {
	r.Count += o.Count
	r.Failed += o.Failed
	r.Tokens += o.Tokens
	r.Time += o.Time
}
