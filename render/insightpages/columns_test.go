package insightpages

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"viewer/internal/insights"
	"viewer/internal/stats"
	"viewer/internal/transcript"
)

// countedPage returns a page of insights over sessions, each with a call and a token on its day, or on no day for "".
func countedPage(days ...string) *insightsPage {
	p := &insightsPage{total: new(insights.Total)}
	p.folder = func(i int) string { return fmt.Sprint("f", i) }
	for i, day := range days {
		s := insights.Session{Days: []stats.Day{{Date: day, Models: []stats.Model{
			{Name: "m", Usage: transcript.Usage{Output: 1}}}}}}
		if day != "" {
			s.Rows = []insights.Row{{Kind: insights.Activity, Name: day, Count: 1}}
		}
		p.total.Add(i, &s)
	}
	p.planColumns()
	return p
}

// TestTimeRows: the rows of a table by time add up to all sessions, whatever the number and the dates of days.
func TestTimeRows(t *testing.T) {
	var year []string
	for i := range 90 {
		year = append(year, time.Date(2026, 1, 1+4*i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly))
	}
	for name, c := range map[string]struct {
		days []string
		last string // the name of the last row
	}{
		"one day":         {[]string{"2026-03-02"}, "Mon 2 Mar 2026"},
		"no day":          {[]string{"", ""}, "without a time"},
		"days and none":   {[]string{"2026-03-02", "2026-03-05", ""}, "without a time"},
		"many weeks":      {append(year, ""), "earlier"},
		"a clock ahead":   {append(year, "9999-12-31"), "earlier"},
		"another century": {append(year, "1926-01-01"), "earlier"},
	} {
		p := countedPage(c.days...)
		rows := p.timeRows(func(c *column) []insightCell { return plainCells(fmt.Sprint(c.usage().Output)) })
		sum, linked := 0, 0
		for _, r := range rows {
			n, err := strconv.Atoi(r.Cells[1].Text)
			if err != nil {
				t.Fatal(err)
			}
			if sum += n; len(r.Links) > 0 {
				linked++
			}
		}
		if last := rows[len(rows)-1].Cells[0].Text; sum != len(c.days) || last != c.last {
			t.Errorf("%s: rows add up to %d, want %d; the last is %q", name, sum, len(c.days), last)
		}
		if linked < len(rows)-1 {
			t.Errorf("%s: %d of %d rows have links, want all", name, linked, len(rows))
		}
	}
}

// TestStacked draws a chart, with dates below and figures or lines beside it, and nothing if all values are zero.
func TestStacked(t *testing.T) {
	chart := func(size int64, days ...string) *chartView {
		return countedPage(days...).stacked(stackedChart{label: "Calls", width: chartHalf, words: aboutTokens,
			series: []series{{"c1", "calls", func(c *column) int64 { return size * c.usage().Output }}}})
	}
	if chart(0, "2026-03-02") != nil {
		t.Error("got a chart of no values, want none")
	}
	for _, c := range []struct {
		days []string
		want []string
	}{
		{[]string{"2026-03-02", "2026-03-03"}, []string{">2 Mar</text>", ">3 Mar</text>", `class="value"`}},
		{[]string{"2026-03-02", "2026-04-20"}, []string{">2 Mar</text>", `<text class="at"`, ">10</text>"}},
		{[]string{"2024-02-02", "2026-04-20"}, []string{">2025</text>", ">2026</text>", ">Jul</text>"}},
	} {
		v := chart(20, c.days...)
		for _, want := range c.want {
			if !strings.Contains(string(v.Shapes), want) {
				t.Errorf("%v: the chart lacks %s: %s", c.days, want, v.Shapes)
			}
		}
		figure, column := strings.Index(string(v.Shapes), `class="at"`), strings.LastIndex(string(v.Shapes), "<rect")
		if figure >= 0 && figure < column {
			t.Errorf("%v: a column covers the figures: %s", c.days, v.Shapes)
		}
	}
	for _, days := range [][]string{{"2026-03-02", "2026-03-03"}, {"2026-03-02", "2026-04-20"}} {
		v := countedPage(days...).stacked(stackedChart{label: "Cost", width: chartHalf,
			words:  func(int64) string { return "<$0.0001" },
			series: []series{{"c1", "cost", func(c *column) int64 { return 20 * c.usage().Output }}}})
		if s := string(v.Shapes); strings.Contains(s, "<$") || !strings.Contains(s, "&lt;$0.0001</text>") {
			t.Errorf("%v: words of sizes are not escaped: %s", days, s)
		}
	}
	for highest, want := range map[int64][]int64{1: {1}, 2: {1, 2}, 9: {2, 4, 6, 8}, 20: {10, 20}, 76: {20, 40, 60}} {
		if got := ticks(highest); !slices.Equal(got, want) {
			t.Errorf("figures up to %d: got %v, want %v", highest, got, want)
		}
	}
}
