package stats

import (
	"strconv"
	"strings"
	"time"

	"viewer/normalize"
)

// costOf returns the cost of one request according to the log, otherwise its list price. In the table a mode with
// another price, such as "fast", is a separate model.
func costOf(r *normalize.Request, prices *priceCache) Cost {
	if r.CostUSD > 0 {
		return Cost{Logged: dollars(r.CostUSD)}
	}
	if r.OutputOnly {
		return Cost{Unpriced: max(0, r.Usage.Output)}
	}
	if price, ok := prices.of(r); ok {
		return Cost{List: price}
	}
	return Cost{Unpriced: max(0, r.Usage.Context()+r.Usage.Output)}
}

// RequestCosts returns the cost of single requests, at list price if the log does not state it.
func RequestCosts(prices Prices) func(*normalize.Request) Cost {
	cache := newPriceCache(prices)
	return func(r *normalize.Request) Cost { return costOf(r, cache) }
}

// firstReliable is the first version whose output tokens are final. Earlier ones wrote the number at the beginning of a
// stream.
var firstReliable = [3]int{2, 1, 50}

// doubtful reports whether the output tokens of a request may be a placeholder.
func doubtful(r *normalize.Request) bool {
	version := strings.SplitN(r.Last.Version, ".", 3)
	if len(version) < 3 {
		return false // of another writer, or unknown
	}
	for i, part := range version {
		n, err := strconv.Atoi(part)
		if err != nil {
			return false
		}
		if n != firstReliable[i] {
			return n < firstReliable[i]
		}
	}
	return false
}

// A ContextSize is the size of the context at one request.
type ContextSize struct {
	Request *normalize.Request
	At      time.Time // zero if unknown
	Context int64     // tokens that were sent: input and cache, of this request alone
	Output  int64
}

// ContextSizes returns the sizes at the requests of a conversation, in order. Requests of agents, of attempts that were
// taken back and of copied history are left out.
func ContextSizes(c *normalize.Conversation) []ContextSize {
	var all []ContextSize
	for _, turn := range c.Turns {
		for _, r := range turn.Requests {
			if n := Context(r); n > 0 {
				all = append(all, ContextSize{r, r.First.Timestamp, n, r.Usage.Output})
			}
		}
	}
	return all
}

// Context returns the size of the context at a request in tokens, 0 if it is unknown or the request is part of copied
// history. The sum of several requests does not tell the size at one of them.
func Context(r *normalize.Request) int64 {
	if r.Repeats || !r.HasUsage || r.Several {
		return 0
	}
	return max(0, r.Usage.Context())
}

// CallTime returns when a call was made and when its result came. ok is false if the log does not tell, or has them in
// the wrong order.
func CallTime(g *normalize.Group) (start, end time.Time, ok bool) {
	if g.Call == nil || g.Result == nil {
		return start, end, false
	}
	start, end = g.Call.Time(), g.Result.Time()
	return start, end, !start.IsZero() && !end.IsZero() && !end.Before(start)
}
