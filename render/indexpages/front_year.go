package indexpages

import (
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"viewer/internal/words"
	"viewer/render/page"
)

// yearView is the calendar of twelve months: a column for each week and a cell for each day, which is darker if more
// sessions began on it. The table below it has the figures.
type yearView struct {
	ID      string // "2025-12", its first month
	Title   string // "Dec 2025 – Nov 2026"
	Words   string // "214 sessions on 96 days"
	Open    bool   // the newest one; the others are folded
	Width   int    // of the picture, in its units
	Months  []monthLabel
	Shape   string        // outline of all days, filled with a pattern of cells
	Days    template.HTML // cells of days with sessions
	Table   []monthRow    // months with sessions
	Columns []int         // of days
}

type monthLabel struct {
	X    int
	Text string
}

// monthRow is a month in the table, with its days.
type monthRow struct {
	Name string
	Days []dayCell
}

type dayCell struct {
	Count string // "" for a day without sessions, or one that the month does not have
	Href  string
}

// Positions of cells, in units of the picture.
const (
	cellStep = 13
	cellLeft = 26 // space for the names of days
	cellTop  = 16 // and of months
)

// maxYears is the maximum number of drawn years. The list of months has the others.
const maxYears = 3

// fewestDays is the minimum number of days with sessions for a single calendar: the list shows fewer as well.
const fewestDays = 3

// A dayCount counts the sessions that began on a day.
type dayCount struct {
	sessions int
	href     string
}

// years returns the twelve months that end with that of the newest session, and the years before that have sessions;
// none if all sessions are of one or two days. The list has sessions of wrong clocks. One of a clock that is a few
// years ahead leaves the years of the others drawn.
func (f frontPage) years() []yearView {
	days := f.days()
	newest := slices.Sorted(maps.Keys(days))
	slices.Reverse(newest)
	end, err := time.Parse(time.DateOnly, page.LastDay(newest))
	if err != nil {
		return nil
	}
	var all []yearView
	start := end.AddDate(0, 1, 1-end.Day()) // of the last drawn year
	for _, day := range newest {
		at, err := time.Parse(time.DateOnly, day)
		if err != nil || !at.Before(start) || len(all) == maxYears {
			continue
		}
		for at.Before(start) {
			start = start.AddDate(-1, 0, 0)
		}
		v := drawYear(start, days)
		v.Open = len(all) == 0
		all = append(all, v)
	}
	if len(all) == 1 && len(days) < fewestDays {
		return nil
	}
	return all
}

// days counts the sessions that are not hidden, by day.
func (f frontPage) days() map[string]*dayCount {
	days := make(map[string]*dayCount)
	for i, p := range slices.Concat(f.shown, f.older) {
		file := ""
		if i >= len(f.shown) {
			file = f.href(p) + ".html"
		}
		for _, s := range p.sessions {
			day := f.List.day(s)
			if day == "" || s.isMinor {
				continue
			}
			d := days[day]
			if d == nil { // the newest session of the day, which may continue on the next page
				d = &dayCount{href: file + "#" + dayAnchor(day)}
				days[day] = d
			}
			d.sessions++
		}
	}
	return days
}

// drawYear lays out twelve months from the first day of one.
func drawYear(start time.Time, days map[string]*dayCount) yearView {
	end := start.AddDate(1, 0, -1)
	v := yearView{ID: start.Format("2006-01"), Title: start.Format("Jan 2006") + " – " + end.Format("Jan 2006")}
	for day := range 31 {
		v.Columns = append(v.Columns, day+1)
	}
	offset := (int(start.Weekday()) + 6) % 7 // days since Monday
	shades := newShades(start, end, days)
	sessions, busy := 0, 0
	var cells strings.Builder
	n := offset
	for at := start; !at.After(end); at = at.AddDate(0, 0, 1) {
		x, y := cellLeft+n/7*cellStep, cellTop+n%7*cellStep
		if at.Day() == 1 {
			v.Months = append(v.Months, monthLabel{cellLeft + (n+6)/7*cellStep, at.Format("Jan")})
		}
		v.Width = x + cellStep
		n++
		d := days[at.Format(time.DateOnly)]
		if d == nil {
			continue
		}
		sessions, busy = sessions+d.sessions, busy+1
		cells.WriteString(`<a href="` + d.href + `" tabindex="-1">`)
		cells.WriteString(`<rect class="h` + strconv.Itoa(shades[d.sessions]) + `" x="` + strconv.Itoa(x) + `" y="` +
			strconv.Itoa(y) + `"><title>`)
		cells.WriteString(at.Format("Mon 2 Jan 2006") + ": " + words.Plural(d.sessions, "session", "sessions") +
			"</title></rect>")
		cells.WriteString("</a>")
		month := at.Format("January 2006")
		if len(v.Table) == 0 || v.Table[len(v.Table)-1].Name != month {
			v.Table = append(v.Table, monthRow{Name: month, Days: make([]dayCell, 31)})
		}
		v.Table[len(v.Table)-1].Days[at.Day()-1] = dayCell{words.Count(d.sessions), d.href}
	}
	v.Shape = yearShape(offset, n-1)
	v.Days = template.HTML(cells.String()) // only figures, dates and names of our pages
	v.Words = words.Plural(sessions, "session", "sessions") + " on " + words.Plural(busy, "day", "days")
	return v
}

// yearShape returns the outline of a range of days, counted from the Monday before. One cell for each day would be most
// of the page of a small project.
func yearShape(from, to int) string {
	const bottom = cellTop + 7*cellStep
	right := cellLeft + to/7*cellStep
	return fmt.Sprintf("M%d %dh%dV%dH%dV%dH%dV%dH%dz", cellLeft, cellTop+from*cellStep, cellStep, cellTop,
		right+cellStep, cellTop+(to%7+1)*cellStep, right, bottom, cellLeft)
}

// newShades ranks the counts of days with sessions from 1, the lowest, to 4. With ranks, a single day with very many
// sessions does not make the others pale.
func newShades(start, end time.Time, days map[string]*dayCount) map[int]int {
	var counts []int
	first, last := start.Format(time.DateOnly), end.Format(time.DateOnly)
	for day, d := range days {
		if first <= day && day <= last {
			counts = append(counts, d.sessions)
		}
	}
	slices.Sort(counts)
	counts = slices.Compact(counts)
	shades := make(map[int]int)
	for i, c := range counts {
		shades[c] = 4 - (len(counts)-1-i)*4/len(counts)
	}
	return shades
}
