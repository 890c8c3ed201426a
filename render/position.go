package render

import (
	"time"

	"viewer/normalize"
)

// A position is the place in the conversation that a drawing has reached. A conversation inside another is drawn from
// a copy.
type position struct {
	clock   time.Time            // time of the last message drawn, for pauses
	day     string               // the last that the page shows so far: 2026-05-12
	depth   int                  // conversations around this one on its page
	rewound int                  // rewound attempts around what is being drawn
	lowest  level                // the lowest at which a part of the turn being drawn shows
	inAgent bool                 // an agent is drawn
	answer  []*normalize.Message // how the turn being drawn ended, which shows at every level; nil inside agents
	sent    *sentTracker         // what became of the messages being drawn, nil where As sent does not apply
}

// A drawer draws the turns of one conversation onto a page.
type drawer struct {
	*pageState
	position
}

// newDrawer begins a conversation at the top of a page, which shows day there.
func newDrawer(p *pageState, c *normalize.Conversation, day string) *drawer {
	return &drawer{p, position{day: day, sent: newSentTracker(p.sessionData, c, 0)}}
}

// nested draws a conversation inside the one that d draws. The position of d stays as it is.
func (d *drawer) nested(in *inner) *drawer {
	own := &drawer{d.pageState, d.position}
	own.depth++
	if in.folder == rewound {
		own.rewound++
	} else {
		own.inAgent = true
	}
	own.sent = newSentTracker(d.sessionData, in.Conversation, own.depth)
	return own
}

// A level is the lowest level of the page at which something shows, as its class.
type level string

const (
	always       level = ""
	atChat       level = "at-chat"
	atTools      level = "at-tools"
	atEverything level = "at-everything"
)

// show notes at which level something of the turn shows.
func (p *position) show(l level) {
	for _, lowest := range []level{always, atChat, atTools, atEverything} {
		if l == lowest || p.lowest == lowest {
			p.lowest = lowest
			return
		}
	}
}
