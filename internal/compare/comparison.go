package compare

// A Comparison holds what the pages of a comparison show.
type Comparison struct {
	Runs   []Run         // without steps and files, in the order of their columns
	Keys   []string      // of the runs; the key of a run changes with anything in it
	Load   func(int) Run // the whole of a run
	Matrix *Matrix       // nil if all runs are shown side by side
}

// MostRuns is the largest number of runs that are shown side by side.
const MostRuns = 8

// Whole returns runs with their steps and files.
func (c *Comparison) Whole(runs []int) []Run {
	all := make([]Run, len(runs))
	for i, at := range runs {
		all[i] = c.Load(at)
	}
	return all
}
