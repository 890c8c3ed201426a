package strip

import (
	"cmp"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"time"

	"viewer/internal/tools"
	"viewer/internal/words"
	"viewer/render/page"
)

// A drawing is shared by the parts of a strip.
type drawing struct {
	href  func(anchor string) string
	axis  axis
	peak  int64
	timed bool
	days  bool // it covers more than one day
	marks strings.Builder
}

// under draws the context as an area, the pauses and the lines of prompts.
func (s *drawing) under(all []event, prompts string) template.HTML {
	var pauses strings.Builder
	for _, p := range s.axis.pauses {
		pauses.WriteString(rect(p[0], 0, p[1]-p[0], fullHeight))
	}
	// One point for each pointWidth units of the width: the largest context of its requests.
	var points [fullWidth/pointWidth + 1]int // vertical position plus one, 0 for none
	for i := range all {
		h := &all[i]
		if h.context == 0 {
			continue
		}
		p := &points[h.left/pointWidth]
		y := baseLine - int(int64(baseLine-topLine)*h.context/max(s.peak, 1)) + 1
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
		last = strconv.Itoa(i * pointWidth)
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
		html += `<path class="area" d="M` + first + " " + strconv.Itoa(baseLine) + "L" + line.String() + "L" + last +
			" " + strconv.Itoa(baseLine) + `z"/>`
		html += `<path class="line" d="M` + line.String() + `"/>`
	}
	if prompts != "" {
		html += `<path class="asked" d="` + prompts + `"/>`
	}
	return template.HTML(html)
}

// A column is the events in a part of the width.
type column struct {
	first    event
	requests int
	calls    int
	failed   int
	cut      bool
	peak     int64
	busy     []interval // of the calls
}

// columns links each part of the width to its first event, and describes it in words.
func (s *drawing) columns(all []event) []row {
	columns := make([]column, maxColumns)
	for i := range all {
		columns[min(all[i].left*maxColumns/fullWidth, maxColumns-1)].add(&all[i])
	}
	var rows []row
	for i := range columns {
		if columns[i].first.anchor == "" {
			continue
		}
		r, title := s.row(&columns[i], len(rows)+1)
		left, right := i*fullWidth/maxColumns, (i+1)*fullWidth/maxColumns
		s.mark(r.Href, "", title, rect(left, 0, right-left, baseLine))
		rows = append(rows, r)
	}
	return rows
}

func (c *column) add(h *event) {
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
		c.busy = append(c.busy, interval{h.from, h.to})
		if callLook(h.group) == "bad" {
			c.failed++
		}
	}
}

// row describes a column in words, in a row of the table and in a title.
func (s *drawing) row(c *column, number int) (r row, title string) {
	r.Href = s.href(c.first.anchor)
	var parts []string
	switch {
	case c.first.command != "":
		r.Prompt = words.Clip(c.first.command, maxCommand)
		parts = append(parts, r.Prompt)
	case c.first.prompt > 0:
		r.Prompt = words.Count(c.first.prompt)
		parts = append(parts, "prompt "+r.Prompt)
	}
	switch {
	case !s.timed:
		r.Part = "Part " + words.Count(number)
	case s.days:
		r.When = page.ShortMoment(c.first.from)
	default:
		r.When = page.NewStamp(c.first.from, "", "15:04")
	}
	if c.requests > 0 {
		r.Context = words.Short(c.peak)
		parts = append(parts, "context "+r.Context+" tokens")
	}
	if c.calls > 0 {
		r.Calls = words.Count(c.calls)
		parts = append(parts, words.Plural(c.calls, "call", "calls"))
	}
	if c.failed > 0 {
		r.Failed = words.Count(c.failed)
		parts = append(parts, r.Failed+" failed")
	}
	if took := together(c.busy); took >= time.Second && s.timed {
		r.Took = words.Duration(took)
	}
	if c.cut {
		r.Context = strings.TrimPrefix(r.Context+", compacted", ", ")
		parts = append(parts, "compacted")
	}
	return r, strings.Join(parts, ", ")
}

// together returns how long at least one of the intervals, which it sorts, went on: calls side by side count once.
func together(all []interval) time.Duration {
	slices.SortFunc(all, compareIntervals)
	var sum time.Duration
	var end time.Time
	for _, i := range all {
		if i.from.Before(end) {
			i.from = end
		}
		if i.to.After(i.from) {
			sum += i.to.Sub(i.from)
			end = i.to
		}
	}
	return sum
}

// callMarks are the calls of one look that begin in one cell of the width, drawn as one.
type callMarks struct {
	markKey
	n           int
	left, right int
	first       *event
	busy        []interval
}

type markKey struct {
	look string
	cell int
}

// merge merges marks whose keys are the same, in the memory of the marks.
func merge(marks []callMarks) []callMarks {
	at := make(map[markKey]int)
	merged := marks[:0]
	for _, f := range marks {
		i, ok := at[f.markKey]
		if !ok {
			at[f.markKey] = len(merged)
			merged = append(merged, f)
			continue
		}
		m := &merged[i]
		m.n += f.n
		m.left, m.right = min(m.left, f.left), max(m.right, f.right)
		m.busy = append(m.busy, f.busy...)
	}
	return merged
}

// calls draws the calls with their durations. Those of one look that begin close to each other are merged. Failed ones
// are taller, and drawn last.
func (s *drawing) calls(all []event) {
	marks := make([]callMarks, 0, len(all))
	for i := range all {
		if h := &all[i]; h.group != nil {
			key := markKey{callLook(h.group), h.left / minWidth}
			marks = append(marks, callMarks{key, 1, h.left, h.right, h, []interval{{h.from, h.to}}})
		}
	}
	marks = merge(marks)
	for wide := minWidth; len(marks) > maxMarks && wide <= fullWidth; wide *= 2 { // double the width of cells
		for i := range marks {
			marks[i].cell /= 2
		}
		marks = merge(marks)
	}
	heights := map[string]int{"ok": 1, "agent": 2, "warn": 3, "bad": 4}
	slices.SortStableFunc(marks, func(a, b callMarks) int { return cmp.Compare(heights[a.look], heights[b.look]) })
	for i := range marks {
		m := &marks[i]
		y, tall := baseLine+5, 7
		if m.look == "bad" {
			y, tall = baseLine+2, 14
		}
		left := min(m.left, fullWidth-minWidth)
		s.mark(s.href(m.first.anchor), m.look, s.titleOf(m), rect(left, y, max(minWidth, m.right-left), tall))
	}
}

func (s *drawing) titleOf(m *callMarks) string {
	title := words.Plural(m.n, "call", "calls")
	if m.n == 1 {
		title = tools.NameOf(m.first.group)
	}
	if took := together(m.busy); took >= time.Second && s.timed {
		title += ", " + words.Duration(took)
	}
	if m.look != "ok" && m.look != "agent" {
		title += ", " + m.first.group.State.String()
	}
	return title
}

// cuts draws where the context was compacted.
func (s *drawing) cuts(all []event) {
	drawn := make(map[int]bool)
	for i := range all {
		h := &all[i]
		x := min(h.left, fullWidth-minWidth) / minWidth * minWidth
		if !h.cut || drawn[x] || len(drawn) == maxMarks {
			continue
		}
		drawn[x] = true
		s.mark(s.href(h.anchor), "cut", "context compacted",
			"M"+strconv.Itoa(x+minWidth/2)+" 0v"+strconv.Itoa(fullHeight))
	}
}

// mark writes a shape with a link. The tab key skips it, because the table has the same links.
func (s *drawing) mark(href, look, title, path string) {
	b := &s.marks
	b.WriteString(`<a href="` + template.HTMLEscapeString(href) + `" tabindex="-1"`)
	if look != "" && look != "ok" { // most calls
		b.WriteString(` class="m-` + look + `"`)
	}
	b.WriteString("><title>" + template.HTMLEscapeString(title) + `</title><path d="` + path + `"/></a>`)
}

func rect(x, y, wide, tall int) string {
	w := strconv.Itoa(wide)
	return "M" + strconv.Itoa(x) + " " + strconv.Itoa(y) + "h" + w + "v" + strconv.Itoa(tall) + "h-" + w + "z"
}
