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
)

// chartModels is the number of models that have a colour of their own.
const chartModels = 3

// modelSeries are the models that cost most, and all others.
func (p *insightsPage) modelSeries(size func(*stats.Model) int64) []series {
	all := column{}
	for i := range p.columns {
		all.add(&p.columns[i])
	}
	slices.SortStableFunc(all.models, func(a, b stats.Model) int {
		return cmp.Or(cmp.Compare(b.Cost.Total(), a.Cost.Total()),
			cmp.Compare(b.Usage.Context()+b.Usage.Output, a.Usage.Context()+a.Usage.Output))
	})
	var out []series
	var names []string
	for i, m := range all.models[:min(chartModels, len(all.models))] {
		names = append(names, m.Name)
		out = append(out, series{
			stripKey{fmt.Sprint("c", i+1), cmp.Or(oneLine(m.Name, 40), "no model named")},
			func(c *column) (sum int64) {
				for j := range c.models {
					if c.models[j].Name == m.Name {
						sum += size(&c.models[j])
					}
				}
				return sum
			},
		})
	}
	return append(out, series{stripKey{fmt.Sprint("c", chartModels+1), "others"}, func(c *column) (sum int64) {
		for j := range c.models {
			if !slices.Contains(names, c.models[j].Name) {
				sum += size(&c.models[j])
			}
		}
		return sum
	}})
}

// byModel fills a box with a chart of columns that are stacked by model, and the table behind it.
func (p *insightsPage) byModel(box insightBox, width int, size func(*stats.Model) int64, words func(int64) string,
	more func(*column) []insightCell) insightBox {
	all := p.modelSeries(size)
	box.Chart = p.stacked(stackedChart{label: box.Title, width: width, series: all, words: words})
	if box.Chart == nil {
		return box
	}
	all = slices.DeleteFunc(all, func(s series) bool { return !slices.Contains(box.Chart.Keys, s.key) })
	for _, s := range all {
		box.Columns = append(box.Columns, s.key.Text)
	}
	box.Rows = p.timeRows(func(c *column) []insightCell {
		cells := more(c)
		for _, s := range all {
			cells = append(cells, insightCell{Text: wordsOf(s.size(c), words)})
		}
		return cells
	})
	return box
}

// wordsOf is a size as words, "" for none.
func wordsOf(n int64, words func(int64) string) string {
	if n == 0 {
		return ""
	}
	return words(n)
}

func moneyWords(n int64) string { return aboutDollars(stats.Money(n).Dollars()) }

// costBox shows cost by time, stacked by model.
func (p *insightsPage) costBox() insightBox {
	return p.byModel(insightBox{
		ID: "cost", Title: "Cost by model", Wide: true, Columns: []string{"from", "cost"},
		Note: "Each column leads to its newest session.",
	}, chartWidth, func(m *stats.Model) int64 { return int64(m.Cost.Total()) }, moneyWords,
		func(c *column) []insightCell { return plainCells(wordsOf(int64(c.cost()), moneyWords)) })
}

func newTokens(m *stats.Model) int64 { return m.Usage.Context() - m.Usage.CacheRead + m.Usage.Output }

// tokensBox shows tokens by time, stacked by model.
func (p *insightsPage) tokensBox() insightBox {
	return p.byModel(insightBox{
		ID: "tokens", Title: "New tokens by model", Columns: []string{"from", "from cache", "new"},
		Note: "What was sent without what was read from the cache, and what was written.",
	}, chartHalf, newTokens, aboutTokens, func(c *column) []insightCell {
		u := c.usage()
		return plainCells(wordsOf(u.CacheRead, aboutTokens), wordsOf(u.Context()-u.CacheRead+u.Output, aboutTokens))
	})
}

// callsBox shows calls by time, and those of them that failed.
func (p *insightsPage) callsBox() insightBox {
	box := insightBox{
		ID: "calls", Title: "Calls and failures", Columns: []string{"from", "calls", "failed", "share", "at work"},
		Note: "The table also has the time at work.",
	}
	words := func(n int64) string { return about(int(n)) }
	box.Chart = p.stacked(stackedChart{label: box.Title, width: chartHalf, words: words, series: []series{
		{stripKey{"c5", "failed"}, func(c *column) int64 { return int64(c.activity.Failed) }},
		{stripKey{"c1", "others"}, func(c *column) int64 { return int64(c.activity.Count - c.activity.Failed) }},
	}})
	if box.Chart == nil {
		return box
	}
	box.Rows = p.timeRows(func(c *column) []insightCell {
		a := &c.activity
		part := ""
		if a.Failed > 0 {
			part = percent(a.Failed, a.Count)
		}
		return plainCells(about(a.Count), wordsOf(int64(a.Failed), words), part, took(a.Time))
	})
	return box
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
	part := func(c *column) int { // in hundredths: a chart with more digits changes with each request
		u := c.usage()
		return int(float64(u.CacheRead) / float64(u.Context()) * 100)
	}
	var b strings.Builder
	points, step := 0, float64(chartHalf)/float64(max(1, len(p.columns)))
	for i := range p.columns {
		if c := &p.columns[i]; c.usage().Context() > 0 {
			verb := byte('L')
			if points == 0 {
				verb = 'M'
			}
			points++
			fmt.Fprintf(&b, "%c%.1f %.1f", verb, (float64(i)+0.5)*step,
				chartBase-float64(part(c))/100*(chartBase-chartTop))
		}
	}
	if points == 0 {
		return box
	}
	box.Rows = p.timeRows(func(c *column) []insightCell {
		u := c.usage()
		if u.Context() == 0 {
			return plainCells("", "")
		}
		return plainCells(count(part(c))+" %", aboutTokens(u.Context()))
	})
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
		size: counted.size, value: part, all: true,
		cells: func(s *insights.Sum) []insightCell { return plainCells(part(s)) },
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
		ID: "trends", Title: "The last 30 days",
		Note:    "They end with the last day of a session, and are compared with the 30 days before.",
		Columns: []string{"", "last 30", "before", "change"},
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
	var sessions [2]insights.Sum
	for i := range sessions {
		p.sessionsOn(&sessions[i], func(date string) bool { return period(date) == i })
	}
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
	number := func(f float64) string { return about(int(f)) }
	percents := func(f float64) string { return fmt.Sprintf("%.0f %%", f) }
	add := func(name string, now, before float64, words func(float64) string) {
		change := ""
		if isPart := words(now) == percents(now); isPart {
			points := int(math.Round(now - before))
			change = signed(int64(points)) + " " + one(max(points, -points), "point", "points")
		} else if before > 0 {
			part := int64(math.Round((now - before) / before * 100))
			change = signed(coarse(max(part, 0))-coarse(max(-part, 0))) + " %"
		}
		box.Rows = append(box.Rows, insightRow{Cells: []insightCell{
			{Text: name}, {words(now), p.firstOf(&sessions[0])}, {words(before), p.firstOf(&sessions[1])},
			{Text: change},
		}})
	}
	add("sessions", float64(sessions[0].Sessions), float64(sessions[1].Sessions), number)
	add("cost", cost[0], cost[1], aboutDollars)
	add("new tokens", float64(tokens[0]), float64(tokens[1]), func(f float64) string { return aboutTokens(int64(f)) })
	part := func(n, of [2]int64, i int) float64 { return float64(n[i]) / float64(max(1, of[i])) * 100 }
	add("from the cache", part(read, context, 0), part(read, context, 1), percents)
	add("calls", float64(calls[0]), float64(calls[1]), number)
	add("failed", part(failed, calls, 0), part(failed, calls, 1), percents)
	add("at work", float64(work[0]), float64(work[1]), func(f float64) string { return aboutTime(time.Duration(f)) })
	return box
}

// signed is a number with its sign, 0 without one.
func signed(n int64) string {
	if n == 0 {
		return "0"
	}
	return strings.Replace(fmt.Sprintf("%+d", n), "-", "−", 1)
}
