package changes

import "iter"

// A span is a replaced part of a text: lines from0 to to0 of the first text are replaced by lines from1 to to1 of the
// second. Lines count from 0, and the ends are exclusive.
type span struct{ from0, to0, from1, to1 int }

// compare returns the spans in which two texts differ, in order and not adjacent. It finds the fewest changed lines if
// that takes bounded time, otherwise few. Groups are moved down as far as possible.
func compare(a, b []string) []span {
	deepest := 512
	for deepest*deepest < len(a)+len(b) {
		deepest *= 2
	}
	return compareWithin(a, b, deepest)
}

// Common yields the indexes of common elements of two lists, in order: a longest common subsequence if that takes
// bounded time, otherwise a long one. It includes all equal elements at the beginning.
func Common(a, b []string) iter.Seq2[int, int] {
	return func(yield func(i, j int) bool) {
		i, j := 0, 0
		for _, s := range append(compare(a, b), span{len(a), len(a), len(b), len(b)}) {
			for ; i < s.from0; i, j = i+1, j+1 {
				if !yield(i, j) {
					return
				}
			}
			i, j = s.to0, s.to1
		}
	}
}

// compareWithin limits the number of differences that are searched for before the best path so far is used.
func compareWithin(a, b []string, deepest int) []span {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	s := search{gone: make([]bool, len(a)), new: make([]bool, len(b)), deepest: deepest}
	s.number(a, b, head, tail)
	s.run(0, len(s.a), 0, len(s.b))
	slide(a, s.gone)
	slide(b, s.new)
	return s.spans()
}

// A search is a run of Myers' algorithm in linear space.
type search struct {
	a, b      []int32 // numbers of the lines that both sides have
	ia, ib    []int32 // indexes of these lines
	gone, new []bool  // lines of each side that the other lacks
	forward   []int32 // furthest reach on each diagonal
	backward  []int32
	deepest   int // number of differences after which the best path so far is used
}

// number numbers the lines. A line that the other side lacks has certainly changed, and is left out of the search.
func (s *search) number(a, b []string, head, tail int) {
	if head+tail == len(a) || head+tail == len(b) { // the other side is completely new or removed
		for i := head; i < len(a)-tail; i++ {
			s.gone[i] = true
		}
		for i := head; i < len(b)-tail; i++ {
			s.new[i] = true
		}
		return
	}
	ids := make(map[string]int32)
	var counts []int32 // in b
	for _, l := range b[head : len(b)-tail] {
		id, ok := ids[l]
		if !ok {
			id = int32(len(counts))
			ids[l] = id
			counts = append(counts, 0)
		}
		counts[id]++
	}
	met := make([]bool, len(counts))
	for i := head; i < len(a)-tail; i++ {
		id, ok := ids[a[i]]
		if !ok {
			s.gone[i] = true
			continue
		}
		met[id] = true
		s.a, s.ia = append(s.a, id), append(s.ia, int32(i))
	}
	for i := head; i < len(b)-tail; i++ {
		id := ids[b[i]]
		if !met[id] {
			s.new[i] = true
			continue
		}
		s.b, s.ib = append(s.b, id), append(s.ib, int32(i))
	}
	n := len(s.a) + len(s.b) + 3
	s.forward, s.backward = make([]int32, 2*n), make([]int32, 2*n)
}

// run compares a[a0:a1] with b[b0:b1].
func (s *search) run(a0, a1, b0, b1 int) {
	for {
		for a0 < a1 && b0 < b1 && s.a[a0] == s.b[b0] {
			a0, b0 = a0+1, b0+1
		}
		for a0 < a1 && b0 < b1 && s.a[a1-1] == s.b[b1-1] {
			a1, b1 = a1-1, b1-1
		}
		if a0 == a1 || b0 == b1 {
			for ; a0 < a1; a0++ {
				s.gone[s.ia[a0]] = true
			}
			for ; b0 < b1; b0++ {
				s.new[s.ib[b0]] = true
			}
			return
		}
		x, y := s.middle(a0, a1, b0, b1)
		if x-a0+y-b0 < a1-x+b1-y { // recurse into the smaller half
			s.run(a0, x, b0, y)
			a0, b0 = x, y
		} else {
			s.run(x, a1, y, b1)
			a1, b1 = x, y
		}
	}
}

// none marks a diagonal that was not reached.
const none = -1 << 30

// middle returns a point on a shortest path between the corners, or on a good path if the shortest is long. It is never
// one of the two corners.
func (s *search) middle(a0, a1, b0, b1 int) (x, y int) {
	n, m := a1-a0, b1-b0
	f, g := paths{s.forward, n, m}, paths{s.backward, n, m}
	delta := n - m
	for d := 0; ; d++ {
		for k := range f.diagonals(d) {
			x := f.reach(k, d)
			for x >= 0 && x < n && x-k < m && s.a[a0+x] == s.b[b0+x-k] {
				x++
			}
			f.set(k, x)
			if delta&1 != 0 && g.walked(delta-k, d-1) && x >= 0 && x+g.at(delta-k) >= n {
				return a0 + x, b0 + x - k
			}
		}
		for k := range g.diagonals(d) {
			x := g.reach(k, d)
			for x >= 0 && x < n && x-k < m && s.a[a1-1-x] == s.b[b1-1-x+k] {
				x++
			}
			g.set(k, x)
			if delta&1 == 0 && f.walked(delta-k, d) && x >= 0 && x+f.at(delta-k) >= n {
				return a1 - x, b1 - x + k
			}
		}
		if d >= s.deepest {
			best := -1
			for k := range f.diagonals(d) {
				if i := f.at(k); i >= 0 && 2*i-k > best {
					best, x, y = 2*i-k, a0+i, b0+i-k
				}
			}
			return x, y
		}
	}
}

// paths has the furthest reach of the best paths on each diagonal, along n lines of one side and m of the other.
type paths struct {
	v    []int32
	n, m int
}

func (p paths) at(k int) int      { return int(p.v[len(p.v)/2+k]) }
func (p paths) set(k, x int)      { p.v[len(p.v)/2+k] = int32(x) }
func (p paths) inside(k int) bool { return -p.m <= k && k <= p.n }

// diagonals yields the diagonals inside the rectangle on which paths with d differences end.
func (p paths) diagonals(d int) iter.Seq[int] {
	return func(yield func(int) bool) {
		from, to := -d, d
		if from < -p.m {
			from = -p.m + (d-p.m)&1
		}
		if to > p.n {
			to = p.n - (d-p.n)&1
		}
		for k := from; k <= to; k += 2 {
			if !yield(k) {
				return
			}
		}
	}
}

// walked reports whether a path with d differences may end on a diagonal.
func (p paths) walked(k, d int) bool { return p.inside(k) && -d <= k && k <= d && (d-k)&1 == 0 }

// reach returns how far the best path with d differences gets on diagonal k, before it follows equal lines.
func (p paths) reach(k, d int) int {
	if d == 0 {
		return 0
	}
	x := none
	if p.walked(k-1, d-1) {
		if from := p.at(k - 1); from >= 0 && from < p.n {
			x = from + 1
		}
	}
	if p.walked(k+1, d-1) {
		if from := p.at(k + 1); from >= 0 && from-k <= p.m {
			x = max(x, from)
		}
	}
	return x
}

// spans returns the spans of the marked lines.
func (s *search) spans() []span {
	var all []span
	i, j := 0, 0
	for i < len(s.gone) || j < len(s.new) {
		if i < len(s.gone) && j < len(s.new) && !s.gone[i] && !s.new[j] {
			i, j = i+1, j+1
			continue
		}
		p := span{from0: i, from1: j}
		for i < len(s.gone) && s.gone[i] {
			i++
		}
		for j < len(s.new) && s.new[j] {
			j++
		}
		p.to0, p.to1 = i, j
		all = append(all, p)
	}
	return all
}
