package stats

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// A Credit is what sessions used of a subscription, in the unit of their log, such as "premium requests". It is not
// money: the price of a unit depends on a contract.
type Credit struct {
	Unit string
	Used int64 // millionths
}

// Amount returns how many units were used.
func (c Credit) Amount() float64 { return float64(c.Used) / 1e6 }

// maxCredits is the maximum number of different units. Writers use one or two.
const maxCredits = 10

// creditsOf returns what a session used according to its log. Each record has the sum since the program started, so the
// last one of a unit counts, and a value below the one before comes from another process. What was used in a copied
// history counts for the session that draws it.
func creditsOf(c *normalize.Conversation) []Credit {
	type used struct{ before, copied, process int64 } // in earlier processes; in this one
	var units []string
	sums := make(map[string]*used)
	var last *transcript.Record
	for _, m := range c.Order {
		if m.Record == last {
			continue
		}
		last = m.Record
		for _, one := range m.Record.Credits {
			n := millionths(one.Used)
			sum := sums[one.Unit]
			if sum == nil {
				if n == 0 || len(units) == maxCredits {
					continue
				}
				sum = new(used)
				sums[one.Unit], units = sum, append(units, one.Unit)
			}
			if n < sum.process {
				sum.before, sum.copied = plus(sum.before, sum.process-sum.copied), 0
			}
			if sum.process = n; m.Copied() {
				sum.copied = n
			}
		}
	}
	slices.Sort(units)
	var all []Credit
	for _, unit := range units {
		sum := sums[unit]
		if n := plus(sum.before, sum.process-sum.copied); n > 0 {
			all = append(all, Credit{unit, n})
		}
	}
	return all
}

// millionths returns an amount in millionths, at least 0 and at most the largest number.
func millionths(f float64) int64 {
	switch n := math.Round(f * 1e6); {
	case !(n > 0):
		return 0
	case n >= math.MaxInt64:
		return math.MaxInt64
	default:
		return int64(n)
	}
}

func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// addCredits adds the credits of other sessions.
func (t *Totals) addCredits(more []Credit) {
	for _, c := range more {
		i, found := slices.BinarySearchFunc(t.Credits, c.Unit,
			func(one Credit, unit string) int { return cmp.Compare(one.Unit, unit) })
		switch {
		case found:
			t.Credits[i].Used = plus(t.Credits[i].Used, c.Used)
		case i < maxCredits: // those with the first names stay, whatever the order of sessions
			c.Unit = strings.Clone(c.Unit)
			t.Credits = slices.Insert(slices.Clip(t.Credits), i, c)
			t.Credits = t.Credits[:min(len(t.Credits), maxCredits)]
		}
	}
}
