package insightpages

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"viewer/render/page"
)

// A chartView is a chart with one column for each period.
type chartView struct {
	Label  string
	Width  int
	Height int
	Shapes template.HTML // only figures, fixed words and links to sessions
	Keys   []page.Key
}

// Measures of a chart, in units of the picture.
const (
	chartWidth  = 900 // of a box as wide as the page
	chartHalf   = 430 // of others
	chartHeight = 170
	chartTop    = 16  // space for a figure above the highest column
	chartBase   = 146 // bottom of the columns
	labelWidth  = 36  // of a date below a column
)

// A series is one of the stacked parts of the columns of a chart.
type series struct {
	look, text string
	size       func(*column) int64
}

func (s *series) key() page.Key { return page.Key{Look: s.look, Text: s.text} }

// A stackedChart is a chart of stacked columns.
type stackedChart struct {
	label  string
	width  int
	series []series
	words  func(int64) string // of a size; "<$0.0001" is one
}

// markup returns the words of a size as HTML.
func (c *stackedChart) markup(size int64) string { return template.HTMLEscapeString(c.words(size)) }

// stacked draws a column for each period. It returns nil if all are empty.
func (p *insightsPage) stacked(chart stackedChart) *chartView {
	heights := make([][]int64, len(p.columns))
	sums := make([]int64, len(p.columns))
	v := &chartView{Label: chart.label + ", as in the table below", Width: chart.width, Height: chartHeight}
	for _, s := range chart.series {
		any := false
		for i := range p.columns {
			n := coarse(s.size(&p.columns[i]))
			heights[i] = append(heights[i], n)
			sums[i] += n
			any = any || n > 0
		}
		if any {
			v.Keys = append(v.Keys, s.key())
		}
	}
	if len(v.Keys) == 0 {
		return nil
	}
	step := float64(chart.width) / float64(len(p.columns))
	d := &stackedDrawing{stackedChart: chart, highest: slices.Max(sums), step: step, wide: min(step*0.72, 40)}
	isValued := step >= 1.3*labelWidth // there is space for a figure above each column
	if !isValued {
		d.lines()
	}
	every := max(1, int(labelWidth*2/step+0.99))             // number of columns between dates
	for p.columns[0].isMonth && every < 12 && 12%every > 0 { // same months in each year
		every++
	}
	for i := range p.columns {
		c := &p.columns[i]
		parts, top := d.parts(i, heights[i])
		if sums[i] > 0 {
			open, end := "<g>", "</g>"
			if href := p.firstOf(&c.activity); href != "" {
				open, end = `<a href="`+template.HTMLEscapeString(href)+`">`, "</a>"
			}
			d.b.WriteString(open + "<title>" + c.name + ": " + chart.markup(sums[i]) + "</title>" + parts + end)
		}
		if c.number%every == 0 {
			d.date(i, c.short)
		}
		if isValued && sums[i] > 0 {
			fmt.Fprintf(&d.b, `<text class="value" x="%s" y="%s">%s</text>`, tenths(d.middle(i)), tenths(top-4),
				chart.markup(sums[i]))
		}
	}
	fmt.Fprintf(&d.b, `<path d="M0 %d.5H%d"/>`, chartBase, chart.width)
	if !isValued {
		d.figures()
	}
	v.Shapes = template.HTML(d.b.String())
	return v
}

// A stackedDrawing is a chart while it is drawn. In its methods, a product is converted before it is added: without
// that, some processors do not round it first, and pages would differ.
type stackedDrawing struct {
	stackedChart
	highest    int64   // sum of a column
	step, wide float64 // from a column to the next, and the width of one
	dates      int     // number of dates so far
	b          strings.Builder
}

func (d *stackedDrawing) height(n int64) float64 {
	return float64(float64(n) / float64(d.highest) * (chartBase - chartTop))
}

// left returns the left edge of a column.
func (d *stackedDrawing) left(i int) float64 {
	return float64(float64(i)*d.step) + float64((d.step-d.wide)/2)
}

func (d *stackedDrawing) middle(i int) float64 { return d.left(i) + float64(d.wide/2) }

// lines draws lines across the chart, behind the columns.
func (d *stackedDrawing) lines() {
	for _, n := range ticks(d.highest) {
		fmt.Fprintf(&d.b, `<path d="M0 %sH%d"/>`, tenths(chartBase-d.height(n)), d.width)
	}
}

// figures writes the figures of the lines, in front of the columns.
func (d *stackedDrawing) figures() {
	for _, n := range ticks(d.highest) {
		fmt.Fprintf(&d.b, `<text class="at" x="2" y="%s">%s</text>`, tenths(chartBase-d.height(n)-3), d.markup(n))
	}
}

// parts returns the shapes of a column, and its upper edge.
func (d *stackedDrawing) parts(i int, sizes []int64) (shapes string, top float64) {
	var b strings.Builder
	top = chartBase
	for at, n := range sizes {
		if n > 0 {
			h := max(1, d.height(n))
			top -= h
			fmt.Fprintf(&b, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`,
				d.series[at].look, tenths(d.left(i)), tenths(top), tenths(d.wide), tenths(h))
		}
	}
	return b.String(), top
}

// date writes the date of a column below it.
func (d *stackedDrawing) date(i int, short string) {
	at := min(max(d.middle(i), labelWidth/2), float64(d.width)-labelWidth/2)
	class := ""
	if d.dates++; d.dates%2 == 0 {
		class = ` class="odd"`
	}
	fmt.Fprintf(&d.b, `<text%s x="%s" y="%d">%s</text>`, class, tenths(at), chartBase+16, short)
}

// tenths writes a number of units of the picture, to a tenth.
func tenths(f float64) string { return strconv.FormatFloat(math.Round(f*10)/10, 'f', -1, 64) }

// ticks returns the multiples up to highest of a round number: 1, 2 or 5 with zeros.
func ticks(highest int64) (all []int64) {
	step := int64(1)
	for unit := int64(1); unit <= highest/2; unit *= 10 {
		for _, n := range []int64{1, 2, 5} {
			if n*unit <= highest/2 {
				step = n * unit
			}
		}
		if unit > highest/10 {
			break
		}
	}
	for n := step; n <= highest; n += step {
		all = append(all, n)
	}
	return all
}
