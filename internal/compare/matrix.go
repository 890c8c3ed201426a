package compare

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"
)

// An Axis is the meaning of the columns or the rows of a matrix.
type Axis string

// Columns of a matrix.
const (
	ByModel  Axis = "model"
	ByAgent  Axis = "agent"
	ByPrompt Axis = "prompt" // also of rows
	BySource Axis = "source" // as given
)

// Rows of a matrix.
const (
	ByTask   Axis = "task"   // the task in files of verdicts, otherwise the first prompt
	ByFolder Axis = "folder" // the first below the source
)

// Columns are the possible axes of columns, Rows those of rows.
var (
	Columns = []string{string(ByModel), string(ByAgent), string(ByPrompt), string(BySource)}
	Rows    = []string{string(ByTask), string(ByPrompt), string(ByFolder)}
)

// A Matrix is a table of runs, by task and by what ran it.
type Matrix struct {
	By      Axis
	Columns []Column
	Tasks   []Task
}

// A Column is one model, agent, prompt or source.
type Column struct {
	Name string
	Runs []int // all of them
}

// A Task is one row.
type Task struct {
	Name  string
	ID    string  // the same in each build, and of no other task
	Cells [][]int // the runs of each column
}

// Beside returns the runs of a task to show side by side: first one of each column.
func (t *Task) Beside() []int {
	var all []int
	for at := 0; ; at++ {
		more := false
		for _, cell := range t.Cells {
			if at < len(cell) && len(all) < MostRuns {
				all = append(all, cell[at])
				more = true
			}
		}
		if !more {
			return all
		}
	}
}

// NewMatrix arranges runs in a table. Of a trial with several logs, only the one with the most calls counts.
func NewMatrix(runs []Run, columns, rows Axis) *Matrix {
	m := &Matrix{By: columns}
	column, row := make(map[string]int), make(map[string]int)
	sources := sourceNames(runs)
	best := make(map[string]int) // by trial
	for i := range runs {
		if trial := runs[i].Trial; trial != "" {
			if known, ok := best[trial]; !ok || runs[i].Calls > runs[known].Calls {
				best[trial] = i
			}
		}
	}
	for i := range runs {
		r := &runs[i]
		if r.Trial != "" && best[r.Trial] != i {
			continue
		}
		name := r.column(columns, sources)
		at, ok := column[name]
		if !ok {
			at = len(m.Columns)
			column[name] = at
			m.Columns = append(m.Columns, Column{Name: name})
		}
		m.Columns[at].Runs = append(m.Columns[at].Runs, i)
		key, title := r.row(rows, columns)
		task, ok := row[key]
		if !ok {
			task = len(m.Tasks)
			row[key] = task
			sum := sha256.Sum256([]byte(key))
			m.Tasks = append(m.Tasks, Task{Name: title, ID: hex.EncodeToString(sum[:6])})
		}
		cells := &m.Tasks[task].Cells
		for len(*cells) <= at {
			*cells = append(*cells, nil)
		}
		(*cells)[at] = append((*cells)[at], i)
	}
	m.sort()
	return m
}

// sort sorts columns and tasks by name. Sources keep the order in which they were given.
func (m *Matrix) sort() {
	order := make([]int, len(m.Columns))
	for i := range order {
		order[i] = i
	}
	if m.By != BySource {
		slices.SortStableFunc(order, func(a, b int) int {
			return strings.Compare(m.Columns[a].Name, m.Columns[b].Name)
		})
	}
	columns := make([]Column, len(order))
	for to, from := range order {
		columns[to] = m.Columns[from]
	}
	m.Columns = columns
	for i := range m.Tasks {
		t := &m.Tasks[i]
		cells := make([][]int, len(order))
		for to, from := range order {
			if from < len(t.Cells) {
				cells[to] = t.Cells[from]
			}
		}
		t.Cells = cells
	}
	slices.SortStableFunc(m.Tasks, func(a, b Task) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
	})
}

// column returns the column that the run is in.
func (r *Run) column(by Axis, sources map[string]string) string {
	name := ""
	switch by {
	case ByAgent:
		name = r.Agent
	case ByPrompt:
		name = r.Asked
	case BySource:
		name = sources[r.Source]
	default:
		if name = strings.Join(r.Models[:min(len(r.Models), 3)], " + "); name == "" {
			name = "model not named"
		}
	}
	return cmp.Or(name, "nothing asked")
}

// row returns the key that the run shares with the others of its row, and the title of the row.
func (r *Run) row(by, columns Axis) (key, title string) {
	switch {
	case by == ByTask && r.Task != "":
		return "task " + r.Task, r.Task
	case by == ByFolder || by == ByTask && columns == ByPrompt:
		return "folder " + r.Folder, cmp.Or(r.Folder, ".")
	}
	return "asked " + r.AskedKey, cmp.Or(r.Asked, "nothing asked")
}

// sourceNames returns for each source the shortest end of its path that no other source has.
func sourceNames(runs []Run) map[string]string {
	names := make(map[string]string)
	for i := range runs {
		names[runs[i].Source] = ""
	}
	for n := 1; n < 40; n++ {
		count := make(map[string]int)
		for source := range names {
			parts := strings.Split(strings.Trim(path.Clean(strings.ReplaceAll(source, `\`, "/")), "/"), "/")
			names[source] = strings.Join(parts[max(0, len(parts)-n):], "/")
			count[names[source]]++
		}
		if len(count) == len(names) {
			break
		}
	}
	return names
}

// Find returns the verdict on a run from files about many runs, nil if there is none: the one that names the session,
// otherwise the path, otherwise the task and the runner, otherwise the task.
func Find(all []Verdict, r *Run) *Verdict {
	best, rank := -1, 0
	file := strings.ReplaceAll(r.Path, `\`, "/")
	for i := range all {
		v := &all[i]
		of := strings.TrimPrefix(strings.ReplaceAll(v.Of, `\`, "/"), "./")
		score := 0
		switch {
		case of == "":
		case of == r.ID || len(of) >= 8 && strings.HasPrefix(r.ID, of):
			score = 5
		case file == of || strings.HasSuffix(file, "/"+of) || strings.Contains(file, "/"+strings.Trim(of, "/")+"/") &&
			strings.Contains(of, "/"):
			score = 4
		case of == r.Task || of == r.Folder || strings.Contains("/"+file, "/"+of+"/"):
			if score = 2; v.Runner != "" {
				if score = 1; r.ranBy(v.Runner) {
					score = 3
				}
			}
		}
		if score > rank {
			best, rank = i, score
		}
	}
	if rank < 2 { // a verdict about another runner
		return nil
	}
	return &all[best]
}

// ranBy reports whether a name is that of the agent, of a model or of a parent folder of the run.
func (r *Run) ranBy(name string) bool {
	plain := func(s string) string {
		return strings.Map(func(c rune) rune {
			if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
				return c
			}
			return -1
		}, strings.ToLower(s))
	}
	if name = plain(name); name == "" {
		return false
	}
	for _, own := range append([]string{r.Agent}, r.Models...) {
		if own = plain(own); own != "" && (strings.Contains(name, own) || strings.Contains(own, name)) {
			return true
		}
	}
	return slices.ContainsFunc(strings.FieldsFunc(r.Path, func(c rune) bool { return c == '/' || c == '\\' }),
		func(part string) bool { return plain(part) == name })
}
