package render

import (
	"html/template"
	"strings"
	"time"

	"viewer/normalize"
	"viewer/render/page"
)

// stripView is the strip above a conversation: the size of the context at each request, and the calls with their
// duration and outcome, over time. A table below it has the same facts, for screen readers and keyboards. Its size is
// limited: neighbouring marks are merged. It is two pictures on top of each other: the lower one has the role of an
// image, which may not contain links, and the upper one has the links.
type stripView struct {
	Label  string        // a sentence that describes it
	Under  template.HTML // shapes without links
	Marks  template.HTML // shapes with links
	Asked  template.HTML // the prompts below it, by number
	Width  int
	Height int
	Start  page.Stamp
	End    page.Stamp
	Keys   []page.Key
	Rows   []stripRow

	Models []page.Model // totals by model, including agents inside
	Notes  []string
}

// A stripRow is a column of the strip in words.
type stripRow struct {
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
	stripWidth    = 1000
	stripHeight   = 64
	stripBase     = 46 // position of an empty context
	stripTop      = 4  // position of its maximum
	stripPoint    = 5  // units for each point of the context
	stripColumns  = 32 // columns that have a link and a row
	stripMarks    = 50 // maximum number of marks for calls; more are merged
	stripMinWidth = 4  // width of the shortest call
	stripMinimum  = 5  // minimum number of requests or calls for a strip
)

// strip draws a conversation, nil if it is too short.
func (p *pageState) strip(c *normalize.Conversation, arena *stripArena) *stripView {
	if arena == nil {
		arena = new(stripArena)
	}
	defer arena.release()
	all, timed := p.stripEvents(c, arena.events[:0])
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
	if requests < stripMinimum && calls < stripMinimum {
		return nil
	}
	a := newAxis(times, stripWidth, &arena.axis)
	for i := range all {
		all[i].left, all[i].right = a.at(all[i].from), a.at(all[i].to)
	}
	v := &stripView{Width: stripWidth, Height: stripHeight}
	if requests > 0 {
		v.Label = "Context of " + plural(requests, "request", "requests") + ", at most " + short(peak) + " tokens"
		v.Keys = append(v.Keys, page.Key{Look: "ctx", Text: "context, at most " + short(peak) + " tokens"})
	}
	if calls > 0 {
		v.Label = strings.TrimPrefix(v.Label+"; "+plural(calls, "call", "calls"), "; ")
		v.Keys = append(v.Keys, page.Key{Look: "ok", Text: "calls"})
	}
	if agents > 0 {
		v.Keys = append(v.Keys, page.Key{Look: "agent", Text: "agents"})
	}
	if other > 0 {
		v.Keys = append(v.Keys, page.Key{Look: "warn", Text: "not run"})
	}
	if failed > 0 {
		v.Label += ", " + count(failed) + " failed"
		v.Keys = append(v.Keys, page.Key{Look: "bad", Text: "failed"})
	}
	if cuts > 0 {
		v.Label += "; compacted ×" + count(cuts)
		v.Keys = append(v.Keys, page.Key{Look: "cut", Text: "compacted"})
	}
	if len(a.pauses) > 0 {
		v.Keys = append(v.Keys, page.Key{Look: "pause", Text: "pauses, cut short"})
	}
	if timed {
		v.Start, v.End = stripTimes(times)
	}
	s := stripDrawing{page: p, axis: a, peak: peak, timed: timed, days: v.Start.Form != ""}
	lines, labels := s.prompts(promptsOn(c, all))
	v.Under, v.Asked = s.under(all, lines), labels
	s.marks.WriteString(`<g class="columns">`)
	v.Rows = s.columns(all)
	s.marks.WriteString("</g>")
	s.calls(all)
	s.cuts(all)
	v.Marks = template.HTML(s.marks.String())
	if sum := p.tally.Of(c); sum.Tokens() > 0 {
		v.Models = page.NewModels(sum.Models, page.Exact)
		if sum.Agents > 0 {
			v.Notes = []string{"Agents are counted where their model is."}
		}
	}
	return v
}

func stripTimes(all []interval) (start, end page.Stamp) {
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
	return shortMoment(from), shortMoment(to)
}

func shortMoment(t time.Time) page.Stamp { return page.NewStamp(t, "datetime", "2 Jan 15:04") }
