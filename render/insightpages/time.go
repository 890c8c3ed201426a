package insightpages

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
	"viewer/internal/words"
	"viewer/render/page"
)

// chartModels is the number of models that have a colour of their own.
const chartModels = 3

// modelSeries returns the series of the most expensive models, and one of all others.
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
			fmt.Sprint("c", i+1), cmp.Or(words.Line(m.Name, 40), "no model named"),
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
	return append(out, series{fmt.Sprint("c", chartModels+1), "others", func(c *column) (sum int64) {
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
	all = slices.DeleteFunc(all, func(s series) bool { return !slices.Contains(box.Chart.Keys, s.key()) })
	for _, s := range all {
		box.Columns = append(box.Columns, s.text)
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

// wordsOf formats a size, "" for none.
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

func newTokens(m *stats.Model) int64 { return newTokensOf(m.Usage) }

// newTokensOf returns the number of input tokens that were not read from the cache plus the output tokens.
func newTokensOf(u transcript.Usage) int64 { return u.Context() - u.CacheRead + u.Output }

// tokensBox shows tokens by time, stacked by model.
func (p *insightsPage) tokensBox() insightBox {
	return p.byModel(insightBox{
		ID: "tokens", Title: "New tokens by model", Columns: []string{"from", "from cache", "new"},
		Note: "What was sent without what was read from the cache, and what was written.",
	}, chartHalf, newTokens, aboutTokens, func(c *column) []insightCell {
		u := c.usage()
		return plainCells(wordsOf(u.CacheRead, aboutTokens), wordsOf(newTokensOf(u), aboutTokens))
	})
}

// callsBox shows calls by time, and those of them that failed.
func (p *insightsPage) callsBox() insightBox {
	box := insightBox{
		ID: "calls", Title: "Calls and failures", Columns: []string{"from", "calls", "failed", "share", "at work"},
		Note: "The table also has the time at work.",
	}
	write := func(n int64) string { return about(int(n)) }
	box.Chart = p.stacked(stackedChart{label: box.Title, width: chartHalf, words: write, series: []series{
		{"c5", "failed", func(c *column) int64 { return int64(c.activity.Failed) }},
		{"c1", "others", func(c *column) int64 { return int64(c.activity.Count - c.activity.Failed) }},
	}})
	if box.Chart == nil {
		return box
	}
	box.Rows = p.timeRows(func(c *column) []insightCell {
		a := &c.activity
		part := ""
		if a.Failed > 0 {
			part = words.Percent(a.Failed, a.Count)
		}
		return plainCells(about(a.Count), wordsOf(int64(a.Failed), write), part, took(a.Time))
	})
	return box
}

// firstOf returns the address of the newest session of a sum, "" for none.
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
	part := func(c *column) int { // in percent, as a chart with more digits would change with each request
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
			fmt.Fprintf(&b, "%c%s %s", verb, tenths((float64(i)+0.5)*step),
				tenths(chartBase-float64(float64(part(c))/100*(chartBase-chartTop))))
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
		return plainCells(words.Count(part(c))+" %", aboutTokens(u.Context()))
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

// hoursBox shows the hours at which prompts were written, as shares, because counts would change with each prompt.
func (p *insightsPage) hoursBox() insightBox {
	all := p.total.Sum(insights.Hour).Count
	part := func(s *insights.Sum) string { return words.Percent(s.Count, all) }
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
		x := float64(float64(hour)*step) + 2
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

// trendDays is the length of the compared periods.
const trendDays = 30

// trendBox compares the last period with the one before. It ends with the last day that has requests or calls.
func (p *insightsPage) trendBox() insightBox {
	box := insightBox{
		ID: "trends", Title: "The last 30 days",
		Note:    "They end with the last day of a session, and are compared with the 30 days before.",
		Columns: []string{"figure", "last 30", "before", "change"},
	}
	var days []string
	for _, s := range p.total.Of(insights.Activity) {
		days = append(days, s.Name)
	}
	end := page.LastDay(days)
	last, err := time.Parse(time.DateOnly, end)
	if err != nil {
		return box
	}
	from := last.AddDate(0, 0, 1-trendDays).Format(time.DateOnly)
	first := last.AddDate(0, 0, 1-2*trendDays).Format(time.DateOnly)
	var now, before column
	p.fill(func(date string) *column {
		switch {
		case date > end || date < first:
			return nil
		case date >= from:
			return &now
		}
		return &before
	})
	if int64(before.activity.Count)+newTokensOf(before.usage()) == 0 {
		return box // nothing to compare with
	}
	for _, t := range trends {
		box.Rows = append(box.Rows, insightRow{Cells: []insightCell{
			{Text: t.name}, {t.cell(&now), p.firstOf(&now.activity)}, {t.cell(&before), p.firstOf(&before.activity)},
			{Text: t.changeOf(&now, &before)},
		}})
	}
	return box
}

// A trend is a number of a period compared with that of the period before.
type trend struct {
	name   string
	of     func(*column) float64
	words  func(float64) string
	isPart bool               // it is in percent, and its change in points
	lacks  func(*column) bool // reports whether the logs of a period do not have the number, or only a part of it
}

var trends = []trend{
	{"sessions", func(c *column) float64 { return float64(c.activity.Sessions) },
		func(f float64) string { return words.Count(int(f)) }, false, never},
	{"cost", func(c *column) float64 { return c.cost().Dollars() }, aboutDollars, false, (*column).lacksPrice},
	{"new tokens", func(c *column) float64 { return float64(newTokensOf(c.usage())) },
		func(f float64) string { return aboutTokens(int64(f)) }, false, (*column).lacksTokens},
	{"from the cache", func(c *column) float64 { return percentOf(c.usage().CacheRead, c.usage().Context()) },
		percents, true, (*column).lacksTokens},
	{"calls", func(c *column) float64 { return float64(c.activity.Count) }, aboutNumber, false, never},
	{"failed", func(c *column) float64 { return percentOf(int64(c.activity.Failed), int64(c.activity.Count)) },
		percents, true, never},
	{"at work", func(c *column) float64 { return float64(c.activity.Time) },
		func(f float64) string { return aboutTime(time.Duration(f)) }, false, never},
}

func never(*column) bool { return false }

// cell formats the number of a period, "–" if the logs do not have it.
func (t *trend) cell(c *column) string {
	n := t.of(c)
	if n == 0 && t.lacks(c) {
		return "–"
	}
	return t.words(n)
}

// changeOf formats the difference between two periods, "" if the logs of one have only a part of the number.
func (t *trend) changeOf(now, before *column) string {
	if t.lacks(now) || t.lacks(before) {
		return ""
	}
	return t.change(t.of(now), t.of(before))
}

func percentOf(n, of int64) float64 { return float64(n) / float64(max(1, of)) * 100 }
func percents(f float64) string     { return fmt.Sprintf("%.0f %%", f) }
func aboutNumber(f float64) string  { return about(int(f)) }

// change formats the difference between the periods, "" if there is nothing to compare with.
func (t *trend) change(now, before float64) string {
	switch {
	case t.isPart:
		points := int(math.RoundToEven(now) - math.RoundToEven(before)) // of the numbers beside it, rounded alike
		return signed(int64(points)) + " " + words.One(max(points, -points), "point", "points")
	case before > 0:
		percent := int64(math.Round((now - before) / before * 100))
		return signed(coarse(max(percent, 0))-coarse(max(-percent, 0))) + " %"
	}
	return ""
}

// signed formats a number with its sign, 0 without one.
func signed(n int64) string {
	if n == 0 {
		return "0"
	}
	return strings.Replace(fmt.Sprintf("%+d", n), "-", "−", 1)
}
