package strip

import (
	"html/template"
	"strings"
	"time"

	"viewer/internal/words"
	"viewer/normalize"
	"viewer/render/page"
)

// View is the strip above a conversation: the size of the context at each request, and the calls with their
// duration and outcome, over time. A table below it has the same facts, for screen readers and keyboards. Its size is
// limited: neighbouring marks are merged. It is two pictures on top of each other: the lower one has the role of an
// image, which may not contain links, and the upper one has the links.
type View struct {
	Label  string        // a sentence that describes it
	Under  template.HTML // shapes without links
	Marks  template.HTML // shapes with links
	Asked  template.HTML // the prompts below it, by number
	Width  int
	Top    int // what is drawn above is left out: without contexts there is nothing
	Height int
	Start  page.Stamp
	End    page.Stamp
	Keys   []page.Key
	Rows   []row

	Models []page.Model // totals by model, including agents inside
	Notes  []string
}

// A row is a column of the strip in words.
type row struct {
	Href    string
	When    page.Stamp
	Part    string // instead of the time, if the log has none
	Prompt  string
	Context string
	Calls   string
	Failed  string
	Took    string
}

// Measures of the strip, in units that are scaled to the width of the page.
const (
	fullWidth  = 1000
	fullHeight = 64
	baseLine   = 46 // position of an empty context
	topLine    = 4  // position of its maximum
	lowTop     = 40 // upper edge of a strip without contexts
	pointWidth = 5  // units for each point of the context
	maxColumns = 32 // columns that have a link and a row
	maxMarks   = 50 // maximum number of marks for calls; more are merged
	minWidth   = 4  // width of the shortest call
	minEvents  = 5  // minimum number of requests or calls for a strip
	maxCommand = 40 // letters of the name of a command in the table
)

// Places locate elements on the pages of a session.
type Places struct {
	Pages map[string]string          // by anchor
	Href  func(anchor string) string // address of an anchor
}

// Draw draws a conversation, nil if it is too short. The caller fills in the models.
func Draw(c *normalize.Conversation, places Places, arena *Arena) *View {
	if arena == nil {
		arena = new(Arena)
	}
	defer arena.release()
	all, timed := eventsOf(c, places.Pages, arena.events[:0])
	arena.events = all
	times := arena.times[:0]
	for i := range all {
		times = append(times, interval{all[i].from, all[i].to})
	}
	arena.times = times
	n := countEvents(all)
	if n.requests < minEvents && n.calls < minEvents {
		return nil
	}
	a := newAxis(times, fullWidth, &arena.axis)
	for i := range all {
		all[i].left, all[i].right = a.at(all[i].from), a.at(all[i].to)
	}
	v := &View{Width: fullWidth, Height: fullHeight}
	if n.requests == 0 {
		v.Top, v.Height = lowTop, fullHeight-lowTop
	}
	n.describe(v)
	if len(a.pauses) > 0 {
		v.key("pause", "pauses, cut short")
	}
	if timed {
		v.Start, v.End = timesOf(times)
	}
	s := drawing{href: places.Href, axis: a, peak: n.peak, timed: timed, days: v.Start.Form != ""}
	lines, labels := s.prompts(promptsOn(c, all))
	v.Under, v.Asked = s.under(all, lines), labels
	s.marks.WriteString(`<g class="columns">`)
	v.Rows = s.columns(all)
	s.marks.WriteString("</g>")
	s.calls(all)
	s.cuts(all)
	v.Marks = template.HTML(s.marks.String())
	return v
}

// eventCounts are numbers of events.
type eventCounts struct {
	requests, cuts, calls int
	failed, agents, other int // of the calls
	peak                  int64
}

func countEvents(all []event) (n eventCounts) {
	for i := range all {
		h := &all[i]
		switch {
		case h.cut:
			n.cuts++
		case h.group == nil:
			n.requests++
			n.peak = max(n.peak, h.context)
		default:
			n.calls++
			switch callLook(h.group) {
			case "bad":
				n.failed++
			case "agent":
				n.agents++
			case "warn":
				n.other++
			}
		}
	}
	return n
}

// describe adds the label and the keys.
func (n *eventCounts) describe(v *View) {
	if n.requests > 0 {
		most := ", at most " + words.Short(n.peak) + " tokens"
		v.Label = "Context of " + words.Plural(n.requests, "request", "requests") + most
		v.key("ctx", "context"+most)
	}
	if n.calls > 0 {
		v.Label = strings.TrimPrefix(v.Label+"; "+words.Plural(n.calls, "call", "calls"), "; ")
		v.key("ok", "calls")
	}
	if n.agents > 0 {
		v.key("agent", "agents")
	}
	if n.other > 0 {
		v.key("warn", "not run")
	}
	if n.failed > 0 {
		v.Label += ", " + words.Count(n.failed) + " failed"
		v.key("bad", "failed")
	}
	if n.cuts > 0 {
		v.Label += "; compacted ×" + words.Count(n.cuts)
		v.key("cut", "compacted")
	}
}

func (v *View) key(look, text string) { v.Keys = append(v.Keys, page.Key{Look: look, Text: text}) }

func timesOf(all []interval) (start, end page.Stamp) {
	from, to := all[0].from, all[0].to
	for _, i := range all {
		if i.from.Before(from) {
			from = i.from
		}
		if i.to.After(to) {
			to = i.to
		}
	}
	if from.UTC().Format(time.DateOnly) == to.UTC().Format(time.DateOnly) {
		return page.NewStamp(from, "", "15:04"), page.NewStamp(to, "", "15:04")
	}
	return page.ShortMoment(from), page.ShortMoment(to)
}
