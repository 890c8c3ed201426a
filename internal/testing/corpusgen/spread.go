package corpusgen

import "math/rand/v2"

// A spread says how a size is spread: the values that 0, 10, 50, 75, 90, 99 and
// 100 of a hundred do not exceed. Whole numbers only, so that every machine picks
// the same.
type spread [7]int

var spreadMarks = [7]int{0, 100_000, 500_000, 750_000, 900_000, 990_000, 1_000_000}

func (s spread) pick(dice *rand.Rand) int { return s.at(dice.IntN(1_000_000)) }

// at returns the value that so many of a million do not exceed. Between two marks
// small values are more frequent than large ones, as in the logs.
func (s spread) at(millionth int) int {
	i := 0
	for i < len(s)-2 && millionth >= spreadMarks[i+1] {
		i++
	}
	part, width := millionth-spreadMarks[i], spreadMarks[i+1]-spreadMarks[i]
	part /= 100 // so that squares times sizes fit
	width /= 100
	return s[i] + (s[i+1]-s[i])*part*part/(width*width)
}

// A lot is drawn with the others in proportion to its share.
type lot[T any] struct {
	share int
	what  T
}

func draw[T any](dice *rand.Rand, lots []lot[T]) T {
	all := 0
	for _, l := range lots {
		all += l.share
	}
	at := dice.IntN(all)
	for _, l := range lots {
		if at -= l.share; at < 0 {
			return l.what
		}
	}
	panic("corpusgen: no lot is drawn")
}

func pick[T any](dice *rand.Rand, from []T) T { return from[dice.IntN(len(from))] }
