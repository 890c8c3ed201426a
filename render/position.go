package render

import (
	"time"

	"viewer/normalize"
)

// A position is the place in the conversation that a drawing has reached. A conversation inside another is drawn from
// a copy.
type position struct {
	clock     time.Time            // time of the last message drawn, for pauses
	day       time.Time            // the last one on the page so far
	depth     int                  // number of conversations around this one on its page
	takenBack int                  // number of attempts that were taken back around this one
	lowest    level                // lowest level of the parts of the current turn
	inAgent   bool                 // an agent is drawn
	answer    []*normalize.Message // the answer of the current turn, which is shown at every level; nil inside agents
	sent      *sentTracker         // for the level As sent; nil if it does not apply
}

// A drawer draws the turns of one conversation onto a page.
type drawer struct {
	*pageState
	position
}

// newDrawer begins a conversation at the top of a page. day is already shown there.
func newDrawer(p *pageState, c *normalize.Conversation, day time.Time) *drawer {
	return &drawer{p, position{day: day, sent: newSentTracker(p.sessionData, c, 0)}}
}

// nested returns a drawer for a conversation inside that of d. It does not change the position of d.
func (d *drawer) nested(in *inner) *drawer {
	own := &drawer{d.pageState, d.position}
	own.depth++
	if in.folder == takenBackFolder {
		own.takenBack++
	} else {
		own.inAgent = true
	}
	own.sent = newSentTracker(d.sessionData, in.Conversation, own.depth)
	return own
}

// A level is the class of an element: the lowest level of the page at which it is shown.
type level string

const (
	always       level = ""
	atChat       level = "at-chat"
	atTools      level = "at-tools"
	atEverything level = "at-everything"
)

// show records that a part of the turn is shown at a level.
func (p *position) show(l level) {
	for _, lowest := range []level{always, atChat, atTools, atEverything} {
		if l == lowest || p.lowest == lowest {
			p.lowest = lowest
			return
		}
	}
}
