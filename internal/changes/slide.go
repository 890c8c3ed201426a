package changes

import "strings"

// A group is a run of changed lines, and how far it can move up and down without changing the result.
type group struct{ from, to, up, down int }

// groupAt returns the group of some lines, which may move between two limits.
func groupAt(lines []string, from, to, floor, ceiling int) group {
	g := group{from: from, to: to}
	for from-g.up > floor && lines[from-g.up-1] == lines[to-g.up-1] {
		g.up++
	}
	for to+g.down < ceiling && lines[from+g.down] == lines[to+g.down] {
		g.down++
	}
	return g
}

// best returns the shift at which the group reads best: it begins with words after an empty line, and ends with an
// empty line or one that only closes a block. alone is false if another shift is as good.
func (g group) best(lines []string) (shift int, alone bool) {
	most := -1
	for s := g.down; s >= -g.up; s-- {
		switch n := rating(lines, g.from+s, g.to+s); {
		case n > most:
			most, shift, alone = n, s, true
		case n == most:
			alone = false
		}
	}
	return shift, alone
}

func rating(lines []string, from, to int) int {
	n := 0
	if letters(lines[from]) > 0 {
		n += 2
	}
	if from == 0 || strings.TrimSpace(lines[from-1]) == "" {
		n++
	}
	if letters(lines[to-1]) == 0 {
		n++
	}
	return n
}

// slide moves each group to its best position, or joins it with the one above if they can touch.
func slide(lines []string, changed []bool) {
	ceiling := len(lines)
	for end := len(lines); end > 0; {
		if !changed[end-1] {
			end--
			continue
		}
		start := end - 1
		for start > 0 && changed[start-1] {
			start--
		}
		floor := start
		for floor > 0 && !changed[floor-1] {
			floor--
		}
		g := groupAt(lines, start, end, floor, ceiling)
		shift, _ := g.best(lines)
		joins := floor > 0 && start-g.up == floor
		if joins {
			shift = -g.up
		}
		for i := start; i < end; i++ {
			changed[i] = false
		}
		for i := start + shift; i < end+shift; i++ {
			changed[i] = true
		}
		if joins {
			end += shift // the joined group is examined again
			continue
		}
		ceiling, end = start+shift, start+shift
		if end > floor && floor > 0 {
			end = floor
		} else if floor == 0 {
			return
		}
	}
}
