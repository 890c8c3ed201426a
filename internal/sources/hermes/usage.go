package hermes

import (
	"cmp"
	"math"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// spent is what requests used.
type spent struct {
	tokens [4]int64 // as amounts has them
	cost   float64
	model  string
}

func (s spent) isSome() bool { return s.tokens != [4]int64{} || s.cost > 0 }

// take subtracts what some of the requests used.
func (s *spent) take(part spent) {
	for i := range s.tokens {
		s.tokens[i] = max(0, s.tokens[i]-part.tokens[i])
	}
	const parts = 1e6 // of a dollar; less is due to rounding
	s.cost = max(0, math.Round((s.cost-part.cost)*parts)/parts)
}

// value returns it as a line, with the names of the columns.
func (s spent) value() jsontext.Value {
	pairs := []any{"model", s.model}
	for i, name := range amounts {
		pairs = append(pairs, name, s.tokens[i])
	}
	return sources.Make("usage", sources.Make(append(pairs, costs[0], s.cost)...))
}

// used adds what requests of the session used together. It returns false if that is nothing.
func (t *translator) used(o *sources.Object) bool {
	s := spent{model: o.Text("model")}
	for i, name := range amounts {
		s.tokens[i] = max(0, sources.Number(o.Get(name)))
	}
	for _, name := range costs {
		s.cost = cmp.Or(s.cost, sources.Dollars(o.Get(name)))
	}
	if !s.isSome() {
		return false
	}
	t.Model = cmp.Or(s.model, t.Model)
	r := t.UsedBySession(transcript.Usage{
		Input: s.tokens[0], Output: s.tokens[1], CacheRead: s.tokens[2], CacheWrite: s.tokens[3],
	}, tokens)
	sources.Rare(r).CostUSD = s.cost
	return true
}
