package changes

// kept are lines of an old text that stand elsewhere in the new one.
type kept struct {
	old   []entry
	moved map[int]int  // old index by the new one
	gone  map[int]bool // old indices of those
}

// moved finds blocks of lines that were taken away in one place and added in another: the first of their
// lines is there once on either side, and together they are too long to be the same by chance.
func moved(old []entry, lines []string, spans []span) kept {
	type place struct{ at, n int }
	gone, added, isGone := make(map[string]place), make(map[string]place), make(map[int]bool)
	for _, s := range spans {
		for i := s.from0; i < s.to0; i++ {
			gone[old[i].text] = place{i, gone[old[i].text].n + 1}
			isGone[i] = true
		}
		for i := s.from1; i < s.to1; i++ {
			added[lines[i]] = place{i, added[lines[i]].n + 1}
		}
	}
	k := kept{old: old, moved: make(map[int]int), gone: make(map[int]bool)}
	for _, s := range spans {
		for i := s.from1; i < s.to1; {
			to, from := added[lines[i]], gone[lines[i]]
			if to.n != 1 || from.n != 1 {
				i++
				continue
			}
			n, size := 0, 0
			for i+n < s.to1 && from.at+n < len(old) && isGone[from.at+n] && old[from.at+n].text == lines[i+n] {
				size += letters(lines[i+n])
				n++
			}
			if size >= enough {
				for j := range n {
					k.moved[i+j], k.gone[from.at+j] = from.at+j, true
				}
			}
			i += n
		}
	}
	return k
}
