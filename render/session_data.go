package render

import (
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/stats"
	"viewer/internal/tools"
	"viewer/normalize"
)

// sessionData is everything about a session that is known before its pages are drawn. Pages share it and are drawn at
// the same time, so it is read-only after Open.
type sessionData struct {
	cwd   string // paths below it are shown relative
	tally *stats.Tally
	tasks tools.Tasks              // the list of tasks after each call that changes it
	ends  tools.Ends               // how commands ended that ran on after their results
	turns map[*normalize.Turn]bool // of the session itself
	net   func() *netChange        // the net change, computed once

	anchorPages map[string]string         // anchor -> page, for links across pages
	calls       map[string]string         // id of a call -> anchor
	spilled     map[string][]byte         // see Session
	workflows   map[string]jsontext.Value // see Session
	labels      map[string]string         // labels of agents from workflows, by id

	signContents bool // see Pages.SignContents

	notes *sessionNotes // nil for none

	replies map[*normalize.Turn]string // the text that short prompts answer
	prompts int                        // of the session
	rows    bool                       // draw only the rows of calls
	silent  bool                       // the log has no results, which pages mention once
	directs bool                       // answers have directives

	// commits returns the names of commits, by the call that made them. They are computed once.
	commits func() map[*normalize.Message]string

	inners     map[*normalize.Conversation]*inner     // agents and branches
	innerNames map[string]bool                        // names of these
	sentTables map[*normalize.Conversation]*sentTable // of conversations with separate pages
}

func newSessionData(c *normalize.Conversation, prices stats.Prices) *sessionData {
	s := &sessionData{
		cwd:         c.Facts.CWD,
		tally:       stats.Count(c, prices),
		tasks:       tools.TasksOf(c),
		ends:        tools.EndsOf(c),
		net:         func() *netChange { return new(netChange) },
		commits:     func() map[*normalize.Message]string { return nil },
		anchorPages: make(map[string]string, len(c.Order)),
		calls:       anchorsOf(c),
		inners:      make(map[*normalize.Conversation]*inner),
		turns:       make(map[*normalize.Turn]bool, len(c.Turns)),
		replies:     make(map[*normalize.Turn]string),
		innerNames:  make(map[string]bool),
		silent:      c.Writer.NoResults && !anyResult(c),
		directs:     c.Writer.Directs,
	}
	for _, t := range c.Turns {
		s.turns[t] = true
	}
	return s
}

// path shortens a path in the working directory of the session.
func (s *sessionData) path(p string) string { return tools.Short(p, s.cwd) }

// anyResult reports whether the log has any result of a call.
func anyResult(c *normalize.Conversation) bool {
	for inner := range c.All() {
		for g := range inner.Groups() {
			if g.Result != nil {
				return true
			}
		}
	}
	return false
}
