package page

// A Pager leads to the pages before and behind one of several.
type Pager struct {
	Prev, Next *Link
	Label      string // tells one from the other on a page
	Number     int
	// Of is how many pages there are. The first one tells it; on others a script does, so that an append changes few.
	Of int
}
