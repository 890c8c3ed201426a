package render

import (
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/stats"
	"viewer/internal/tools"
	"viewer/normalize"
)

// sessionData is what is known of a session before any of its pages is drawn. Pages share it, and
// are drawn at the same time: nothing writes to it after Open.
type sessionData struct {
	cwd   string // paths below it are shown relative
	tally *stats.Tally
	tasks tools.Tasks              // the list of tasks after each call that changes it
	turns map[*normalize.Turn]bool // of the session itself
	net   func() *netChange        // what calls changed; it is found out once

	anchorPages map[string]string         // anchor -> page, for links across pages
	calls       map[string]string         // id of a call -> anchor
	spilled     map[string][]byte         // see Session
	workflows   map[string]jsontext.Value // see Session
	labels      map[string]string         // what workflows call their agents, by id

	signContents bool // see Book.SignContents

	notes *sessionNotes // nil for none

	replies map[*normalize.Turn]string // what short prompts answer
	prompts int                        // of the session
	rows    bool                       // of calls only what each was about
	silent  bool                       // the log has no result of any call: pages say it once

	// commits are what commits are called, by the call that made them. They are computed once.
	commits func() map[*normalize.Message]string

	inners     map[*normalize.Conversation]*inner     // agents and branches
	innerNames map[string]bool                        // names that these have
	sentTables map[*normalize.Conversation]*sentTable // of conversations that have pages of their own
}

func newSessionData(c *normalize.Conversation, prices stats.Prices) *sessionData {
	s := &sessionData{
		cwd:         c.Facts.CWD,
		tally:       stats.Count(c, prices),
		tasks:       tools.TasksOf(c),
		net:         func() *netChange { return new(netChange) },
		commits:     func() map[*normalize.Message]string { return nil },
		anchorPages: make(map[string]string, len(c.Order)),
		calls:       anchorsOf(c),
		inners:      make(map[*normalize.Conversation]*inner),
		turns:       make(map[*normalize.Turn]bool, len(c.Turns)),
		replies:     make(map[*normalize.Turn]string),
		innerNames:  make(map[string]bool),
		sentTables:  make(map[*normalize.Conversation]*sentTable),
		silent:      c.Writer.NoResults && !anyResult(c),
	}
	for _, t := range c.Turns {
		s.turns[t] = true
	}
	return s
}

// path shortens a path below the working directory of the session.
func (s *sessionData) path(p string) string { return tools.Short(p, s.cwd) }

// anyResult reports whether the log has the result of a call.
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
