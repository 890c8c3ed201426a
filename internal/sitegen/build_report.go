package sitegen

import (
	"strings"
	"time"

	"viewer/internal/sitegen/state"
	"viewer/internal/stats"
	"viewer/internal/transcript"
	"viewer/render"
)

// A Progress is the progress of a build.
type Progress struct {
	Sessions, AllSessions int
	Bytes, AllBytes       int64 // of their files
}

// A Report is the result of a build.
type Report struct {
	Sessions int            // with a page
	Agents   map[string]int // the sessions of each coding agent, by its name
	Empty    int            // without anything to show
	Rendered int            // sessions that were drawn
	Reused   int            // sessions whose pages did not change
	Drawn    int            // pages of sessions that were drawn; of a growing session only those that changed
	Kept     int            // sessions whose files are missing and whose pages stay
	Removed  int            // sessions of the last build that were removed without --prune
	Waiting  int            // transcripts whose last line is incomplete: to be read again soon
	Projects int
	Pages    int
	Written  int   // files whose bytes changed
	InBytes  int64 // of the sessions
	Read     int64 // bytes of the sources that were read
	OutBytes int64
	Totals   stats.Totals // of the sessions with a page
	// EmptyTotals are those of the sessions without anything to show. Warm-ups have tokens, too.
	EmptyTotals stats.Totals
	Ledger      render.Ledger
	Problems    []transcript.Problem
	Found       int // number of the first problems, which were found when the sources were listed
	Elapsed     time.Duration
	Stages      []StageTime // time by stage, summed over goroutines: more than Elapsed on several cores

	Filter       string // the filter of the sessions, "" for none
	Since, Until time.Time

	// Fresh is the reason why nothing of the last build could be reused, or "".
	Fresh string
	// Left is the number of files of sessions that are no longer listed, because the state was lost.
	Left int `json:"-"`
	// Changed are the files of the site that were written or removed.
	Changed []string `json:"-"`
	// Wrong are files of the last build that differ from what this one drew (Options.Verify).
	Wrong []string
}

// add counts one session.
func (r *Report) add(s result, summary *render.Summary) {
	s.AddLedger(&r.Ledger)
	r.Problems = append(r.Problems, summary.Problems...)
	r.Pages += s.Pages
	r.Drawn += s.drawn
	r.InBytes += s.bytes
	switch {
	case s.Kept:
	case s.reused:
		r.Reused++
	default:
		r.Rendered++
	}
	if s.Empty {
		r.Empty++
		r.EmptyTotals.Accumulate(summary.Totals)
	} else {
		r.Sessions++
		r.Totals.Accumulate(summary.Totals)
		if r.Agents == nil {
			r.Agents = make(map[string]int)
		}
		r.Agents[summary.Agent().String()]++
	}
}

// setFilter records which sessions were chosen.
func (r *Report) setFilter(f Filter) { r.Filter, r.Since, r.Until = f.String(), f.Since, f.Until }

// isOf reports whether a filter chooses the same sessions. The words for it have no seconds and no time zone.
func (r *Report) isOf(f Filter) bool {
	return r.Filter == f.String() && r.Since.Equal(f.Since) && r.Until.Equal(f.Until)
}

// found returns the problems that were found when the sources were listed.
func (r *Report) found() []transcript.Problem {
	return r.Problems[:max(0, min(r.Found, len(r.Problems)))]
}

// ownProblems copies the last few problems, so that the memory of their session can be freed.
func (r *Report) ownProblems(last int) {
	for i := len(r.Problems) - last; i < len(r.Problems); i++ {
		p := &r.Problems[i]
		p.Pos.File, p.Text = strings.Clone(p.Pos.File), strings.Clone(p.Text)
	}
}

// A result is a session after its pages are written.
type result struct {
	*state.Session
	bytes  int64
	drawn  int // pages
	reused bool
	wrong  []string
	ready  *render.Summary // nil: decode it from the state
}

// summary returns what lists show of the session.
func (r result) summary() *render.Summary {
	if r.ready != nil {
		return r.ready
	}
	s := r.Session.Summary()
	return &s
}
