package changes

import "strings"

// A group is changed lines that stand together, and how far up and down it means the same with other lines.
type group struct{ from, to, up, down int }

// groupAt measures a group between two places that it may not pass.
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

// best is the shift at which the group reads like something that people write: it begins with words, behind an empty
// line,
// and ends with an empty line or one that only closes. alone is false where another shift reads as well.
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

// slide moves each group to where it reads best, or joins it with the one above where they can touch.
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
			end += shift // and the joined group is looked at again
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
