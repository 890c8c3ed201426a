package stats

import (
	"math"
	"strconv"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// Money is an amount in millionths of a millionth of a dollar: what one token
// costs is a whole number of them, so that sums do not depend on their order.
type Money int64

// most is where amounts stop growing, some nine million dollars: only made-up
// logs get there.
const most = Money(math.MaxInt64)

// Dollars is the amount in US dollars.
func (m Money) Dollars() float64 { return float64(m) / 1e12 }

// dollars makes an amount of dollars; what is no amount is none.
func dollars(f float64) Money {
	switch m := math.Round(f * 1e12); {
	case !(m > 0):
		return 0
	case m >= math.MaxInt64:
		return most
	default:
		return Money(m)
	}
}

// plus adds amounts that are not negative.
func (m Money) plus(n Money) Money {
	if m > most-n {
		return most
	}
	return m + n
}

// A Cost is what requests cost, as far as anyone can tell.
type Cost struct {
	List     Money // at list price, which is not what a subscription pays
	Logged   Money // as the log says, of requests that are not in List
	Unpriced int64 // tokens of requests that neither the table nor the log has a price for
}

// Total is all that is known.
func (c Cost) Total() Money { return c.List.plus(c.Logged) }

// Add sums two costs.
func (c Cost) Add(d Cost) Cost {
	return Cost{c.List.plus(d.List), c.Logged.plus(d.Logged), c.Unpriced + d.Unpriced}
}

// A bill is a total that the log itself tells, and how far it reaches.
type bill struct {
	cost  Money
	at    transcript.Pos // of the record that says so
	until int64          // unix milliseconds of the latest record before it, 0 when none has a time
	known bool
}

// billOf finds what the log says the session cost (format, sections 3 and 17).
// cost-state is of the whole session and the last one holds; one that says that
// it had to guess the price of a model is worth no more than our table and
// stands for nothing. total_cost_usd of a result is of the process that wrote
// it: a smaller one than the last is of another process.
func billOf(c *normalize.Conversation) bill {
	var b, state bill
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
			if total < process {
				b.cost = b.cost.plus(total)
			} else {
				b.cost = b.cost.plus(total - process)
			}
			process = total
			b.at, b.until, b.known = r.Pos, until, true
		case "cost-state":
			total, ok := amount(r, "totalCostUSD")
			guessed := transcript.Kind(transcript.Field(r.Raw, "hasUnknownModelCost")) == 't'
			state = bill{total, r.Pos, until, ok && !guessed}
		}
	}
	if state.known {
		return state
	}
	return b
}

// covers says whether the bill holds a request. Those of agent files have no
// place in the main file: their time says.
func (b bill) covers(r *normalize.Request) bool {
	switch {
	case !b.known:
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
