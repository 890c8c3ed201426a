package comparisonpages

import (
	"path"

	"viewer/internal/compare"
	"viewer/internal/words"
	"viewer/render/page"
)

// aligned returns the lines of the steps of the runs. Many steps in a row that all runs took are folded.
func (d *comparisonDrawing) aligned() []alignedRow {
	lines := compare.Packed(compare.Align(d.runs))
	partingLines := d.partingLines(lines)
	d.places = make([]string, len(d.partings))
	var rows []alignedRow
	for from := 0; from < len(lines); {
		to := from
		for to < len(lines) && d.isFoldable(lines[to]) {
			to++
		}
		if to > from {
			rows = append(rows, d.shared(lines[from:to])...)
			from = to
			continue
		}
		row := alignedRow{weight: 60}
		for run, step := range lines[from] {
			var s *stepView
			if step != compare.None {
				s = d.step(run, step)
				row.weight += 120 + len(s.Href) + len(s.Name) + len(s.Text)
			}
			row.Cells = append(row.Cells, s)
		}
		if i, ok := partingLines[from]; ok {
			row.ID = "p-" + words.Count(i+1)
		}
		rows = append(rows, row)
		from++
	}
	return rows
}

// partingLines returns the lines on which runs part, with the index of the first parting on each.
func (d *comparisonDrawing) partingLines(lines []compare.Row) map[int]int {
	lineOf := make([][]int, len(d.runs)) // by step
	for i, line := range lines {
		for run, step := range line {
			if step != compare.None {
				lineOf[run] = append(lineOf[run], i)
			}
		}
	}
	all := make(map[int]int)
	for i := len(d.partings) - 1; i >= 0; i-- {
		p := d.partings[i]
		first := -1
		for _, way := range p.Ways {
			for _, run := range way {
				if p.After < len(lineOf[run]) && (first < 0 || lineOf[run][p.After] < first) {
					first = lineOf[run][p.After]
				}
			}
		}
		if first >= 0 {
			all[first] = i
		}
	}
	return all
}

// isFoldable reports whether a line is a step that all runs took with the same result.
func (d *comparisonDrawing) isFoldable(line compare.Row) bool {
	if !line.Shared() {
		return false
	}
	first := &d.runs[0].Steps[line[0]]
	for run, step := range line {
		if s := &d.runs[run].Steps[step]; s.Key != first.Key || s.Ended != first.Ended {
			return false
		}
	}
	return true
}

// shared returns the rows of successive lines that all runs share. Prompts are never folded.
func (d *comparisonDrawing) shared(lines []compare.Row) []alignedRow {
	var rows []alignedRow
	var calls []sharedView
	flush := func() {
		for len(calls) > 0 {
			n := min(len(calls), maxShared)
			if len(calls) <= fewShared {
				n = 1
			}
			row := alignedRow{Shared: calls[:n:n], weight: 100}
			if len(calls) > fewShared {
				row.Fold = words.Plural(n, "step", "steps") + " that all took"
			}
			for _, s := range row.Shared {
				row.weight += 90 + len(s.Name) + len(s.Text)
				for _, l := range s.Links {
					row.weight += 50 + len(l.Href)
				}
			}
			rows = append(rows, row)
			if calls = calls[n:]; n == maxShared && len(calls) <= fewShared {
				continue
			}
		}
	}
	for _, line := range lines {
		first := &d.runs[0].Steps[line[0]]
		v := sharedView{Name: first.Name, Text: first.Text, Ended: first.Ended, Asked: first.Asked}
		for run, step := range line {
			v.Links = append(v.Links, page.Link{Href: d.href(&d.runs[run].Steps[step]), Text: letter(run)})
		}
		if v.Asked {
			flush()
			calls = append(calls, v)
			flush()
			continue
		}
		calls = append(calls, v)
	}
	flush()
	return rows
}

// paginate divides rows into pages, and records the pages on which runs part.
func (d *comparisonDrawing) paginate(rows []alignedRow) {
	from, weight := 0, 0
	for i := range rows {
		if weight > alignedFull {
			d.parts = append(d.parts, rows[from:i])
			from, weight = i, 0
		}
		weight += rows[i].weight
	}
	d.parts = append(d.parts, rows[from:])
	ids := make(map[string]string)
	for page, part := range d.parts {
		for i := range part {
			if id := part[i].ID; id != "" {
				ids[id] = "#" + id
				if page > 0 {
					ids[id] = path.Base(d.page(page)) + "#" + id
				}
			}
		}
	}
	for i := range d.partings {
		d.places[i] = ids["p-"+words.Count(i+1)]
	}
}
