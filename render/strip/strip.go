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
	requests, calls, failed, cuts, agents, other := 0, 0, 0, 0, 0, 0
	var peak int64
	times := arena.times[:0]
	for i := range all {
		h := &all[i]
		times = append(times, interval{h.from, h.to})
		switch {
		case h.cut:
			cuts++
		case h.group == nil:
			requests++
			peak = max(peak, h.context)
		default:
			calls++
			switch callLook(h.group) {
			case "bad":
				failed++
			case "agent":
				agents++
			case "warn":
				other++
			}
		}
	}
	arena.times = times
	if requests < minEvents && calls < minEvents {
		return nil
	}
	a := newAxis(times, fullWidth, &arena.axis)
	for i := range all {
		all[i].left, all[i].right = a.at(all[i].from), a.at(all[i].to)
	}
	v := &View{Width: fullWidth, Height: fullHeight}
	if requests > 0 {
		most := ", at most " + words.Short(peak) + " tokens"
		v.Label = "Context of " + words.Plural(requests, "request", "requests") + most
		v.Keys = append(v.Keys, page.Key{Look: "ctx", Text: "context" + most})
	} else {
		v.Top, v.Height = lowTop, fullHeight-lowTop
	}
	if calls > 0 {
		v.Label = strings.TrimPrefix(v.Label+"; "+words.Plural(calls, "call", "calls"), "; ")
		v.Keys = append(v.Keys, page.Key{Look: "ok", Text: "calls"})
	}
	if agents > 0 {
		v.Keys = append(v.Keys, page.Key{Look: "agent", Text: "agents"})
	}
	if other > 0 {
		v.Keys = append(v.Keys, page.Key{Look: "warn", Text: "not run"})
	}
	if failed > 0 {
		v.Label += ", " + words.Count(failed) + " failed"
		v.Keys = append(v.Keys, page.Key{Look: "bad", Text: "failed"})
	}
	if cuts > 0 {
		v.Label += "; compacted ×" + words.Count(cuts)
		v.Keys = append(v.Keys, page.Key{Look: "cut", Text: "compacted"})
	}
	if len(a.pauses) > 0 {
		v.Keys = append(v.Keys, page.Key{Look: "pause", Text: "pauses, cut short"})
	}
	if timed {
		v.Start, v.End = timesOf(times)
	}
	s := drawing{href: places.Href, axis: a, peak: peak, timed: timed, days: v.Start.Form != ""}
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
