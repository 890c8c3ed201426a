package compare

// A Comparison is what the pages of a comparison show.
type Comparison struct {
	Runs []Run // in the order in which they stand side by side
}

// MostRuns is how many runs can stand side by side.
const MostRuns = 8
