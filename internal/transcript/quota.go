package transcript

import "fmt"

// The quota of a file bounds how many values are read of it. What is made of a value costs some kilobytes of memory and
// some tens of microseconds, however small the value is: a file of a million small ones would cost fifty times what
// ordinary text of its size does. Records that Claude Code writes have a kilobyte and more on the average, and no kind
// of them less than leastValue bytes. So a file may begin with freeValues values of any size, and has one more with
// each leastValue bytes after that. Each block of a message counts as valuesPerBlock, because it becomes messages,
// their text, and what is sent; a record counts as one, and as one more when it is drawn on a line of its own. Values
// beyond the quota are not read, and one problem says how many. Real sessions of more than 150 records have at least
// 380 bytes a value.
const (
	freeValues     = 8192
	leastValue     = 256
	valuesPerBlock = 3
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

// A quota counts the values of a file, and collects its problems.
type quota struct {
	values   int // that were admitted: records, their blocks, and what is none
	problems []Problem
	unread   span // values beyond the quota
	unlisted span // problems beyond mostProblems, of which
	lost     int  // so many stand for a value
}

// admit counts n values that end at offset end, unless they are beyond the quota.
func (q *quota) admit(end int64, n int) bool {
	if int64(q.values+n) > freeValues+end/leastValue {
		return false
	}
	q.values += n
	return true
}

// remaining is how many more values are admitted up to an offset.
func (q *quota) remaining(end int64) int {
	return max(0, int(freeValues+end/leastValue)-q.values)
}

func (q *quota) note(p Problem) {
	if len(q.problems) < mostProblems {
		q.problems = append(q.problems, p)
		return
	}
	q.unlisted.add(p.Pos)
	if p.Lost {
		q.lost++
	}
}

// list is the problems as a file has them.
func (q *quota) list() []Problem {
	all := q.problems[:len(q.problems):len(q.problems)]
	if s := q.unlisted; s.n > 0 {
		all = append(all, Problem{
			Pos: s.first, Text: fmt.Sprintf("%d more problems up to line %d", s.n, s.last.Line), Lost: q.lost > 0,
			Others: max(0, q.lost-1),
		})
	}
	if s := q.unread; s.n > 0 {
		all = append(all, Problem{
			Pos: s.first,
			Text: fmt.Sprintf("%d values up to line %d are not read: they are too many and too small for a session",
				s.n, s.last.Line), Lost: true, Others: s.n - 1,
		})
	}
	return all
}
