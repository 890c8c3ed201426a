package compare

// A Comparison is what the pages of a comparison show.
type Comparison struct {
	Runs   []Run         // without steps and files, in the order in which they stand side by side
	Keys   []string      // of the runs: a key stands for all of a run
	Load   func(int) Run // the whole of a run
	Matrix *Matrix       // nil where all runs stand side by side
}

// MostRuns is how many runs can stand side by side.
const MostRuns = 8

// Whole are some runs with their steps and files.
func (c *Comparison) Whole(runs []int) []Run {
	all := make([]Run, len(runs))
	for i, at := range runs {
		all[i] = c.Load(at)
	}
	return all
}
