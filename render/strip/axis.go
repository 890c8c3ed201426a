package strip

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// An axis maps times to the width of a drawing. Long pauses without events are shortened: otherwise a session that
// continues the next morning would be two thin lines at the edges.
type axis struct {
	segments []segment
	pauses   [][2]int // start and end of each drawn pause
	width    int
	near     int // the segment of the last time: usually that of the next one, too
}

// An axisArena is the memory of an axis, for reuse.
type axisArena struct {
	sorted   []interval
	segments []segment
}

// A segment is a span of time with one scale, which starts at left.
type segment struct {
	from, to    time.Time
	left, right float64
}

// An interval is the time of an event, which may last.
type interval struct{ from, to time.Time }

func compareIntervals(a, b interval) int { return cmp.Or(a.from.Compare(b.from), a.to.Compare(b.to)) }

// The maximum share of the width of all pauses, and of each.
const (
	allPauses = 0.25
	onePause  = 0.02
)

// newAxis makes an axis for times in any order, none of them zero.
func newAxis(all []interval, width int, arena *axisArena) axis {
	all = append(arena.sorted[:0], all...)
	arena.sorted = all
	slices.SortFunc(all, compareIntervals)
	a := axis{width: width, segments: arena.segments[:0]}
	if len(all) == 0 {
		return a
	}
	// First in seconds, with the pauses left out.
	seconds := 0.0
	now := all[0].from
	addSegment := func(to time.Time, long float64) {
		if to.After(now) {
			a.segments = append(a.segments, segment{now, to, seconds, seconds + long})
			seconds += long
			now = to
		}
	}
	for _, i := range all {
		switch gap := i.from.Sub(now); {
		case gap <= 0:
		case gap < LongPause:
			addSegment(i.from, gap.Seconds())
		default:
			addSegment(i.from, 0)
		}
		addSegment(i.to, shorten(i.to.Sub(now)))
	}
	a.scale(seconds)
	arena.segments = a.segments
	return a
}

// shorten returns the width of a call in seconds. A call of hours, which mostly waited, gets less, to leave room for
// others.
func shorten(d time.Duration) float64 {
	if d <= LongPause {
		return max(0, d.Seconds())
	}
	return LongPause.Seconds() * (1 + math.Log(float64(d)/float64(LongPause)))
}

// scale converts seconds to positions, and sets the width of pauses.
func (a *axis) scale(seconds float64) {
	pauses := 0
	for _, p := range a.segments {
		if p.left == p.right {
			pauses++
		}
	}
	pause, left := 0.0, 0.0
	if pauses > 0 {
		pause = math.Min(onePause, allPauses/float64(pauses)) * float64(a.width)
	}
	unit := 0.0
	if seconds > 0 {
		// The conversion rounds the product on all processors, so that pages are the same.
		unit = (float64(a.width) - float64(pause*float64(pauses))) / seconds
	}
	for i := range a.segments {
		p := &a.segments[i]
		long := (p.right - p.left) * unit
		if p.left == p.right {
			long = pause
			a.pauses = append(a.pauses, [2]int{round(left), round(left + long)})
		}
		p.left, p.right = left, left+long
		left += long
	}
}

// at returns the position of a time.
func (a *axis) at(t time.Time) int {
	i := a.near
	if i >= len(a.segments) || a.segments[i].to.Before(t) || i > 0 && !a.segments[i-1].to.Before(t) {
		i, _ = slices.BinarySearchFunc(a.segments, t, func(p segment, t time.Time) int { return p.to.Compare(t) })
		a.near = i
	}
	if i == len(a.segments) {
		if i == 0 {
			return 0
		}
		return a.width
	}
	p := a.segments[i]
	if !t.After(p.from) {
		return round(p.left)
	}
	return round(p.left + (p.right-p.left)*float64(t.Sub(p.from))/float64(p.to.Sub(p.from)))
}

func round(f float64) int { return int(math.Round(f)) }

// LongPause is the minimum time without a record that is drawn as a pause.
const LongPause = 10 * time.Minute
