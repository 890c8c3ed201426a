package compare

import "viewer/internal/changes"

// A Row is one line of an alignment. It has the index of a step for each run, or [None].
type Row []int

// None is the index for a run without a step in the row.
const None = -1

// Shared reports whether all runs have a step in the row.
func (r Row) Shared() bool { return r.count() == len(r) }

func (r Row) count() int {
	n := 0
	for _, i := range r {
		if i != None {
			n++
		}
	}
	return n
}

// Align returns the rows of an alignment of runs. Each step is in exactly one row, the steps of a run keep their order,
// and steps share a row only if they are the same. Runs are added one after the other.
func Align(runs []Run) []Row {
	var rows []Row
	var keys []string // of the rows
	for r := range runs {
		steps := runs[r].Steps
		own := make([]string, len(steps))
		for i := range steps {
			own[i] = steps[i].Key
		}
		merged, mergedKeys := make([]Row, 0, max(len(rows), len(own))), make([]string, 0, max(len(rows), len(own)))
		from, at := 0, 0
		upTo := func(row, step int) {
			for ; from < row; from++ {
				merged, mergedKeys = append(merged, rows[from]), append(mergedKeys, keys[from])
			}
			for ; at < step; at++ {
				merged, mergedKeys = append(merged, newRow(len(runs))), append(mergedKeys, own[at])
				merged[len(merged)-1][r] = at
			}
		}
		for i, j := range changes.Common(keys, own) {
			upTo(i, j)
			rows[i][r] = j
			merged, mergedKeys = append(merged, rows[i]), append(mergedKeys, keys[i])
			from, at = i+1, j+1
		}
		upTo(len(rows), len(own))
		rows, keys = merged, mergedKeys
	}
	return rows
}

func newRow(runs int) Row {
	r := make(Row, runs)
	for i := range r {
		r[i] = None
	}
	return r
}

// Packed merges rows that not all runs share into fewer lines, so that what the runs did between shared steps is side
// by side. A line has at most one step of each run, and each run keeps its order.
func Packed(rows []Row) []Row {
	var all []Row
	var last []int // by run: its last line
	begin := 0     // the line after the last one that all runs share
	for _, r := range rows {
		if last == nil {
			last = make([]int, len(r))
			for i := range last {
				last[i] = -1
			}
		}
		at := begin
		if r.Shared() {
			at = len(all)
		}
		for i, step := range r {
			if step != None {
				at = max(at, last[i]+1)
			}
		}
		if at == len(all) {
			all = append(all, newRow(len(r)))
		}
		for i, step := range r {
			if step != None {
				all[at][i], last[i] = step, at
			}
		}
		if r.Shared() {
			begin = at + 1
		}
	}
	return all
}

// A Parting is a point up to which runs did the same, and after which they differ.
type Parting struct {
	After int     // number of steps that they share from the beginning
	Ways  [][]int // the runs, grouped by what they did next; a run that ends there is a group of its own
}

// Partings returns where runs part, from first to last. Runs that did the same to their ends never part.
func Partings(runs []Run) []Parting {
	var all []Parting
	group := make([]int, len(runs))
	for i := range group {
		group[i] = i
	}
	queue := [][]int{group}
	for len(queue) > 0 {
		group, queue = queue[0], queue[1:]
		if p, ok := parting(runs, group); ok {
			all = append(all, p)
			for _, way := range p.Ways {
				if len(way) > 1 {
					queue = append(queue, way)
				}
			}
		}
	}
	return all
}

func parting(runs []Run, group []int) (Parting, bool) {
	for at := 0; ; at++ {
		p := Parting{After: at}
		ways := make(map[string]int)
		ended := 0
		for _, r := range group {
			key := "" // of a run that ends
			if at < len(runs[r].Steps) {
				key = runs[r].Steps[at].Key
			} else {
				ended++
			}
			way, known := ways[key]
			if !known {
				way = len(p.Ways)
				ways[key] = way
				p.Ways = append(p.Ways, nil)
			}
			p.Ways[way] = append(p.Ways[way], r)
		}
		switch {
		case len(p.Ways) > 1:
			return p, true
		case ended == len(group):
			return p, false
		}
	}
}

// Alone returns the steps of each run that no other run has, in the order of the run. Steps that are the same are
// listed once.
func Alone(runs []Run) [][]int {
	owner := make(map[string]int) // the run that has a key, -1 for several
	for r := range runs {
		for i := range runs[r].Steps {
			key := runs[r].Steps[i].Key
			if known, ok := owner[key]; ok && known != r {
				owner[key] = -1
			} else {
				owner[key] = r
			}
		}
	}
	all := make([][]int, len(runs))
	for r := range runs {
		for i := range runs[r].Steps {
			if key := runs[r].Steps[i].Key; owner[key] == r {
				all[r] = append(all[r], i)
				owner[key] = -1 // once
			}
		}
	}
	return all
}
