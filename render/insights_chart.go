package render

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
	"time"

	"viewer/internal/insights"
	"viewer/internal/stats"
	"viewer/internal/transcript"
)

// A chartView is a picture with one column for each step of time.
type chartView struct {
	Label  string
	Width  int
	Height int
	Shapes template.HTML // figures and fixed words, and links to sessions
	Keys   []stripKey
}

// Measures of a chart, in units of the picture.
const (
	chartWidth  = 900 // of a box as wide as the page
	chartHalf   = 430 // of others
	chartHeight = 170
	chartTop    = 16  // room for a figure above the highest column
	chartBase   = 146 // where columns stand
	chartModels = 3   // that have a colour of their own
	maxColumns  = 60
)

// A column is a day, a week or a month.
type column struct {
	name, short string
	from        string // its first day
	models      []stats.Model
	activity    insights.Sum
}

func (c *column) cost() (sum stats.Money) {
	for _, m := range c.models {
		sum += m.Cost.Total()
	}
	return sum
}

func (c *column) usage() (sum transcript.Usage) {
	for _, m := range c.models {
		sum = sum.Add(m.Usage)
	}
	return sum
}

// columnsOf are the days of all sessions, or the weeks or months where these are many, with those in between.
func columnsOf(total *insights.Total) []column {
	days := total.Days
	for len(days) > 0 && days[0].Date == "" {
		days = days[1:]
	}
	if len(days) == 0 {
		return nil
	}
	first, err := time.Parse(time.DateOnly, days[0].Date)
	last, err2 := time.Parse(time.DateOnly, days[len(days)-1].Date)
	if err != nil || err2 != nil {
		return nil
	}
	span := int(last.Sub(first).Hours()/24) + 1
	start := func(t time.Time) time.Time { return t }
	next := func(t time.Time) time.Time { return t.AddDate(0, 0, 1) }
	layout, short := "Mon 2 Jan 2006", "2 Jan"
	switch {
	case span > 7*maxColumns:
		start = func(t time.Time) time.Time { return t.AddDate(0, 0, 1-t.Day()) }
		next = func(t time.Time) time.Time { return t.AddDate(0, 1, 0) }
		layout, short = "January 2006", "Jan"
	case span > maxColumns:
		start = func(t time.Time) time.Time { return t.AddDate(0, 0, -(int(t.Weekday())+6)%7) }
		next = func(t time.Time) time.Time { return t.AddDate(0, 0, 7) }
		layout, short = "week of 2 Jan 2006", "2 Jan"
	}
	first = start(first)
	if earliest := last.AddDate(0, -maxColumns, 0); first.Before(earliest) { // a log of another century
		first = start(earliest)
	}
	var all []column
	for at := first; !at.After(last); at = next(at) {
		all = append(all, column{name: at.Format(layout), short: at.Format(short), from: at.Format(time.DateOnly)})
	}
	at := func(date string) *column {
		i, found := slices.BinarySearchFunc(all, date,
			func(c column, date string) int { return cmp.Compare(c.from, date) })
		if !found {
			i--
		}
		return &all[max(0, i)]
	}
	for _, day := range days {
		if c := at(day.Date); c.from <= day.Date {
			c.models = stats.AddDays([]stats.Day{{Models: c.models}}, []stats.Day{{Models: day.Models}})[0].Models
		}
	}
	for _, s := range total.Of(insights.Activity) {
		if s.Name == "" || s.Name < all[0].from {
			continue
		}
		a := &at(s.Name).activity
		a.Count, a.Failed, a.Time, a.Sessions = a.Count+s.Count, a.Failed+s.Failed, a.Time+s.Time, a.Sessions+s.Sessions
		a.Places = append(a.Places, s.Places...)
	}
	for i := range all {
		a := &all[i].activity
		a.Places = distinctSessions(a.Places)
	}
	return all
}

// distinctSessions are the sessions of places, the newest first.
func distinctSessions(places []insights.Place) []insights.Place {
	for i := range places {
		places[i].At = ""
	}
	slices.SortFunc(places, func(a, b insights.Place) int { return cmp.Compare(a.Session, b.Session) })
	places = slices.CompactFunc(places, func(a, b insights.Place) bool { return a.Session == b.Session })
	return places[:min(len(places), maxSubtotalLinks)]
}

// costBox shows cost and tokens by time, stacked by model.
func (p *insightsPage) costBox() insightBox {
	columns := p.columns
	box := insightBox{
		ID: "cost", Title: "Cost and tokens by model", Wide: true, Columns: []string{"from", "cost", "new tokens",
			"from cache", "calls", "failed", "at work"},
		Note: "Each column leads to its newest session.",
	}
	top := topModels(p.spent.Models)
	for i := len(columns) - 1; i >= 0; i-- {
		c := &columns[i]
		u := c.usage()
		if u == (transcript.Usage{}) && c.activity.Count == 0 {
			continue
		}
		if len(box.Rows) >= p.maxRows() {
			box.More = "earlier ones are not in the table: viewer stats --by month"
			break
		}
		row := insightRow{Cells: []string{c.name, aboutDollars(c.cost().Dollars()),
			aboutTokens(u.Context() - u.CacheRead + u.Output), aboutTokens(u.CacheRead),
			about(c.activity.Count), about(c.activity.Failed), took(c.activity.Time)}}
		row.Links, row.More = p.links(&c.activity)
		box.Rows = append(box.Rows, row)
	}
	size := func(m *stats.Model) int64 { return int64(m.Cost.Total()) }
	if p.spent.Cost.Total() == 0 {
		size = func(m *stats.Model) int64 { return m.Usage.Context() - m.Usage.CacheRead + m.Usage.Output }
		box.Title = "Tokens by model"
	}
	box.Chart = p.stacked(columns, top, size)
	return box
}

// topModels are the models that cost most, by name.
func topModels(models []stats.Model) []string {
	models = slices.Clone(models)
	slices.SortStableFunc(models, func(a, b stats.Model) int {
		return cmp.Or(cmp.Compare(b.Cost.Total(), a.Cost.Total()),
			cmp.Compare(b.Usage.Context()+b.Usage.Output, a.Usage.Context()+a.Usage.Output))
	})
	var names []string
	for _, m := range models[:min(chartModels, len(models))] {
		names = append(names, m.Name)
	}
	return names
}

// stacked draws a column for each step of time.
func (p *insightsPage) stacked(columns []column, top []string, size func(*stats.Model) int64) *chartView {
	if len(columns) == 0 {
		return nil
	}
	heights := make([][chartModels + 1]int64, len(columns))
	var highest int64
	others := false
	for i := range columns {
		var sum int64
		for j := range columns[i].models {
			m := &columns[i].models[j]
			at := slices.Index(top, m.Name)
			if at < 0 {
				at, others = chartModels, others || size(m) > 0
			}
			heights[i][at] += coarse(size(m))
			sum += coarse(size(m))
		}
		highest = max(highest, sum)
	}
	if highest == 0 {
		return nil
	}
	v := &chartView{Label: "Cost by model, as in the table below", Width: chartWidth, Height: chartHeight}
	for i, name := range top {
		v.Keys = append(v.Keys, stripKey{fmt.Sprint("c", i+1), cmp.Or(oneLine(name, 40), "no model named")})
	}
	if others {
		v.Keys = append(v.Keys, stripKey{fmt.Sprint("c", chartModels+1), "others"})
	}
	var b strings.Builder
	step := float64(chartWidth) / float64(len(columns))
	wide := min(step*0.72, 40)
	for i := range columns {
		c := &columns[i]
		x := float64(i)*step + (step-wide)/2
		y := float64(chartBase)
		if href := p.firstOf(&c.activity); href != "" {
			fmt.Fprintf(&b, `<a href="%s">`, template.HTMLEscapeString(href))
		}
		fmt.Fprintf(&b, "<g><title>%s: %s</title>", c.name, aboutDollars(c.cost().Dollars()))
		for at, n := range heights[i] {
			if n == 0 {
				continue
			}
			h := max(1, float64(n)/float64(highest)*(chartBase-chartTop))
			y -= h
			fmt.Fprintf(&b, `<rect class="c%d" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, at+1, x, y, wide, h)
		}
		b.WriteString("</g>")
		if p.firstOf(&c.activity) != "" {
			b.WriteString("</a>")
		}
		every := (len(columns) + 11) / 12
		if i%every == 0 {
			fmt.Fprintf(&b, `<text x="%.1f" y="%d">%s</text>`, x+wide/2, chartBase+16, c.short)
		}
		if cost := c.cost(); len(columns) <= 16 && cost > 0 {
			fmt.Fprintf(&b, `<text x="%.1f" y="%.1f">%s</text>`, x+wide/2, y-4, roughly(cost))
		}
	}
	fmt.Fprintf(&b, `<path d="M0 %d.5H%d"/>`, chartBase, chartWidth)
	v.Shapes = template.HTML(b.String())
	return v
}

// roughly is a cost in as few characters as can be.
func roughly(m stats.Money) string {
	if d := m.Dollars(); d >= 10 {
		return aboutDollars(d)
	}
	return dollars(m.Dollars())
}

// firstOf is the address of the newest session of a sum, "" for none.
func (p *insightsPage) firstOf(s *insights.Sum) string {
	if len(s.Places) == 0 {
		return ""
	}
	links, _ := p.links(&insights.Sum{Places: s.Places[:1]})
	return links[0].Href
}

// cacheBox shows which part of the input was read from the cache.
func (p *insightsPage) cacheBox() insightBox {
	box := insightBox{
		ID: "cache", Title: "Input read from the cache", Note: "What is not read is paid in full or written.",
		Columns: []string{"from", "from cache", "of input"},
	}
	columns := p.columns
	var b strings.Builder
	points, step := 0, float64(chartHalf)/float64(max(1, len(columns)))
	for i := range columns {
		c := &columns[i]
		u := c.usage()
		if u.Context() == 0 {
			continue
		}
		part := float64(u.CacheRead) / float64(u.Context())
		verb := byte('L')
		if points == 0 {
			verb = 'M'
		}
		points++
		fmt.Fprintf(&b, "%c%.1f %.1f", verb, (float64(i)+0.5)*step, chartBase-part*(chartBase-chartTop))
	}
	for i := len(columns) - 1; i >= 0 && len(box.Rows) < p.maxRows(); i-- {
		c := &columns[i]
		u := c.usage()
		if u.Context() == 0 {
			continue
		}
		row := insightRow{Cells: []string{
			c.name, percent(int(u.CacheRead>>10), int(u.Context()>>10)), aboutTokens(u.Context()),
		}}
		row.Links, row.More = p.links(&c.activity)
		box.Rows = append(box.Rows, row)
	}
	if points > 1 {
		lines := ""
		for _, at := range []int{0, 50, 100} {
			y := chartBase - at*(chartBase-chartTop)/100
			lines += fmt.Sprintf(`<path d="M0 %d.5H%d"/><text class="at" x="2" y="%d">%d %%</text>`,
				y, chartHalf, y-4, at)
		}
		box.Chart = &chartView{Label: "Input read from the cache, as in the table below", Width: chartHalf,
			Height: chartHeight, Shapes: template.HTML(lines + `<path class="line" d="` + b.String() + `"/>`)}
	}
	return box
}

// hoursBox shows at which hours prompts were written, as shares: a count would change with each prompt.
func (p *insightsPage) hoursBox() insightBox {
	all := p.total.Sum(insights.Hour).Count
	part := func(s *insights.Sum) string { return percent(s.Count, all) }
	box := p.box(insights.Hour, insightBox{
		ID: "hours", Title: "Busiest hours", Note: "Prompts by the hour in UTC.",
		Columns: []string{"hour", "of prompts"},
		Chart:   &chartView{Label: "Prompts by hour, as in the table below", Width: chartHalf, Height: chartHeight},
	}, measure{
		size: counted.size, value: part,
		cells: func(s *insights.Sum) []string { return []string{part(s)} },
		by:    func(a, b *insights.Sum) int { return strings.Compare(a.Name, b.Name) },
	})
	var parts [24]int // in hundredths
	for _, s := range p.total.Of(insights.Hour) {
		if hour, err := time.Parse("15", s.Name); err == nil {
			parts[hour.Hour()] = max(1, s.Count*100/max(1, all))
		}
	}
	var b strings.Builder
	const step = float64(chartHalf) / 24
	for hour, n := range parts {
		x := float64(hour)*step + 2
		if hour%6 == 0 {
			fmt.Fprintf(&b, `<text x="%.1f" y="%d">%02d</text>`, x+step/2-2, chartBase+16, hour)
		}
		if n > 0 {
			h := n * (chartBase - chartTop) / slices.Max(parts[:])
			fmt.Fprintf(&b, `<rect class="c1" x="%.1f" y="%d" width="%.1f" height="%d"><title>%02d: %d %%</title></rect>`,
				x, chartBase-h, step-4, h, hour, n)
		}
	}
	fmt.Fprintf(&b, `<path d="M0 %d.5H%d"/>`, chartBase, chartHalf)
	box.Chart.Shapes = template.HTML(b.String())
	return box
}

// trendDays is how long the periods are that are compared.
const trendDays = 30

// trendBox compares the last days with those before. They end with the last day that has anything.
func (p *insightsPage) trendBox() insightBox {
	box := insightBox{
		ID: "trends", Title: "The last 30 days", Note: "They end with the last day of a session.",
		Columns: []string{"", "last 30 days", "30 days before", "change"},
	}
	end := ""
	for _, s := range p.total.Of(insights.Activity) {
		end = max(end, s.Name)
	}
	last, err := time.Parse(time.DateOnly, end)
	if err != nil {
		return box
	}
	from := last.AddDate(0, 0, 1-trendDays).Format(time.DateOnly)
	before := last.AddDate(0, 0, 1-2*trendDays).Format(time.DateOnly)
	period := func(day string) int {
		switch {
		case day > end || day < before:
			return -1
		case day >= from:
			return 0
		}
		return 1
	}
	var cost [2]float64
	var tokens, read, context, calls, failed [2]int64
	var work [2]time.Duration
	for _, day := range p.total.Days {
		if i := period(day.Date); i >= 0 {
			for _, m := range day.Models {
				cost[i] += m.Cost.Total().Dollars()
				tokens[i] += m.Usage.Context() - m.Usage.CacheRead + m.Usage.Output
				read[i] += m.Usage.CacheRead
				context[i] += m.Usage.Context()
			}
		}
	}
	for _, s := range p.total.Of(insights.Activity) {
		if i := period(s.Name); i >= 0 {
			calls[i] += int64(s.Count)
			failed[i] += int64(s.Failed)
			work[i] += s.Time
		}
	}
	if calls[1]+tokens[1] == 0 {
		return box // nothing to compare with
	}
	percents := func(f float64) string { return fmt.Sprintf("%.0f %%", f) }
	add := func(name string, now, before float64, words func(float64) string) {
		change := ""
		if isPart := words(now) == percents(now); isPart {
			points := int(math.Round(now - before))
			change = fmt.Sprintf("%+d ", points) + one(max(points, -points), "point", "points")
		} else if before > 0 {
			part := int64(math.Round((now - before) / before * 100))
			change = fmt.Sprintf("%+d %%", coarse(max(part, 0))-coarse(max(-part, 0)))
		}
		change = strings.Replace(change, "-", "−", 1)
		box.Rows = append(box.Rows, insightRow{Cells: []string{name, words(now), words(before), change}})
	}
	add("cost", cost[0], cost[1], aboutDollars)
	add("new tokens", float64(tokens[0]), float64(tokens[1]), func(f float64) string { return aboutTokens(int64(f)) })
	part := func(n, of [2]int64, i int) float64 { return float64(n[i]) / float64(max(1, of[i])) * 100 }
	add("input from the cache", part(read, context, 0), part(read, context, 1), percents)
	add("calls", float64(calls[0]), float64(calls[1]), func(f float64) string { return about(int(f)) })
	add("calls that failed", part(failed, calls, 0), part(failed, calls, 1), percents)
	add("at work", float64(work[0]), float64(work[1]), func(f float64) string { return aboutTime(time.Duration(f)) })
	return box
}
