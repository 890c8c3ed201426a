package sitegen

import (
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"viewer/redact"
	"viewer/transcript"
)

// To look for secrets takes as long as all else that reading does: one goroutine reads and
// decodes a large file, in order, and scouts look at the pieces that it will come to. Two
// find as much as it can decode.
const mostScouts = 2

// aheadSize is how much of a file is held for each scout, so that it need not wait.
const aheadSize = 1 << 20

// A lead is a piece that a scout looks at, unless the reader comes first.
type lead struct {
	*trail
	claimed atomic.Bool
	looked  chan struct{}
	failed  bool // the scout panicked: the reader looks itself
}

// A trail is the memory of a lead, which is used again.
type trail struct {
	piece    transcript.Piece
	findings redact.Findings
}

// readAll is g.ReadAll, on all cores when the file is large.
func (c *cover) readAll(g *transcript.Growing, from io.Reader, size int64) (int64, error) {
	n := min(runtime.GOMAXPROCS(0)-1, mostScouts)
	if c == nil || size <= largeFile || n < 1 {
		return g.ReadAll(from, size)
	}
	work := make(chan *lead, 16)
	var scouts sync.WaitGroup
	defer scouts.Wait()
	defer close(work)
	for range n {
		scout := c.Scout()
		scouts.Go(func() {
			for l := range work {
				if l.claimed.CompareAndSwap(false, true) {
					l.failed = new(Options).contain(func() error {
						scout.Look(&l.findings, l.piece.Values())
						return nil
					}) != nil
					close(l.looked)
				}
			}
		})
	}
	defer c.Trust(nil)
	pieces := g.Cut(from, size)
	var ahead []*lead
	held := 0 // bytes
	spare := []*trail{new(trail)}
	for {
		for held < n*aheadSize {
			if len(spare) == 0 {
				spare = append(spare, new(trail))
			}
			l := &lead{trail: spare[0], looked: make(chan struct{})}
			if !pieces.Next(&l.piece) {
				break
			}
			spare = spare[1:]
			ahead = append(ahead, l)
			held += l.piece.Size()
			if !l.piece.Large() { // what is found in it takes memory too
				c.Brief(&l.findings)
				work <- l
			}
		}
		if len(ahead) == 0 {
			return pieces.Read(), pieces.End()
		}
		l := ahead[0]
		ahead = ahead[1:]
		held -= l.piece.Size()
		c.Trust(nil)
		if !l.claimed.CompareAndSwap(false, true) {
			if <-l.looked; !l.failed {
				c.Trust(&l.findings)
			}
		}
		if !g.Take(&l.piece) {
			return pieces.Read(), transcript.ErrNoLines
		}
		spare = append(spare, l.trail)
	}
}
