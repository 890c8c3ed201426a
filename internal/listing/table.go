package listing

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"viewer/internal/console"
	"viewer/internal/sitegen"
	"viewer/internal/words"
)

// columns are those of a list of sessions. If a terminal is too narrow, the title is cut, then the project. Columns are
// left out before too little of the title remains.
var columns = []string{"ID", "BEGAN", "PROMPTS", "TOKENS", "CACHED", "COST", "PROJECT", "TITLE"}

// agentColumn is the index of the column with the coding agent, in a list of sessions of several.
const agentColumn = 2

const (
	cachedColumn = 4   // from the end
	minCached    = 100 // minimum width of a terminal for that column, in cells
	gap          = "  "
	minTitle     = 20 // width of a title below which the project is cut, in cells
	minProject   = 8
	leastTitle   = 12 // width below which columns are left out
)

// dispensable are the columns that are left out where the terminal is narrow, the first ones first.
var dispensable = []string{"TOKENS", "FAILED", "PROMPTS", "CALLS", "COST", "TIME", "AGENT", "BEGAN"}

// listRow returns the cells for a session. With short, the id is shortened: the beginning of an id is enough to choose
// a session.
func listRow(s sitegen.Listed, short bool) []string {
	id, began, cost := s.ID, "", ""
	if short && s.Short != "" {
		id = s.Short
	}
	if !s.Start.IsZero() {
		began = s.Start.Local().Format("2006-01-02 15:04")
	}
	if c := s.Totals.Cost.Total(); c > 0 {
		cost = words.Dollars(c.Dollars())
	}
	return []string{
		console.Line(id), began, strconv.Itoa(s.Totals.Prompts), words.Short(s.Totals.NewTokens()),
		words.Short(s.Totals.Usage.CacheRead), cost, console.Line(s.Project), console.Line(s.Title),
	}
}

// Table returns a list as text, at most width cells wide. A width of 0 means no limit.
func Table(sessions []sitegen.Listed, width int) string {
	rows, agents := [][]string{slices.Clone(columns)}, []string{"AGENT"}
	for _, s := range sessions {
		rows, agents = append(rows, listRow(s, width > 0)), append(agents, s.Agent)
	}
	if slices.ContainsFunc(sessions, func(s sitegen.Listed) bool { return s.Agent != sessions[0].Agent }) {
		for i := range rows {
			rows[i] = slices.Insert(rows[i], agentColumn, agents[i])
		}
	}
	return align(rows, width)
}

// align aligns rows in columns. The first row is the heading, and all have the same number of cells. The last cell but
// one is the project.
func align(rows [][]string, width int) string {
	if width > 0 && width < minCached {
		for i, row := range rows {
			at := len(row) - cachedColumn
			rows[i] = slices.Delete(slices.Clone(row), at, at+1)
		}
	}
	widths := widthsOf(rows)
	if width > 0 {
		rows, widths = leaveOut(rows, widths, width)
		fit(widths, width)
	}
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			if width > 0 {
				cell = ansi.Truncate(cell, widths[i], "…")
			}
			line.WriteString(cell)
			if i < len(row)-1 {
				line.WriteString(strings.Repeat(" ", widths[i]-ansi.StringWidth(cell)) + gap)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

func widthsOf(rows [][]string) []int {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], ansi.StringWidth(cell))
		}
	}
	return widths
}

// leaveOut leaves out columns until there is space for some of the title and of the project.
func leaveOut(rows [][]string, widths []int, width int) ([][]string, []int) {
	project, title := widths[len(widths)-2], widths[len(widths)-1]
	least := min(project, minProject) + min(title, leastTitle) + total(widths) - project - title
	for _, name := range dispensable {
		at := slices.Index(rows[0][:len(rows[0])-2], name)
		if at < 0 || least <= width {
			continue
		}
		least -= widths[at] + len(gap)
		widths = slices.Delete(widths, at, at+1)
		for i, row := range rows {
			rows[i] = slices.Delete(slices.Clone(row), at, at+1)
		}
	}
	return rows, widths
}

// total returns the width of a line with such columns.
func total(widths []int) int {
	sum := len(gap) * (len(widths) - 1)
	for _, w := range widths {
		sum += w
	}
	return sum
}

// fit makes title and project narrower until the columns fit.
func fit(widths []int, width int) {
	project, title := len(widths)-2, len(widths)-1
	over := total(widths) - width
	give := func(column, least int) {
		n := max(0, min(over, widths[column]-least))
		widths[column] -= n
		over -= n
	}
	give(title, minTitle)
	give(project, minProject)
	give(title, 1)
}
