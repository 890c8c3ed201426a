package comparisonpages

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"viewer/internal/compare"
	"viewer/internal/packed"
	"viewer/internal/words"
	"viewer/render/indexpages"
	"viewer/render/page"
)

// Limits of a matrix.
const (
	matrixFull  = 280 << 10 // bytes of rows on a page, about
	maxColumns  = 40
	maxCellRuns = 4
	maxTaskName = 160
)

// planMatrix adds the pages of a matrix: the rows on one or more pages, those after the first also as scripts for the
// filter on the first page, and a page for each task with runs to compare.
func planMatrix(p *indexpages.Planner, c *compare.Comparison) {
	d := &matrixDrawing{generator: p.Generator, Comparison: c}
	from, weight := 0, 0
	for i := range c.Matrix.Tasks {
		w := d.weight(&c.Matrix.Tasks[i])
		if weight > 0 && weight+w > matrixFull {
			d.parts = append(d.parts, [2]int{from, i})
			from, weight = i, 0
		}
		weight += w
	}
	d.parts = append(d.parts, [2]int{from, len(c.Matrix.Tasks)})
	about := []string{"matrix", string(c.Matrix.By)}
	for i := range c.Matrix.Tasks {
		t := &c.Matrix.Tasks[i]
		about = append(about, t.Name)
		for at, cell := range t.Cells {
			about = append(about, c.Matrix.Columns[at].Name)
			for _, run := range cell {
				about = append(about, c.Keys[run])
			}
		}
	}
	key := p.KeyOf(about...)
	for i := range d.parts {
		p.Add(matrixPage(i), key, func() []byte { return d.draw(i) })
		if i > 0 {
			name := strings.TrimSuffix(matrixPage(i), ".html") + ".js"
			p.Add(name, key, func() []byte {
				return packed.Script(name, page.Draw(nil, "partial/matrixrows", d.rows(i)))
			})
		}
	}
	for i := range c.Matrix.Tasks {
		t := &c.Matrix.Tasks[i]
		if of := t.Beside(); len(of) > 1 {
			planBeside(p, sideBySide{
				generator: p.Generator, comparison: c, of: of, name: "c/" + t.ID, task: t.Name,
			})
		}
	}
}

func matrixPage(i int) string {
	if i == 0 {
		return FirstPage
	}
	return fmt.Sprintf("compare-%d.html", i+1)
}

// A matrixDrawing draws the pages of a matrix.
type matrixDrawing struct {
	generator string
	*compare.Comparison
	parts [][2]int // the first task of each page and that after its last
}

type matrixView struct {
	Head    page.Head
	Title   string
	Lead    string
	First   bool
	Many    bool // columns
	Columns []string
	Figures []figureRow
	More    string // scripts with the rows of other pages
	Rows    []matrixRow
	Beyond  string // columns that are not shown
	Pager   *page.Pager
}

// A matrixRow is a task. Numbers for filters and sorting are in attributes.
type matrixRow struct {
	Name, Href    string
	State         string // all, some or none of its runs passed; "" if unknown
	Passed, Turns int
	Cost          string
	Cells         []matrixCell
}

type matrixCell struct {
	Runs []matrixRun
	More string
}

type matrixRun struct{ Href, Text, Look, Title, Note string }

// weight estimates the size of the row of a task, in bytes.
func (d *matrixDrawing) weight(t *compare.Task) int {
	w := 180 + min(len(t.Name), 2*maxTaskName)
	for _, cell := range t.Cells[:min(len(t.Cells), maxColumns)] {
		w += 12
		for _, run := range cell[:min(len(cell), maxCellRuns)] {
			r := &d.Runs[run]
			w += 90 + len(r.Page) + len(r.Result().Word) + len(r.Result().Reason)
		}
	}
	return w
}

func (d *matrixDrawing) draw(i int) []byte {
	m := d.Matrix
	v := matrixView{First: i == 0, Rows: d.rows(i)}
	v.Title = words.Plural(len(m.Tasks), "task", "tasks") + " by " + string(m.By)
	title := v.Title
	if i > 0 {
		title += ", page " + words.Count(i+1)
	}
	runs := 0
	for at := range m.Columns {
		runs += len(m.Columns[at].Runs)
		if at < maxColumns {
			v.Columns = append(v.Columns, words.Clip(m.Columns[at].Name, maxTaskName))
		}
	}
	v.Many = len(v.Columns) > fewBeside
	v.Beyond = words.More(len(m.Columns) - maxColumns)
	v.Lead = words.Plural(runs, "run", "runs") +
		". A cell says how a run came out, what it cost and how many turns it took."
	v.Head = page.NewHead("page-compare", title, d.generator, "", []page.Link{
		{Href: "index.html", Text: "Sessions"}, {Text: "Comparison"},
	})
	v.Head.Description = v.Title + ", " + words.Plural(runs, "run", "runs")
	if i == 0 {
		v.Figures = d.columnFigures()
		var more []string
		for part := range d.parts[1:] {
			more = append(more, strings.TrimSuffix(matrixPage(part+1), ".html")+".js")
		}
		v.More = strings.Join(more, " ")
	}
	if last := len(d.parts) - 1; last > 0 {
		v.Pager = &page.Pager{Label: "Pages", Number: i + 1, Of: last + 1}
		if i > 0 {
			v.Pager.Prev = &page.Link{Href: matrixPage(i - 1)}
		}
		if i < last {
			v.Pager.Next = &page.Link{Href: matrixPage(i + 1)}
		}
	}
	return page.DrawWhole(nil, "page/matrix", v)
}

func (d *matrixDrawing) rows(part int) []matrixRow {
	var all []matrixRow
	for i := d.parts[part][0]; i < d.parts[part][1]; i++ {
		all = append(all, d.row(&d.Matrix.Tasks[i]))
	}
	return all
}

func (d *matrixDrawing) row(t *compare.Task) matrixRow {
	row := matrixRow{Name: words.Clip(t.Name, maxTaskName)}
	if len(t.Beside()) > 1 {
		row.Href = "c/" + t.ID + ".html"
	}
	cost, runs, told := 0.0, 0, 0
	for at, cell := range t.Cells {
		var c matrixCell
		for n, run := range cell {
			r := &d.Runs[run]
			result := r.Result()
			runs++
			if result.Tone != compare.Neutral {
				told++
			}
			if result.Tone == compare.Good {
				row.Passed++
			}
			cost += r.Spent.CostUSD
			row.Turns += r.Turns
			if n < maxCellRuns {
				c.Runs = append(c.Runs, matrixRun{
					Href: r.Page, Text: result.Word, Look: toneLooks[result.Tone], Title: result.Reason,
					Note: joinWords(r.CostWords(), words.Plural(r.Turns, "turn", "turns")),
				})
			}
		}
		if c.More = words.More(len(cell) - maxCellRuns); at < maxColumns {
			row.Cells = append(row.Cells, c)
		}
	}
	switch {
	case told == 0:
	case row.Passed == runs:
		row.State = "all"
	case row.Passed == 0:
		row.State = "none"
	default:
		row.State = "some"
	}
	if cost > 0 {
		row.Cost = strconv.FormatFloat(cost, 'f', 4, 64)
	}
	return row
}

// columnFigures returns the figures of each column.
func (d *matrixDrawing) columnFigures() []figureRow {
	var all []figureRow
	add := func(name string, of func(runs []*compare.Run) figureCell) {
		row := figureRow{Name: name}
		for _, column := range d.Matrix.Columns[:min(len(d.Matrix.Columns), maxColumns)] {
			runs := make([]*compare.Run, len(column.Runs))
			for i, run := range column.Runs {
				runs[i] = &d.Runs[run]
			}
			row.Cells = append(row.Cells, of(runs))
		}
		all = append(all, row)
	}
	add("Runs", func(runs []*compare.Run) figureCell { return figureCell{Text: words.Count(len(runs))} })
	add("Outcome", func(runs []*compare.Run) figureCell { return figureCell{Text: compare.Count(runs)} })
	add("Cost", func(runs []*compare.Run) figureCell {
		sum, unknown := 0.0, 0
		for _, r := range runs {
			if sum += r.Spent.CostUSD; len(r.Spent.Unpriced) > 0 {
				unknown++
			}
		}
		c := figureCell{Text: words.Dollars(sum)}
		switch {
		case sum == 0 && unknown > 0:
			c.Text = "unknown"
		case unknown > 0:
			c.Note = "not all known for " + words.Plural(unknown, "run", "runs")
		}
		return c
	})
	add("Turns, median", func(runs []*compare.Run) figureCell {
		turns := median(runs, func(r *compare.Run) float64 { return float64(r.Turns) })
		return figureCell{Text: words.Count(int(turns))}
	})
	add("Time, median", func(runs []*compare.Run) figureCell {
		timed := slices.DeleteFunc(slices.Clone(runs), func(r *compare.Run) bool { return r.Seconds <= 0 })
		if len(timed) == 0 {
			return figureCell{Text: "unknown"}
		}
		seconds := median(timed, func(r *compare.Run) float64 { return r.Seconds })
		return figureCell{Text: words.Span(time.Duration(seconds * 1e9))}
	})
	return all
}

// median returns the median of a figure of runs.
func median(runs []*compare.Run, of func(*compare.Run) float64) float64 {
	values := make([]float64, len(runs))
	for i, r := range runs {
		values[i] = of(r)
	}
	slices.SortFunc(values, cmp.Compare[float64])
	return values[len(values)/2]
}
