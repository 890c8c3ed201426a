package main

import (
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress draws a bar on a terminal, and nothing elsewhere: a build that
// takes less than a moment shows none either.
type progress struct {
	mu    sync.Mutex
	u     *ui
	bar   *progressbar.ProgressBar
	start time.Time
}

func newProgress(u *ui) *progress { return &progress{u: u, start: time.Now()} }

const moment = 300 * time.Millisecond

func (p *progress) update(done, total int, _ int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar == nil {
		if p.u.quiet || !p.u.terminal() || time.Since(p.start) < moment {
			return
		}
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(p.u.err),
			progressbar.OptionSetDescription("building"),
			progressbar.OptionSetWidth(30),
			progressbar.OptionShowCount(),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionThrottle(60*time.Millisecond))
	}
	_ = p.bar.Set(done) // a bar that cannot be drawn is no reason to stop
}

func (p *progress) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
