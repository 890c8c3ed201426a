package render

import (
	"cmp"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"time"

	"viewer/internal/stats"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// stripView is the drawing over a conversation: how full the context was at
// each request, and the calls by duration and outcome, along the time. What it
// shows stands below it as a table too, for those who do not see it or use no
// mouse. Its size does not depend on how much there is to show.
type stripView struct {
	Label string        // all of it in a sentence
	Under template.HTML // what is only to be seen
	Marks template.HTML // what leads to its place
	Width int
	Tall  int
	Start stamp
	End   stamp
	Keys  []stripKey
	Rows  []stripRow

	Models []modelView // what each model did, with the agents inside
	Notes  []string
}

// A stripKey says what a colour stands for.
type stripKey struct{ Look, Text string }

// A stripRow is a stretch of the drawing in words.
type stripRow struct {
	Href    string
	When    stamp
	Part    string // instead of the time, when the log has none
	Prompt  string
	Context string
	Calls   string
	Failed  string
	Took    string
}

// Measures of the drawing, in units that a page stretches to its width.
const (
	stripWide    = 1000
	stripTall    = 64
	stripBase    = 46 // where the context is empty
	stripTop     = 4  // where it is as full as it ever was
	stripPoint   = 5  // the context is told for so many units together
	stripColumns = 32 // stretches that have a link and a row
	stripMarks   = 50 // calls drawn apart; more of them join their neighbours
	stripLeast   = 4  // width of the shortest call
	stripWorth   = 5  // requests or calls that are worth a drawing
)

// A happening is a request, a call or a compaction on its way into the strip.
type happening struct {
	from, to time.Time
	context  int64 // of a request
	group    *normalize.Group
	cut      bool
	prompt   int
	anchor   string
	step     int // of the record, where the log has no times

	left, right int // its place on the axis
}

// strip draws a conversation, nil when there is not enough to see.
func (p *pageState) strip(c *normalize.Conversation, arena *stripArena) *stripView {
	if arena == nil {
		arena = new(stripArena)
	}
	defer arena.release()
	all, timed := p.happenings(c, arena.happenings[:0])
	arena.happenings = all
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
			switch markOf(h.group) {
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
	if requests < stripWorth && calls < stripWorth {
		return nil
	}
	a := newAxis(times, stripWide, &arena.axis)
	for i := range all {
		all[i].left, all[i].right = a.at(all[i].from), a.at(all[i].to)
	}
	v := &stripView{Width: stripWide, Tall: stripTall}
	if requests > 0 {
		v.Label = "Context of " + plural(requests, "request", "requests") + ", at most " + short(peak) + " tokens"
		v.Keys = append(v.Keys, stripKey{"ctx", "context, at most " + short(peak) + " tokens"})
	}
	if calls > 0 {
		v.Label = strings.TrimPrefix(v.Label+"; "+plural(calls, "call", "calls"), "; ")
		v.Keys = append(v.Keys, stripKey{"ok", "calls"})
	}
	if agents > 0 {
		v.Keys = append(v.Keys, stripKey{"agent", "agents"})
	}
	if other > 0 {
		v.Keys = append(v.Keys, stripKey{"warn", "not run"})
	}
	if failed > 0 {
		v.Label += ", " + count(failed) + " failed"
		v.Keys = append(v.Keys, stripKey{"bad", "failed"})
	}
	if cuts > 0 {
		v.Label += "; compacted ×" + count(cuts)
		v.Keys = append(v.Keys, stripKey{"cut", "compacted"})
	}
	if len(a.pauses) > 0 {
		v.Keys = append(v.Keys, stripKey{"pause", "pauses, cut short"})
	}
	if timed {
		v.Start, v.End = stripTimes(times)
	}
	s := stripDrawing{page: p, axis: a, peak: peak, timed: timed, days: v.Start.Form != "time"}
	v.Under = s.under(all)
	v.Rows = s.columns(all)
	s.calls(all)
	s.cuts(all)
	v.Marks = template.HTML(s.marks.String())
	if sum := p.tally.Of(c); sum.Tokens() > 0 {
		v.Models = newModels(sum.Models)
		if sum.Agents > 0 {
			v.Notes = []string{"Agents are counted where their model is."}
		}
	}
	return v
}

// A stripArena is the memory that drawing a strip takes, to be used again: it is drawn
// anew with each record of a session that grows.
type stripArena struct {
	happenings []happening
	times      []interval
	axis       axisArena
}

// release makes the arena hold on to nothing of the session.
func (a *stripArena) release() { clear(a.happenings) }

// happenings lists what the strip shows of a conversation, in the order of the
// file. Without any time in the log each record takes a second,
// and timed is false.
func (s *sessionData) happenings(c *normalize.Conversation, arena []happening) (all []happening, timed bool) {
	all = arena
	var clock time.Time
	number, place, step := 0, "", 0 // the last prompt, the last that has a place on a page, the records so far
	for _, t := range c.Turns {
		if t.Asked() {
			number++
		}
		requests, items := t.Requests, t.Items // those that are still to come: all are in the order of the file
		var last *transcript.Record
		for _, m := range t.Messages {
			if m.Record != last && len(requests) > 0 && requests[0].First == last {
				requests = requests[1:] // it has no place
			}
			last = m.Record
			at := m.Time()
			if at.IsZero() {
				at = clock
			}
			if s.anchorPages[m.Anchor] != "" {
				place = m.Anchor
			}
			if m.Part == 0 {
				step++
			}
			h := happening{from: at, to: at, prompt: number, anchor: place, step: step}
			if len(requests) > 0 && requests[0].First == m.Record && place != "" {
				if h.context = stats.Context(requests[0]); h.context > 0 {
					all = append(all, h)
					clock, h.context = h.from, 0
				}
				requests = requests[1:]
			}
			var g *normalize.Group
			if items, g = callOf(items, m); g != nil {
				h.group = g
				if start, end, ok := stats.CallTime(g); ok {
					h.from, h.to = start, end
				}
				all = append(all, h)
			} else if m.Kind == normalize.System && m.Name == "compact_boundary" && m.Rule == "" {
				h.cut = true
				all = append(all, h)
			} else {
				continue
			}
			clock = h.from
		}
	}
	first := 0
	for first < len(all) && all[first].from.IsZero() {
		first++
	}
	timed = first < len(all)
	for i := range all {
		switch h := &all[i]; {
		case !timed:
			h.from = time.Unix(int64(h.step), 0)
			h.to = h.from
		case i < first:
			h.from, h.to = all[first].from, all[first].from
		default:
			return all, timed
		}
	}
	return all, timed
}

// callOf is the call that a message makes, nil for none, with the items behind it.
func callOf(items []normalize.Item, m *normalize.Message) ([]normalize.Item, *normalize.Group) {
	if m.Kind != normalize.Call || m.Rule != "" {
		return items, nil
	}
	for i, item := range items {
		if g, ok := item.(*normalize.Group); ok && g.Call == m {
			return items[i+1:], g
		}
	}
	return items, nil
}

// markOf is the look of a call in the strip.
func markOf(g *normalize.Group) string {
	switch g.State {
	case normalize.Failed, normalize.Blocked:
		return "bad"
	case normalize.CallDeclined, normalize.CallDenied, normalize.Stopped, normalize.Missing:
		return "warn"
	}
	if len(g.Agents) > 0 {
		return "agent"
	}
	return "ok"
}

func stripTimes(all []interval) (start, end stamp) {
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
		return newStamp(from, "time", "15:04"), newStamp(to, "time", "15:04")
	}
	return shortMoment(from), shortMoment(to)
}

func shortMoment(t time.Time) stamp { return newStamp(t, "datetime", "2 Jan 15:04") }

// A stripDrawing holds what the parts of a strip share.
type stripDrawing struct {
	page  *pageState
	axis  axis
	peak  int64
	timed bool
	days  bool // it is of more than one day
	marks strings.Builder
}

// under draws the context as an area, and the pauses.
func (s *stripDrawing) under(all []happening) template.HTML {
	var pauses strings.Builder
	for _, p := range s.axis.pauses {
		pauses.WriteString(rect(p[0], 0, p[1]-p[0], stripTall))
	}
	// One point for some units of the width: the fullest of its requests.
	var points [stripWide/stripPoint + 1]int // how far down, and one, 0 for none
	for i := range all {
		h := &all[i]
		if h.context == 0 {
			continue
		}
		p := &points[h.left/stripPoint]
		y := stripBase - int(int64(stripBase-stripTop)*h.context/max(s.peak, 1)) + 1
		if *p == 0 || y < *p {
			*p = y
		}
	}
	var line strings.Builder
	first, last := "", ""
	for i, y := range points {
		if y == 0 {
			continue
		}
		last = strconv.Itoa(i * stripPoint)
		if first == "" {
			first = last
		} else {
			line.WriteByte('L')
		}
		line.WriteString(last + " " + strconv.Itoa(y-1))
	}
	html := ""
	if pauses.Len() > 0 {
		html += `<path class="pause" d="` + pauses.String() + `"/>`
	}
	if first != "" {
		html += `<path class="area" d="M` + first + " " + strconv.Itoa(stripBase) + "L" + line.String() + "L" + last + " " + strconv.Itoa(stripBase) + `z"/>`
		html += `<path class="line" d="M` + line.String() + `"/>`
	}
	return template.HTML(html)
}

// columns links stretches of the width to what happened there first, and puts
// each into words.
func (s *stripDrawing) columns(all []happening) []stripRow {
	type column struct {
		first                   happening
		requests, calls, failed int
		cut                     bool
		peak                    int64
		took                    time.Duration
	}
	columns := make([]column, stripColumns)
	for i := range all {
		h := &all[i]
		c := &columns[min(h.left*stripColumns/stripWide, stripColumns-1)]
		if c.first.anchor == "" || h.from.Before(c.first.from) {
			c.first = *h
		}
		switch {
		case h.cut:
			c.cut = true
		case h.group == nil:
			c.requests++
			c.peak = max(c.peak, h.context)
		default:
			c.calls++
			c.took += h.to.Sub(h.from)
			if markOf(h.group) == "bad" {
				c.failed++
			}
		}
	}
	var rows []stripRow
	for i, c := range columns {
		if c.first.anchor == "" {
			continue
		}
		r := stripRow{Href: s.page.href(c.first.anchor)}
		var words []string
		if c.first.prompt > 0 {
			r.Prompt = count(c.first.prompt)
			words = append(words, "prompt "+r.Prompt)
		}
		switch {
		case !s.timed:
			r.Part = "Part " + count(len(rows)+1)
		case s.days:
			r.When = shortMoment(c.first.from)
		default:
			r.When = newStamp(c.first.from, "time", "15:04")
		}
		if c.requests > 0 {
			r.Context = short(c.peak)
			words = append(words, "context "+r.Context+" tokens")
		}
		if c.calls > 0 {
			r.Calls = count(c.calls)
			words = append(words, plural(c.calls, "call", "calls"))
		}
		if c.failed > 0 {
			r.Failed = count(c.failed)
			words = append(words, r.Failed+" failed")
		}
		if c.took >= time.Second && s.timed {
			r.Took = duration(c.took)
		}
		if c.cut {
			r.Context = strings.TrimPrefix(r.Context+", compacted", ", ")
			words = append(words, "compacted")
		}
		left, right := i*stripWide/stripColumns, (i+1)*stripWide/stripColumns
		s.mark(r.Href, "", strings.Join(words, ", "), rect(left, 0, right-left, stripBase))
		rows = append(rows, r)
	}
	return rows
}

// calls draws the calls: as long as they took, those of one look that begin
// close to each other as one. What failed is taller, and drawn last.
func (s *stripDrawing) calls(all []happening) {
	type key struct {
		look string
		cell int
	}
	type joined struct {
		key
		n           int
		left, right int
		first       happening
		took        time.Duration
	}
	var marks []*joined
	at := make(map[key]*joined)
	for i := range all {
		h := &all[i]
		if h.group == nil {
			continue
		}
		k := key{markOf(h.group), h.left / stripLeast}
		m := at[k]
		if m == nil {
			m = &joined{key: k, left: h.left, right: h.right, first: *h}
			at[k] = m
			marks = append(marks, m)
		}
		m.n++
		m.left, m.right = min(m.left, h.left), max(m.right, h.right)
		m.took += h.to.Sub(h.from)
	}
	for wide := stripLeast; len(marks) > stripMarks && wide <= stripWide; wide *= 2 { // cells of twice the width
		clear(at)
		finer := marks
		marks = marks[:0]
		for _, f := range finer {
			f.cell /= 2
			m := at[f.key]
			if m == nil {
				at[f.key] = f
				marks = append(marks, f)
				continue
			}
			m.n += f.n
			m.left, m.right = min(m.left, f.left), max(m.right, f.right)
			m.took += f.took
		}
	}
	heights := map[string]int{"ok": 1, "agent": 2, "warn": 3, "bad": 4}
	slices.SortStableFunc(marks, func(a, b *joined) int { return cmp.Compare(heights[a.look], heights[b.look]) })
	for _, m := range marks {
		words := plural(m.n, "call", "calls")
		if m.n == 1 {
			words = call{Group: m.first.group}.name()
		}
		if m.took >= time.Second && s.timed {
			words += ", " + duration(m.took)
		}
		if m.look != "ok" && m.look != "agent" {
			words += ", " + m.first.group.State.String()
		}
		y, tall := stripBase+5, 7
		if m.look == "bad" {
			y, tall = stripBase+2, 14
		}
		left := min(m.left, stripWide-stripLeast)
		s.mark(s.page.href(m.first.anchor), m.look, words, rect(left, y, max(stripLeast, m.right-left), tall))
	}
}

// cuts draws where the context was compacted.
func (s *stripDrawing) cuts(all []happening) {
	drawn := make(map[int]bool)
	for i := range all {
		h := &all[i]
		x := min(h.left, stripWide-stripLeast) / stripLeast * stripLeast
		if !h.cut || drawn[x] || len(drawn) == stripMarks {
			continue
		}
		drawn[x] = true
		s.mark(s.page.href(h.anchor), "cut", "context compacted", "M"+strconv.Itoa(x+stripLeast/2)+" 0v"+strconv.Itoa(stripTall))
	}
}

// mark writes a shape that leads somewhere. It is not in the order of the tab
// key: the table has the same links.
func (s *stripDrawing) mark(href, look, words, path string) {
	b := &s.marks
	b.WriteString(`<a href="` + template.HTMLEscapeString(href) + `" tabindex="-1"`)
	if look != "" {
		b.WriteString(` class="m-` + look + `"`)
	}
	b.WriteString("><title>" + template.HTMLEscapeString(words) + `</title><path d="` + path + `"/></a>`)
}

func rect(x, y, wide, tall int) string {
	w := strconv.Itoa(wide)
	return "M" + strconv.Itoa(x) + " " + strconv.Itoa(y) + "h" + w + "v" + strconv.Itoa(tall) + "h-" + w + "z"
}
