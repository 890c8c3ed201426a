package changes

// A block is a group of lines that were removed together.
type block []entry

// maxCut limits how many of the lines that a turn removed are looked for in what it adds later, so that many changes in
// a turn take no time that grows with their square.
const maxCut = 1024

// recent returns the last blocks, with at most n lines together.
func recent(blocks []block, n int) []block {
	for i := len(blocks) - 1; i >= 0; i-- {
		if n -= len(blocks[i]); n < 0 {
			return blocks[i+1:]
		}
	}
	return blocks
}

// moves are lines that were removed in one place and added in another.
type moves map[int]entry // by their place in the new text

// moved finds the lines of blocks among those that spans add. The first line of a group must be unique on both sides,
// and the group must be too long to be equal by chance.
func moved(blocks []block, lines []string, spans []span, least int) moves {
	added := make(map[string]int)
	for _, s := range spans {
		for _, l := range lines[s.from1:s.to1] {
			added[l]++
		}
	}
	type place struct{ block, at, n int }
	gone := make(map[string]place) // only lines that are added: a turn removes many more
	for i, b := range blocks {
		for j, e := range b {
			if added[e.text] > 0 {
				gone[e.text] = place{i, j, gone[e.text].n + 1}
			}
		}
	}
	if len(gone) == 0 {
		return nil
	}
	all := make(moves)
	for _, s := range spans {
		for i := s.from1; i < s.to1; {
			from := gone[lines[i]]
			if added[lines[i]] != 1 || from.n != 1 {
				i++
				continue
			}
			n, size := 0, 0
			for b := blocks[from.block]; i+n < s.to1 && from.at+n < len(b) && b[from.at+n].text == lines[i+n]; n++ {
				size += letters(lines[i+n])
			}
			if size >= least {
				for j := range n {
					all[i+j] = blocks[from.block][from.at+j]
				}
			}
			i += n
		}
	}
	return all
}

// without returns blocks without the lines that were added elsewhere.
func (m moves) without(blocks []block) []block {
	back := make(map[int32]bool, len(m))
	for _, e := range m {
		back[e.serial] = true
	}
	var left []block
	for _, b := range blocks {
		from := 0
		for i := 0; i <= len(b); i++ {
			if i < len(b) && !back[b[i].serial] {
				continue
			}
			if from < i {
				left = append(left, b[from:i])
			}
			from = i + 1
		}
	}
	return left
}
