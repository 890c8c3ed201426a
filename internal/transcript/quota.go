package transcript

import "fmt"

// The quota limits how many values of a file are read. A value takes some kilobytes of memory and some tens of
// microseconds, however small it is, so that a file of a million small values would take fifty times as much as
// ordinary text of its size. Records of Claude Code have more than a kilobyte on average, and records of any kind have
// at least minValue bytes on average. So a file may begin with freeValues values of any size, and may have one more
// for each minValue bytes after that. Each block of a message counts as valuesPerBlock, because it becomes messages
// and their text; a record counts as one, and as one more if it is drawn on a separate line. Values beyond the quota
// are not read, and one problem reports their number. Real sessions of Claude Code have at least 380 bytes a value,
// those of Codex 269, of Pi 215, of Kimi 117. Records of 300 bytes with a message use up freeValues after 12,000
// records or 4 MB.
const (
	freeValues     = 32_768
	minValue       = 256
	valuesPerBlock = 3
)

// maxProblems is how many problems of one file are listed. The others are only counted.
const maxProblems = 5000

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

// A quota counts the values of a file and collects its problems.
type quota struct {
	values   int // values that were admitted: records, blocks, and values that are not records
	problems []Problem
	unread   span // values beyond the quota
	unlisted span // problems beyond maxProblems
	lost     int  // how many of the unlisted problems lost a value
}

// admit reports whether n values that end at an offset are within the quota, and counts them.
func (q *quota) admit(end int64, n int) bool {
	if int64(q.values+n) > freeValues+end/minValue {
		return false
	}
	q.values += n
	return true
}

// remaining returns how many more values are admitted up to an offset.
func (q *quota) remaining(end int64) int {
	return max(0, int(freeValues+end/minValue)-q.values)
}

func (q *quota) note(p Problem) {
	if len(q.problems) < maxProblems {
		q.problems = append(q.problems, p)
		return
	}
	q.unlisted.add(p.Pos)
	if p.Lost {
		q.lost++
	}
}

// list returns the problems of the file.
func (q *quota) list() []Problem {
	all := q.problems[:len(q.problems):len(q.problems)]
	if s := q.unlisted; s.n > 0 {
		all = append(all, Problem{
			Pos: s.first, Text: fmt.Sprintf("%s up to line %d", MoreProblems(s.n), s.last.Line), Lost: q.lost > 0,
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

// MoreProblems says how many problems a list leaves out.
func MoreProblems(n int) string {
	if n == 1 {
		return "1 more problem"
	}
	return fmt.Sprintf("%d more problems", n)
}
