package render

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/insights"
	"viewer/internal/notes"
	"viewer/internal/outcome"
	"viewer/internal/stats"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// A Session is what DrawSession draws.
type Session struct {
	Conversation *normalize.Conversation
	Main         *transcript.File
	Agents       []normalize.AgentFile
	Project      Project
	Folder       string // of its pages, below s/
	Worktree     string // of the project's repository that it was at work in, "" for the main one
	ShowAgent    bool   // its head names the coding agent: there are sessions of others beside it
	Relations    []Relation
	Workflows    map[string]jsontext.Value // summaries of finished workflow runs, by run
	Spilled      map[string][]byte         // long outputs with a file of their own, by its name
	Prices       stats.Prices              // of requests whose cost the log does not tell
	Redacted     map[string]int            // what was taken out of its files before they were read, by rule
	Secrets      map[string]int            // of that, what is no personal data
	Sure         int                       // how many of the secrets are such without doubt
	Redact       func(string) string       // takes out of a text what was taken out of its files; nil for nothing
	Notes        []notes.Note              // about it, without what was to be redacted
	Generator    string                    // name and version of the program
	Part         string                    // what is drawn of the session, "prompts 3-7"; "" for all of it
	Rows         bool                      // of calls only what each was about and how it ended
	Fault        bool                      // the program failed on it: there is nothing to draw but the problem
}

// A Project is how pages name and link a project.
type Project struct {
	Name string
	Path string // below the top of the site: "p/ledger-api/index.html"
}

// A Relation is another session that a session belongs to.
type Relation struct {
	How    string // "begins with 34 records of", "resumed from", "team harbour"
	Folder string // of its pages, below s/
	Title  string
	At     time.Time // when the part that is only its own began; zero where unknown, or where its name says enough
}

// A Page is one page of a session.
type Page struct {
	Name string // below the folder of the session: "index.html", "2.html", "agents/ab12.html"
	HTML []byte
}

// A Drawing is a session drawn: its pages, the media they link to, and what is
// needed of it elsewhere.
type Drawing struct {
	Pages   []Page
	Media   []Media
	Summary Summary
	Files   []ChangedFile // that the session changed, as lists show them
	Ledger  Ledger

	Insights insights.Session // with places below the folder of the session
}

// A Summary is what the index pages need of a session.
type Summary struct {
	ID        string
	Folder    string // of its pages, below s/
	Empty     bool   // there is nothing to show
	Archived  bool   // its files are gone, its pages stay
	Title     string
	Project   Project
	Branch    string
	Worktree  string // of the repository, "" for the main one
	Models    []string
	Writer    string // the coding agent whose log it is, as transcript.Writer.Name: "" for Claude Code
	Start     time.Time
	Totals    stats.Totals
	Outcome   Outcome
	Failure   string // the first call that failed: its page and anchor, below the folder; "" when none did
	Relations []Relation
	Notes     int // about it
	Problems  []transcript.Problem
}

// Path returns where the session's first page is, below the top of the site.
func (s Summary) Path() string { return "s/" + s.Folder + "/index.html" }

// Agent returns the coding agent whose log the session is.
func (s *Summary) Agent() transcript.Writer { return transcript.Writer{Name: s.Writer} }

// Title returns the title of a session as pages show it: one line, never empty.
func Title(c *normalize.Conversation) string {
	if t := outcome.Title(&c.Facts); t != "" {
		return t
	}
	if c.Facts.AgentName != "" && c.Facts.TeamName != "" { // a member that was never asked by anybody but the leader
		return oneLine(c.Facts.AgentName+" of team "+c.Facts.TeamName, 120)
	}
	name := "Session without a name"
	if head, _, _ := strings.Cut(c.ID, "-"); len(head) == 8 && len(c.ID) == 36 {
		name = "Session " + head
	} else if c.ID != "" {
		name = "Session " + clip(c.ID, 60)
	}
	if n := c.Facts.AgentsWithoutLog; n > 0 {
		name += ", log is missing, " + plural(n, "agent", "agents")
	}
	return name
}
