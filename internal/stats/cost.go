package stats

import (
	"math"
	"strconv"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// Money is an amount in units of 10^-12 dollars. The price of a token is a whole number of these units, so that sums do
// not depend on their order.
type Money int64

// maxMoney is the largest amount, about nine million dollars. Only invented logs reach it.
const maxMoney = Money(math.MaxInt64)

// Dollars returns the amount in US dollars.
func (m Money) Dollars() float64 { return float64(m) / 1e12 }

// dollars converts US dollars. An amount that is not positive becomes 0, and one that is too large maxMoney.
func dollars(f float64) Money {
	switch m := math.Round(f * 1e12); {
	case !(m > 0):
		return 0
	case m >= math.MaxInt64:
		return maxMoney
	default:
		return Money(m)
	}
}

// plus adds two amounts, which must not be negative.
func (m Money) plus(n Money) Money {
	if m > maxMoney-n {
		return maxMoney
	}
	return m + n
}

// A Cost is the cost of requests, as far as the price table and the log have it.
type Cost struct {
	List     Money // at list price, which is not what a subscription pays
	Logged   Money // as the log says, of requests that are not in List
	Unpriced int64 // tokens of requests that neither the table nor the log has a price for
}

// Total returns the known cost from both sources.
func (c Cost) Total() Money { return c.List.plus(c.Logged) }

// Add sums two costs.
func (c Cost) Add(d Cost) Cost {
	return Cost{c.List.plus(d.List), c.Logged.plus(d.Logged), c.Unpriced + d.Unpriced}
}

// A loggedTotal is a total that the log states, and the last record that it includes.
type loggedTotal struct {
	cost  Money
	at    transcript.Pos // of the record that says so
	until int64          // unix milliseconds of the latest record before it, 0 when none has a time
	ok    bool
}

// loggedTotalOf returns the cost of the session that the log states. A cost-state record is about the whole session.
// The last one counts, unless it says that the price of a model was guessed. total_cost_usd of a result is about the
// process that wrote it, so a value below the one before comes from another process. What was spent in a copied history
// counts for the session that draws it.
func loggedTotalOf(c *normalize.Conversation) loggedTotal {
	var b, state loggedTotal
	var process Money
	var until int64
	var last *transcript.Record
	for _, m := range c.Order {
		r := m.Record
		if r == last {
			continue
		}
		last = r
		if !r.Timestamp.IsZero() {
			until = max(until, r.Timestamp.UnixMilli())
		}
		switch r.Type {
		case "result":
			total, ok := amount(r, "total_cost_usd")
			if !ok {
				continue
			}
			before := process
			if process = total; m.Copied() {
				continue
			}
			if total < before {
				before = 0
			}
			b.cost = b.cost.plus(total - before)
			b.at, b.until, b.ok = r.Pos, until, true
		case "cost-state":
			total, ok := amount(r, "totalCostUSD")
			guessed := transcript.Kind(transcript.Field(r.Raw, "hasUnknownModelCost")) == 't'
			state = loggedTotal{total, r.Pos, until, ok && !guessed}
		}
	}
	if state.ok {
		return state
	}
	return b
}

// covers reports whether the total includes a request. Requests in files of agents have no position in the main file.
// Their time decides.
func (b loggedTotal) covers(r *normalize.Request) bool {
	switch {
	case !b.ok:
		return false
	case r.First.Pos.File == b.at.File:
		return r.First.Pos.Offset <= b.at.Offset
	case r.First.Timestamp.IsZero():
		return true
	}
	return r.First.Timestamp.UnixMilli() <= b.until
}

func amount(r *transcript.Record, name string) (Money, bool) {
	f, err := strconv.ParseFloat(string(transcript.Field(r.Raw, name)), 64)
	return dollars(f), err == nil && f >= 0
}
