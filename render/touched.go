package render

import "strings"

// A touch is one change to a file that a call made.
type touch struct {
	path, anchor   string
	added, removed int // lines, as far as the log tells
}

// change notes what a call did to the file of its row, and says it on the row.
func (r *row) change(added, removed int) {
	r.Added, r.Removed = added, removed
	r.Facts = append(r.Facts, changes(added, removed)...)
}

// touch keeps a change for the outline. What was taken back is none.
func (d *drawer) touch(r row, anchor string) {
	if d.undone == 0 && r.Path != "" && r.Changes {
		d.touched[d.job] = append(d.touched[d.job], touch{clip(r.Path, 160), anchor, r.Added, r.Removed})
	}
}

// An outline names so many files; the rest is folded.
const (
	mostFiles = 12
	someFiles = 4 // more than the most that are not worth a fold
)

// touchedFiles lists the files that the session changed, each with its first change, in the order of the pages.
// All of these are drawn already: the first page is the last to be.
func (b *book) touchedFiles() (all []fileEntry) {
	at := make(map[string]int)
	var sums []touch
	for i := range b.jobs {
		for _, t := range b.d.touched[i] {
			n, ok := at[t.path]
			if !ok {
				n = len(sums)
				at[t.path] = n
				sums = append(sums, touch{path: t.path, anchor: t.anchor})
			}
			sums[n].added += t.added
			sums[n].removed += t.removed
		}
	}
	for _, t := range sums {
		cut := strings.LastIndexAny(t.path, `/\`) + 1
		e := fileEntry{Href: b.d.href(t.anchor), Dir: t.path[:cut], Name: t.path[cut:]}
		if t.added+t.removed > 0 {
			e.Facts = changes(t.added, t.removed)
		}
		all = append(all, e)
	}
	return all
}

// fileEntry is a changed file in the outline.
type fileEntry struct {
	Href, Dir, Name string
	Facts           []fact
}
