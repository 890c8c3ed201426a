package render

import (
	"strings"

	"viewer/render/page"
)

// Limits of an outline: files, and changes of each file. Other files are folded.
const (
	maxFiles      = 12
	someFiles     = 4 // more than the most that are not worth a fold
	maxChanges    = 30
	maxAllChanges = 500 // of all files
)

// fileEntry is a changed file in the outline: a link to its net diff, or a list of this link and the calls that changed
// it.
type fileEntry struct {
	Href, Dir, Name string
	Facts           []page.Fact
	Changes         []changeEntry // when there are several
	More            string        // how many are not in the list
}

type changeEntry struct {
	Href, Text string
	When       page.Stamp
}

// changedFiles lists the files with a net change, with the calls on pages of the session that changed them.
func (p *pageState) changedFiles(n *netChange, calls bool) []fileEntry {
	var all []fileEntry
	changes := 0
	for i := range n.files[:min(len(n.files), maxAllFiles)] {
		f := &n.files[i]
		e := fileEntry{Href: p.within(n.places[i])}
		e.Dir, e.Name = page.DisplayedPath(p.below(f.Path))
		if added, removed := f.ByCalls(); added+removed > 0 {
			e.Facts = page.PlusMinus(added, removed)
		}
		if calls && len(f.Steps) > 1 {
			e.Changes = append(e.Changes, changeEntry{Href: e.Href, Text: "net"})
			for _, step := range f.Steps[:min(len(f.Steps), maxChanges)] {
				s := &n.steps[step]
				if href := p.drawnHref(s.Anchor); href != "" && changes < maxAllChanges {
					changes++
					e.Changes = append(e.Changes, changeEntry{href, "edit", page.NewStamp(s.Time, "", "15:04")})
				}
			}
			if more := len(f.Steps) + 1 - len(e.Changes); more > 0 {
				e.More = "and " + plural(more, "more edit", "more edits")
			}
		}
		all = append(all, e)
	}
	return all
}

// cutLast is strings.Cut at the last separator.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
