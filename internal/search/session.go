package search

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Documents returns all documents of a session, given the folder of its pages: those of the session in order, then
// those of its agents. It returns none for a folder that is not in the index.
func (x *Index) Documents(folder string) ([]StoredDocument, error) {
	if x.cut != nil {
		return x.cut.documents(folder)
	}
	var units []int
	for i, u := range x.units {
		if x.sessions[u.session].Folder == folder {
			units = append(units, i)
		}
	}
	slices.SortFunc(units, func(a, b int) int {
		u, v := x.units[a].unit, x.units[b].unit
		return cmp.Or(comparePages(u.Page, v.Page), u.Number-v.Number)
	})
	var all []StoredDocument
	for _, i := range units {
		unit, err := x.withText(i)
		if err != nil {
			return nil, err
		}
		all = append(all, unit.ReadDocuments()...)
	}
	return all, nil
}

// IsMain reports whether a page belongs to the session itself and not to one of its agents.
func IsMain(page string) bool { return pageNumber(page) > 0 }

// comparePages sorts the pages of a session: its own by number, then those of agents by name.
func comparePages(a, b string) int {
	m, n := pageNumber(a), pageNumber(b)
	if (m == 0) != (n == 0) {
		return n - m
	}
	return cmp.Or(m-n, len(a)-len(b), strings.Compare(a, b))
}

// pageNumber returns the number of a page of the session itself, 0 for a page of an agent.
func pageNumber(page string) int {
	if page == firstPage {
		return 1
	}
	n, err := strconv.Atoi(strings.TrimSuffix(page, ".html"))
	if err != nil || n < 2 {
		return 0
	}
	return n
}
