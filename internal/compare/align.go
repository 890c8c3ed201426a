package compare

import "viewer/internal/changes"

// A Row is one line of an alignment: the index of the step of each run that stands there, [None] for those without.
type Row []int

// None is the index of no step.
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

// Align gives the rows of an alignment of runs: each step of each run stands in one row, in the order of its run, and
// steps stand in the same row only if they are the same. The runs come in one after the other.
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

// Packed puts rows that not all runs share into fewer lines, so that what the runs did meanwhile stands side by side. A
// line holds at most one step of each run, and each run keeps its order.
func Packed(rows []Row) []Row {
	var all []Row
	var last []int // by run: its last line
	begin := 0     // the line behind the last that all share
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

// A Parting is where runs that did the same until then go on in different ways.
type Parting struct {
	After int     // how many steps from the beginning they share
	Ways  [][]int // the runs by what they did next, the first of them first; a run that ends there is a way by itself
}

// Partings tells where runs part, from first to last. Runs that did the same to their ends never part.
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

// Alone are the steps of each run whose like no other run has, each kind of step once, in the order of the run.
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
