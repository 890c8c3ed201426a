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
	words  func(int64) string // of a size
}

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
	highest := slices.Max(sums)
	// Here and below, a product is converted before it is added: without that, some processors do not round it first,
	// and pages would differ.
	height := func(n int64) float64 { return float64(float64(n) / float64(highest) * (chartBase - chartTop)) }
	var b strings.Builder
	step := float64(chart.width) / float64(len(p.columns))
	wide := min(step*0.72, 40)
	isValued := step >= 1.3*labelWidth // there is space for a figure above each column
	if !isValued {
		for _, n := range ticks(highest) {
			y := chartBase - height(n)
			fmt.Fprintf(&b, `<path d="M0 %sH%d"/><text class="at" x="2" y="%s">%s</text>`, tenths(y), chart.width,
				tenths(y-3), chart.words(n))
		}
	}
	every := max(1, int(labelWidth*2/step+0.99))             // number of columns between dates
	for p.columns[0].isMonth && every < 12 && 12%every > 0 { // same months in each year
		every++
	}
	dates := 0
	for i := range p.columns {
		c := &p.columns[i]
		x, y := float64(float64(i)*step)+float64((step-wide)/2), float64(chartBase)
		middle := x + float64(wide/2)
		var parts strings.Builder
		for at, n := range heights[i] {
			if n > 0 {
				h := max(1, height(n))
				y -= h
				fmt.Fprintf(&parts, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`,
					chart.series[at].look, tenths(x), tenths(y), tenths(wide), tenths(h))
			}
		}
		if sums[i] > 0 {
			open, end := "<g>", "</g>"
			if href := p.firstOf(&c.activity); href != "" {
				open, end = `<a href="`+template.HTMLEscapeString(href)+`">`, "</a>"
			}
			b.WriteString(open + "<title>" + c.name + ": " + chart.words(sums[i]) + "</title>" + parts.String() + end)
		}
		if c.number%every == 0 {
			at := min(max(middle, labelWidth/2), float64(chart.width)-labelWidth/2)
			class := ""
			if dates++; dates%2 == 0 {
				class = ` class="odd"`
			}
			fmt.Fprintf(&b, `<text%s x="%s" y="%d">%s</text>`, class, tenths(at), chartBase+16, c.short)
		}
		if isValued && sums[i] > 0 {
			fmt.Fprintf(&b, `<text class="value" x="%s" y="%s">%s</text>`, tenths(middle), tenths(y-4),
				chart.words(sums[i]))
		}
	}
	fmt.Fprintf(&b, `<path d="M0 %d.5H%d"/>`, chartBase, chart.width)
	v.Shapes = template.HTML(b.String())
	return v
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
