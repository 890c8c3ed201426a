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

// columns links each part of the width to its first event, and describes it in words.
func (s *drawing) columns(all []event) []row {
	type column struct {
		first                   event
		requests, calls, failed int
		cut                     bool
		peak                    int64
		took                    time.Duration
	}
	columns := make([]column, maxColumns)
	for i := range all {
		h := &all[i]
		c := &columns[min(h.left*maxColumns/fullWidth, maxColumns-1)]
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
			if callLook(h.group) == "bad" {
				c.failed++
			}
		}
	}
	var rows []row
	for i, c := range columns {
		if c.first.anchor == "" {
			continue
		}
		r := row{Href: s.href(c.first.anchor)}
		var title []string
		if c.first.prompt > 0 {
			r.Prompt = words.Count(c.first.prompt)
			title = append(title, "prompt "+r.Prompt)
		}
		switch {
		case !s.timed:
			r.Part = "Part " + words.Count(len(rows)+1)
		case s.days:
			r.When = page.ShortMoment(c.first.from)
		default:
			r.When = page.NewStamp(c.first.from, "", "15:04")
		}
		if c.requests > 0 {
			r.Context = words.Short(c.peak)
			title = append(title, "context "+r.Context+" tokens")
		}
		if c.calls > 0 {
			r.Calls = words.Count(c.calls)
			title = append(title, words.Plural(c.calls, "call", "calls"))
		}
		if c.failed > 0 {
			r.Failed = words.Count(c.failed)
			title = append(title, r.Failed+" failed")
		}
		if c.took >= time.Second && s.timed {
			r.Took = words.Duration(c.took)
		}
		if c.cut {
			r.Context = strings.TrimPrefix(r.Context+", compacted", ", ")
			title = append(title, "compacted")
		}
		left, right := i*fullWidth/maxColumns, (i+1)*fullWidth/maxColumns
		s.mark(r.Href, "", strings.Join(title, ", "), rect(left, 0, right-left, baseLine))
		rows = append(rows, r)
	}
	return rows
}

// calls draws the calls with their durations. Those of one look that begin close to each other are merged. Failed ones
// are taller, and drawn last.
func (s *drawing) calls(all []event) {
	type key struct {
		look string
		cell int
	}
	type joined struct {
		key
		n           int
		left, right int
		first       event
		took        time.Duration
	}
	var marks []*joined
	at := make(map[key]*joined)
	for i := range all {
		h := &all[i]
		if h.group == nil {
			continue
		}
		k := key{callLook(h.group), h.left / minWidth}
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
	for wide := minWidth; len(marks) > maxMarks && wide <= fullWidth; wide *= 2 { // double the width of cells
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
		title := words.Plural(m.n, "call", "calls")
		if m.n == 1 {
			title = tools.NameOf(m.first.group)
		}
		if m.took >= time.Second && s.timed {
			title += ", " + words.Duration(m.took)
		}
		if m.look != "ok" && m.look != "agent" {
			title += ", " + m.first.group.State.String()
		}
		y, tall := baseLine+5, 7
		if m.look == "bad" {
			y, tall = baseLine+2, 14
		}
		left := min(m.left, fullWidth-minWidth)
		s.mark(s.href(m.first.anchor), m.look, title, rect(left, y, max(minWidth, m.right-left), tall))
	}
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
