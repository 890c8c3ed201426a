package page

// A Pager links to the previous and the next page.
type Pager struct {
	Prev, Next *Link
	Label      string // distinguishes several pagers on a page
	Number     int
	// Of is the number of pages. It is only on the first page; a script adds it to others, so that an append changes
	// few pages.
	Of int
}
