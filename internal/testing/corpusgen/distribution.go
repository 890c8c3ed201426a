package corpusgen

import "math/rand/v2"

// A distribution of sizes, given by its quantiles: the values that 0, 10, 50, 75, 90, 99 and 100 percent do not exceed.
// It only uses integers, so that every machine picks the same values.
type distribution [7]int

var quantiles = [7]int{0, 100_000, 500_000, 750_000, 900_000, 990_000, 1_000_000}

func (s distribution) pick(rng *rand.Rand) int { return s.at(rng.IntN(1_000_000)) }

// at returns the value at a quantile in millionths. Between two given quantiles small values are more frequent than
// large ones, as in real logs.
func (s distribution) at(millionth int) int {
	i := 0
	for i < len(s)-2 && millionth >= quantiles[i+1] {
		i++
	}
	// The product does not fit into 32 bits, which an int may have.
	part, width := int64(millionth-quantiles[i])/100, int64(quantiles[i+1]-quantiles[i])/100
	return s[i] + int(int64(s[i+1]-s[i])*part*part/(width*width))
}

// A weighted value is drawn in proportion to its share of the sum of all.
type weighted[T any] struct {
	share int
	what  T
}

func draw[T any](rng *rand.Rand, values []weighted[T]) T {
	all := 0
	for _, l := range values {
		all += l.share
	}
	at := rng.IntN(all)
	for _, l := range values {
		if at -= l.share; at < 0 {
			return l.what
		}
	}
	panic("corpusgen: no lot is drawn")
}

func pick[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }
