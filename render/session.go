package render

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/insights"
	"viewer/internal/notes"
	"viewer/internal/stats"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// A Session is a session to draw.
type Session struct {
	Conversation *normalize.Conversation
	Main         *transcript.File
	Agents       []normalize.AgentFile
	Project      Project
	Folder       string // of its pages, below s/
	Worktree     string // name of the work tree of the repository, "" for the main one
	ShowAgent    bool   // show the coding agent, because the site has several
	Relations    []Relation
	Workflows    map[string]jsontext.Value // summaries of finished workflow runs, by run
	Spilled      map[string][]byte         // long outputs, by the name of their files
	Prices       stats.Prices              // for requests without a logged cost
	Redacted     map[string]int            // number of redactions, by rule
	Secrets      map[string]int            // those of them that are not personal data
	Sure         int                       // number of certain secrets among them
	Redact       func(string) string       // redacts a text with the secrets of the session; nil for no redaction
	Notes        []notes.Note              // redacted notes about it
	Generator    string                    // name and version of the program
	Part         string                    // the part that is drawn, "prompts 3-7"; "" for all of it
	Rows         bool                      // draw only the rows of calls
	Fault        bool                      // the program failed on it: draw only the problem
}

// A Project is the name and the address of a project.
type Project struct {
	Name string
	Path string // below the top of the site: "p/ledger-api/index.html"
}

// A Relation is a link to a related session.
type Relation struct {
	How    string // "begins with 34 records of", "resumed from", "team harbour"
	Folder string // of its pages, below s/
	Title  string
	At     time.Time // start of the part that only this session has; zero if unknown, or not needed besides the name
}

// A Page is one page of a session.
type Page struct {
	Name string // relative to the folder of the session: "index.html", "2.html", "agents/ab12.html"
	HTML []byte
}

// A Drawing is a drawn session: its pages, the media that they link to, and its facts for other pages.
type Drawing struct {
	Pages   []Page
	Media   []Media
	Summary Summary
	Files   []ChangedFile // changed files, for lists
	Ledger  Ledger

	Insights insights.Session // with places relative to the folder of the session
}

// A Summary is the facts about a session for index pages.
type Summary struct {
	ID        string
	Folder    string // of its pages, below s/
	Empty     bool   // nothing to show
	Kept      bool   // its files are missing, and its pages are kept
	Title     string
	Project   Project
	Branch    string
	Worktree  string // of the repository, "" for the main one
	Models    []string
	Writer    string // its coding agent, as transcript.Writer.Name: "" for Claude Code
	Start     time.Time
	Totals    stats.Totals
	Outcome   Outcome
	Failure   string // the page and anchor of the first failed call, relative to the folder; "" for none
	Relations []Relation
	Notes     int // number of notes about it
	Problems  []transcript.Problem
}

// Path returns the path of the first page, relative to the top of the site.
func (s Summary) Path() string { return "s/" + s.Folder + "/index.html" }

// Agent returns the coding agent of the session.
func (s *Summary) Agent() transcript.Writer { return transcript.Writer{Name: s.Writer} }
