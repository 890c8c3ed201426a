package transcript

import "fmt"

// What is made of a value costs some kilobytes of memory and some tens of
// microseconds, however small the value is: a file of a million of them would cost
// fifty times what ordinary text of its size does. Records that Claude Code writes have
// a kilobyte and more on the average, and no kind of them less than leastValue bytes. So a
// file may begin with so many values of any size; after that it has room for one more
// with each leastValue bytes. A record that says something is four, of which three are what it
// says, for each block of it: that becomes messages, their text, and what is sent. All others
// are two, but for the pieces of a stream, which are small and many. What there is no room for is
// not read, and told in one problem. Real sessions of more than 150 records have 380 bytes a value
// at least.
const (
	freeValues = 8192
	leastValue = 256
	said       = 3
)

// mostProblems is how many problems of one file are listed; of the others it is
// told how many there are.
const mostProblems = 5000

// A span is a number of values or problems, and where they begin and end.
type span struct {
	n           int
	first, last Pos
}

func (s *span) add(pos Pos) {
	if s.n++; s.n == 1 {
		s.first = pos
	}
	s.last = pos
}

// A tally is what a decoder keeps of the values of a file.
type tally struct {
	values   int // that room was made for: records, their blocks, and what is none
	problems []Problem
	unread   span // values that there was no room for
	unlisted span // problems beyond mostProblems, of which
	lost     int  // so many stand for a value
}

// room says whether the file has room for what counts as n values and ends at offset, and takes it.
func (a *tally) room(end int64, n int) bool {
	if int64(a.values+n) > freeValues+end/leastValue {
		return false
	}
	a.values += n
	return true
}

// left is how many values there is room for up to an offset.
func (a *tally) left(end int64) int {
	return max(0, int(freeValues+end/leastValue)-a.values)
}

func (a *tally) note(p Problem) {
	if len(a.problems) < mostProblems {
		a.problems = append(a.problems, p)
		return
	}
	a.unlisted.add(p.Pos)
	if p.Lost {
		a.lost++
	}
}

// told are the problems as a file has them.
func (a *tally) told() []Problem {
	all := a.problems[:len(a.problems):len(a.problems)]
	if s := a.unlisted; s.n > 0 {
		all = append(all, Problem{
			Pos: s.first, Text: fmt.Sprintf("%d more problems up to line %d", s.n, s.last.Line), Lost: a.lost > 0,
			Others: max(0, a.lost-1),
		})
	}
	if s := a.unread; s.n > 0 {
		all = append(all, Problem{
			Pos: s.first,
			Text: fmt.Sprintf("%d values up to line %d are not read: they are too many and too small for a session",
				s.n, s.last.Line), Lost: true, Others: s.n - 1,
		})
	}
	return all
}
