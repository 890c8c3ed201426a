package insightpages

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"viewer/internal/insights"
	"viewer/internal/stats"
	"viewer/internal/transcript"
)

// maxColumns is the maximum number of columns of a chart.
const maxColumns = 60

// A column is a day, a week or a month.
type column struct {
	name, short string
	from        string // its first day
	number      int    // of the column, from 0 on; of a month: its number in the year
	isMonth     bool
	models      []stats.Model
	activity    insights.Sum // its places are sessions
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

// lacksTokens reports whether there is work of which no log says how many tokens it took.
func (c *column) lacksTokens() bool {
	u := c.usage()
	return !c.isEmpty() && u.Context()+u.Output == 0
}

// lacksPrice reports whether the cost is unknown, or that of more than a hundredth of the tokens.
func (c *column) lacksPrice() bool {
	unpriced := int64(0)
	for _, m := range c.models {
		unpriced += m.Cost.Unpriced
	}
	u := c.usage()
	return unpriced*100 > u.Context()+u.Output || c.lacksTokens() && c.cost() == 0
}

func (c *column) isEmpty() bool {
	return len(c.models) == 0 && c.activity.Count == 0 && c.activity.Time == 0
}

// add adds another column. Sessions are not known of sums of columns.
func (c *column) add(o *column) {
	c.addModels(o.models)
	c.activity.Count += o.activity.Count
	c.activity.Failed += o.activity.Failed
	c.activity.Time += o.activity.Time
}

func (c *column) addModels(models []stats.Model) {
	c.models = stats.AddDays([]stats.Day{{Models: c.models}}, []stats.Day{{Models: models}})[0].Models
}

// fill adds the days of the page to columns. at returns the column of a date, nil for none.
func (p *insightsPage) fill(at func(date string) *column) {
	for _, day := range p.total.Days {
		if c := at(day.Date); c != nil {
			c.addModels(day.Models)
		}
	}
	for _, s := range p.total.Of(insights.Activity) {
		if c := at(s.Name); c != nil {
			a := &c.activity
			a.Count, a.Failed, a.Time = a.Count+s.Count, a.Failed+s.Failed, a.Time+s.Time
		}
	}
	sessions := make(map[*column][]int32)
	for date, of := range p.total.OnDay {
		if c := at(date); c != nil {
			sessions[c] = append(sessions[c], of...)
		}
	}
	for c, all := range sessions {
		c.setSessions(all)
	}
}

// setSessions sets the number of the sessions of a column, and the newest of them as places.
func (c *column) setSessions(all []int32) {
	slices.Sort(all)
	all = slices.Compact(all)
	c.activity.Sessions = len(all)
	for _, i := range all[:min(len(all), maxInsightLinks)] {
		c.activity.Places = append(c.activity.Places, insights.Place{Session: int(i)})
	}
}

// planColumns makes a column for each day between the first and the last, or for each week or month if there are many
// days. Another one is for unknown days and for those much earlier than the rest.
func (p *insightsPage) planColumns() {
	dates := slices.Sorted(maps.Keys(p.total.OnDay))
	isDay := func(date string) bool { _, err := time.Parse(time.DateOnly, date); return err == nil }
	dates = slices.DeleteFunc(dates, func(date string) bool { return !isDay(date) })
	if len(dates) > 0 {
		p.columns = columnsBetween(dates[0], dates[len(dates)-1])
	}
	p.rest.name = "without a time"
	p.fill(func(date string) *column {
		if len(p.columns) == 0 || !isDay(date) {
			return &p.rest
		}
		i, found := slices.BinarySearchFunc(p.columns, date,
			func(c column, date string) int { return cmp.Compare(c.from, date) })
		if !found {
			i--
		}
		if i < 0 {
			p.rest.name = "earlier"
			return &p.rest
		}
		return &p.columns[i]
	})
}

// columnsBetween returns the columns of a span of days.
func columnsBetween(from, to string) (all []column) {
	first, _ := time.Parse(time.DateOnly, from)
	last, _ := time.Parse(time.DateOnly, to)
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
	if earliest := last.AddDate(0, 1-maxColumns, 0); first.Before(earliest) { // e.g. a log of another century
		first = start(earliest)
	}
	for at := first; !at.After(last); at = next(at) {
		c := column{name: at.Format(layout), short: at.Format(short), from: at.Format(time.DateOnly)}
		c.number, c.isMonth = len(all), short == "Jan"
		if c.isMonth {
			if c.number = int(at.Month() - time.January); c.number == 0 {
				c.short = at.Format("2006")
			}
		}
		all = append(all, c)
	}
	return all
}

// timeRows returns the rows of a table by time, the newest first. The last one sums up the rest.
func (p *insightsPage) timeRows(cells func(*column) []insightCell) (rows []insightRow) {
	rest := column{name: p.rest.name}
	rest.add(&p.rest)
	rest.activity.Sessions, rest.activity.Places = p.rest.activity.Sessions, p.rest.activity.Places
	row := func(c *column) insightRow {
		r := insightRow{Cells: append(plainCells(c.name), cells(c)...)}
		r.Links, r.More = p.links(&c.activity)
		return r
	}
	for i := len(p.columns) - 1; i >= 0; i-- {
		c := &p.columns[i]
		if c.isEmpty() {
			continue
		}
		if len(rows) < p.maxRows() {
			rows = append(rows, row(c))
			continue
		}
		rest.name, rest.activity.Sessions, rest.activity.Places = "earlier", 0, nil
		rest.add(c)
	}
	if !rest.isEmpty() {
		rows = append(rows, row(&rest))
	}
	return rows
}
