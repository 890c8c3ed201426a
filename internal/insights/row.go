package insights

import (
	"strings"
	"time"
)

// A Kind says what a Row counts.
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
	Loop                     // the same call with the same result, time after time
	ReadAgain                // reads of a file that nobody changed between
	Unused                   // files that were read and not named again
	Undone                   // files that calls changed, and of which nothing is left
	Interruption             // by a person
	Correction               // prompts behind an interruption or a declined call
	Compaction               // of the context, by what started it
	Context                  // sessions by how full their context was at most
	ContextAdded             // Count: requests behind others, Tokens: how much larger than before their context was
	TimeSpent                // of a session, by kind
	Hour                     // prompts, by the hour of the day in UTC
	Activity                 // of a day in UTC: Count calls, Failed ones, and Time at work
	Finding                  // notes of people and findings of programs, by label
	kinds                    // how many there are
)

// A Row counts one thing of a session.
type Row struct {
	Kind   Kind
	Name   string // "" stands for all that are too many to have a row of their own
	Detail string
	Count  int
	Failed int
	Tokens int64
	Time   time.Duration
	Place  string // where the first that failed stands, else the first: its anchor, or its page with its anchor
}

// A row is told from others by these.
type rowKey struct {
	kind         Kind
	name, detail string
}

func (r *Row) key() rowKey { return rowKey{r.Kind, r.Name, r.Detail} }

// add adds counts to those of a row. Its place stays, unless the other one is the first that failed.
func (r *Row) add(o Row) {
	if r.Place == "" || r.Failed == 0 && o.Failed > 0 {
		r.Place = strings.Clone(o.Place) // without the memory of the session
	}
	r.Count += o.Count
	r.Failed += o.Failed
	r.Tokens += o.Tokens
	r.Time += o.Time
}
