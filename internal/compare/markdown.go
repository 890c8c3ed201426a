package compare

import (
	"fmt"
	"strings"

	"viewer/internal/export"
	"viewer/internal/markup"
	"viewer/internal/words"
)

// Limits of the table in Markdown.
const (
	maxTableTasks   = 1000
	maxTableColumns = 20
	maxTableRuns    = 4 // of a cell
	maxTableName    = 100
)

// Markdown returns the matrix as a table for the summary of a CI job: one row for all runs, then one for each task. A
// cell has the results of its runs, their cost and their turns. The text has at most limit bytes, and says at its end
// what was left out. address returns the link of a run, "" for none.
func (c *Comparison) Markdown(limit int, address func(*Run) string) []byte {
	m := c.Matrix
	columns := min(len(m.Columns), maxTableColumns)
	var b strings.Builder
	fmt.Fprintf(&b, "## %s by %s\n\n| task |", words.Plural(len(m.Tasks), "task", "tasks"), m.By)
	for _, column := range m.Columns[:columns] {
		b.WriteString(" " + markup.ForgeLine(words.Clip(column.Name, maxTableName)) + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", columns) + "\n| *all* |")
	for _, column := range m.Columns[:columns] {
		b.WriteString(" " + c.tableSum(column.Runs) + " |")
	}
	b.WriteString("\n")
	more := len(m.Columns) - columns
	const notes = 200 // bytes of the words at the end
	if b.Len()+notes > limit {
		note := fmt.Sprintf("*The table of %s was left out: no room.*\n\n", words.Plural(len(m.Tasks), "task", "tasks"))
		if len(note) > limit {
			return nil
		}
		return []byte(note)
	}
	shown := 0
	for i := range m.Tasks[:min(len(m.Tasks), maxTableTasks)] {
		row := c.tableRow(&m.Tasks[i], columns, address)
		if b.Len()+len(row)+notes > limit {
			break
		}
		b.WriteString(row)
		shown++
	}
	b.WriteString("\n")
	var left []string
	if n := len(m.Tasks) - shown; n > 0 {
		left = append(left, words.Plural(n, "task", "tasks"))
	}
	if more > 0 {
		left = append(left, words.Plural(more, "column", "columns"))
	}
	if left != nil {
		fmt.Fprintf(&b, "*This table was cut: %s left out.*\n\n", strings.Join(left, " and "))
	}
	return []byte(b.String())
}

func (c *Comparison) tableRow(t *Task, columns int, address func(*Run) string) string {
	var b strings.Builder
	b.WriteString("| " + markup.ForgeLine(words.Clip(t.Name, maxTableName)) + " |")
	for _, cell := range t.Cells[:min(len(t.Cells), columns)] {
		for n, i := range cell[:min(len(cell), maxTableRuns)] {
			if n > 0 {
				b.WriteString("; ")
			} else {
				b.WriteString(" ")
			}
			r := &c.Runs[i]
			word := markup.ForgeLine(r.Result().Word)
			if to := address(r); to != "" {
				word = "[" + word + "](" + to + ")"
			}
			b.WriteString(r.Result().Tone.sign() + word)
			if cost := r.CostWords(); cost != "" {
				if b.WriteString(" · " + markup.ForgeLine(cost)); r.Spent.CostUSD > 0 && len(r.Spent.Unpriced) > 0 {
					b.WriteString(" and unknown")
				}
			}
			b.WriteString(" · " + words.Plural(r.Turns, "turn", "turns"))
		}
		if n := len(cell) - maxTableRuns; n > 0 {
			b.WriteString("; … and " + words.Count(n) + " more")
		}
		b.WriteString(" |")
	}
	return b.String() + "\n"
}

// tableSum returns the results of runs and their total cost.
func (c *Comparison) tableSum(of []int) string {
	runs := make([]*Run, len(of))
	sum, unknown := 0.0, 0
	for i, at := range of {
		runs[i] = &c.Runs[at]
		if sum += runs[i].Spent.CostUSD; len(runs[i].Spent.Unpriced) > 0 {
			unknown++
		}
	}
	text := Count(runs)
	if sum > 0 {
		text += ", " + words.Dollars(sum)
	}
	if unknown > 0 {
		text += ", cost not all known for " + words.Plural(unknown, "run", "runs")
	}
	return markup.ForgeLine(text)
}

// sign returns the symbol before the word of a result, for output without colours.
func (t Tone) sign() string {
	switch t {
	case Good:
		return "✅ "
	case Bad:
		return "❌ "
	}
	return ""
}

// Cost returns the cost of the run, "" if nothing is told of it, and a note about it.
func (r *Run) Cost() (cost, note string) {
	if r.Spent.CostUSD > 0 {
		cost = words.Dollars(r.Spent.CostUSD)
	}
	switch {
	case len(r.Spent.Unpriced) > 0 && cost == "":
		cost = "unknown"
	case len(r.Spent.Unpriced) > 0:
		names := make([]string, len(r.Spent.Unpriced))
		for i, name := range r.Spent.Unpriced {
			names[i] = export.ModelWords(name)
		}
		note = "without " + strings.Join(names, ", ")
	case r.Spent.ListPrice:
		note = "list price"
	}
	return cost, note
}

// CostWords returns the cost of the run for a list of several figures, "" if it is not told.
func (r *Run) CostWords() string {
	cost, _ := r.Cost()
	if cost == "unknown" {
		return "cost unknown"
	}
	return cost
}
