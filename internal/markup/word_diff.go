package markup

import (
	"strings"
	"unicode"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// A mark is a changed part of a line, in bytes after the sign.
type mark struct{ start, end int }

// pairs compares the deleted lines of each change with the added ones that follow, in order, and returns the marks of
// each line of the hunk.
func (d *drawing) pairs(lines []string) map[int][]mark {
	var all map[int][]mark
	for i := 0; i < len(lines); {
		if lines[i][0] != '-' {
			i++
			continue
		}
		del := signed(lines, &i, '-')
		ins := signed(lines, &i, '+')
		for k := range min(len(del), len(ins)) {
			a, b := lines[del[k]][1:], lines[ins[k]][1:]
			size := len(a) + len(b)
			if len(a) > maxLine || len(b) > maxLine || size > d.marks {
				continue
			}
			d.marks -= size
			if ma, mb := d.words.changes(a, b); ma != nil || mb != nil {
				if all == nil {
					all = make(map[int][]mark)
				}
				all[del[k]], all[ins[k]] = ma, mb
			}
		}
	}
	return all
}

// signed returns the lines from *i on that start with sign, and moves *i after them. A "\ No newline" line does not end
// a change.
func signed(lines []string, i *int, sign byte) (at []int) {
	for ; *i < len(lines) && (lines[*i][0] == sign || lines[*i][0] == '\\'); *i++ {
		if lines[*i][0] == sign {
			at = append(at, *i)
		}
	}
	return at
}

// A wordDiff compares lines by words. It reuses its memory for the next pair.
type wordDiff struct {
	ids    map[string]rune // the number of each word
	size   []int           // how many bytes of each word are not blank
	count  []int           // how often each word is in a
	wa, wb []int           // starts of the words
	ra, rb []rune          // their numbers
}

// changes returns the parts of a and b that differ, by words. If less than two fifths are the same, the lines are
// unrelated and have no marks.
func (d *wordDiff) changes(a, b string) (ma, mb []mark) {
	if d.ids == nil {
		d.ids = make(map[string]rune, 64)
	}
	clear(d.ids)
	d.size, d.count = d.size[:0], d.count[:0]
	d.wa, d.wb = words(d.wa[:0], a), words(d.wb[:0], b)
	d.ra, d.rb = d.numbers(d.ra[:0], a, d.wa), d.numbers(d.rb[:0], b, d.wb)
	total := letters(a) + letters(b)
	// The common words, in whatever order, are an upper bound. It is cheap to compute, and most pairs of lines are
	// unrelated.
	if total == 0 || 2*d.common()*5 < total*2 {
		return nil, nil
	}
	edits := lcs.DiffRunes(d.ra, d.rb)
	same := total
	for _, e := range edits {
		same -= letters(a[offset(d.wa, e.Start, a):offset(d.wa, e.End, a)])
		same -= letters(b[offset(d.wb, e.ReplStart, b):offset(d.wb, e.ReplEnd, b)])
	}
	if same*5 < total*2 {
		return nil, nil
	}
	for _, e := range edits {
		ma = merge(ma, a, mark{offset(d.wa, e.Start, a), offset(d.wa, e.End, a)})
		mb = merge(mb, b, mark{offset(d.wb, e.ReplStart, b), offset(d.wb, e.ReplEnd, b)})
	}
	return ma, mb
}

// common returns how many bytes, without blanks, the words have that are in both lines.
func (d *wordDiff) common() int {
	for range d.size {
		d.count = append(d.count, 0)
	}
	for _, id := range d.ra {
		d.count[id]++
	}
	n := 0
	for _, id := range d.rb {
		if d.count[id] > 0 {
			d.count[id]--
			n += d.size[id]
		}
	}
	return n
}

// merge adds m; marks with only blanks between them become one.
func merge(all []mark, s string, m mark) []mark {
	if m.start == m.end {
		return all
	}
	if n := len(all); n > 0 && strings.Trim(s[all[n-1].end:m.start], " \t") == "" {
		all[n-1].end = m.end
		return all
	}
	return append(all, m)
}

// words appends to starts the offsets of the words of s: runs of letters and digits, runs of blanks, and single other
// characters.
func words(starts []int, s string) []int {
	last := 0
	for i, r := range s {
		kind := 3
		switch {
		case r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9' || r == '_',
			r >= 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			kind = 1
		case r == ' ' || r == '\t':
			kind = 2
		}
		if kind != last || kind == 3 {
			starts = append(starts, i)
		}
		last = kind
	}
	return starts
}

// offset returns where word i of s starts; after the last word, the end.
func offset(starts []int, i int, s string) int {
	if i < len(starts) {
		return starts[i]
	}
	return len(s)
}

// numbers appends to r the number of each word of s. Equal words have the same number.
func (d *wordDiff) numbers(r []rune, s string, starts []int) []rune {
	for i, start := range starts {
		w := s[start:offset(starts, i+1, s)]
		id, ok := d.ids[w]
		if !ok {
			id = rune(len(d.ids))
			d.ids[w] = id
			d.size = append(d.size, letters(w))
		}
		r = append(r, id)
	}
	return r
}

// letters counts the bytes that are not blank.
func letters(s string) int {
	return len(s) - strings.Count(s, " ") - strings.Count(s, "\t")
}
