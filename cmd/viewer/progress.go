package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"viewer/internal/sitegen"
	"viewer/internal/words"
)

// progress shows the progress of a build: as a bar on a terminal, elsewhere as a line now and then, and not at all with
// --quiet. For the first moment it shows nothing, so that a short build shows nothing at all.
type progress struct {
	mu       sync.Mutex
	u        *ui
	now      func() time.Time
	columns  func() int // width of the terminal, 0 for none
	start    time.Time
	lastLine time.Time // time of the last line
	bar      *progressbar.ProgressBar
	over     bool // the first build is done: later ones are short
}

func newProgress(u *ui) *progress {
	return &progress{u: u, now: time.Now, columns: u.columns, start: time.Now()}
}

const (
	moment = 300 * time.Millisecond
	// between is the time between two lines if there is no bar.
	between = 10 * time.Second
)

func (p *progress) update(at sitegen.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	took := now.Sub(p.start)
	if p.u.quiet || p.over || took < moment {
		return
	}
	if width := p.columns() - reserved; p.bar != nil || width >= 5 {
		if p.bar == nil {
			p.bar = newBar(p.u, at.AllBytes, min(width, 30))
		}
		p.bar.Describe(progressText(at, took))
		_ = p.bar.Set64(at.Bytes) // a bar that cannot be drawn is no reason to stop
		return
	}
	if p.lastLine.IsZero() {
		p.lastLine = p.start
	}
	if now.Sub(p.lastLine) >= between {
		p.lastLine = now
		p.u.line("%s", progressText(at, took))
	}
}

func (p *progress) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

// reserved is the width of everything on the line of a bar except the bar: " 100% || " and the words.
const reserved = 10 + 48

func newBar(u *ui, all int64, width int) *progressbar.ProgressBar {
	return progressbar.NewOptions64(all,
		progressbar.OptionSetWriter(u.err.Raw()),
		progressbar.OptionSetWidth(width),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionShowDescriptionAtLineEnd(),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionThrottle(60*time.Millisecond))
}

// progressText returns "312 of 1,558 sessions, 88 MB/s, 3s left".
func progressText(at sitegen.Progress, took time.Duration) string {
	speed, left := "", ""
	if rate := float64(at.Bytes) / took.Seconds(); rate > 0 {
		speed = speedWords(rate)
		left = max(time.Second, time.Duration(float64(at.AllBytes-at.Bytes)/rate*float64(time.Second)).Round(
			time.Second)).String() + " left"
	}
	if at.Bytes >= at.AllBytes {
		left = ""
	}
	return join(fmt.Sprintf("%s of %s", words.Count(at.Sessions), words.Plural(at.AllSessions, "session", "sessions")),
		speed, left)
}

// speedWords formats bytes per second, "" for almost none.
func speedWords(rate float64) string {
	switch {
	case rate >= 1e6:
		return fmt.Sprintf("%.0f MB/s", rate/1e6)
	case rate >= 1e3:
		return fmt.Sprintf("%.0f KB/s", rate/1e3)
	}
	return ""
}

// columns returns the width of the terminal, 0 if a line cannot be drawn over.
func (u *ui) columns() int {
	f, ok := u.err.Raw().(*os.File)
	if !ok || plain(os.Getenv) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// plain reports whether a terminal cannot draw over its line, or is the log of a CI run. The bar has no colours, so
// NO_COLOR does not matter.
func plain(getenv func(string) string) bool {
	return getenv("TERM") == "dumb" || getenv("CI") != ""
}
