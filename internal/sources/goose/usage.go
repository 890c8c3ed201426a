package goose

import (
	"cmp"
	"math"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// spent is what requests used.
type spent struct {
	tokens   [4]int64 // as totals has them
	cost     float64
	model    string
	created  int64
	together bool // by several requests
}

// totals are the kinds of tokens: the columns of a session for all requests, the columns of the list of requests, and
// the members of usage in exports and in messages.
var totals = []struct{ session, request, export, message string }{
	{"accumulated_input_tokens", "input_tokens", "input_tokens", "inputTokens"},
	{"accumulated_output_tokens", "output_tokens", "output_tokens", "outputTokens"},
	{"accumulated_cache_read_tokens", "cache_read_tokens", "cache_read_input_tokens", "cacheReadTokens"},
	{"accumulated_cache_write_tokens", "cache_write_tokens", "cache_write_input_tokens", "cacheWriteTokens"},
}

// take subtracts what some of the requests used.
func (s *spent) take(part spent) {
	for i := range s.tokens {
		s.tokens[i] = max(0, s.tokens[i]-part.tokens[i])
	}
	const parts = 1e6 // of a dollar; less is due to rounding
	s.cost = max(0, math.Round((s.cost-part.cost)*parts)/parts)
}

// add adds what a request used.
func (s *spent) add(other spent) {
	for i := range s.tokens {
		s.tokens[i] += other.tokens[i]
	}
	s.cost += other.cost
}

// value returns it in the form of a row of the list of requests.
func (s spent) value() jsontext.Value {
	pairs := []any{"created", s.created, "model", s.model}
	for i, c := range totals {
		pairs = append(pairs, c.request, s.tokens[i])
	}
	return sources.Make(append(pairs, "cost", s.cost, "together", s.together)...)
}

// usage returns the tokens as others count them: those of the input include those of the cache.
func (s spent) usage() transcript.Usage {
	in, cache := s.tokens[0], s.tokens[2]+s.tokens[3]
	return transcript.Usage{
		Input: max(0, in-cache), Output: s.tokens[1], CacheRead: s.tokens[2], CacheWrite: s.tokens[3],
	}
}

// used returns what the request for a message used, as far as the message says.
func (m message) used() (s spent) {
	var o sources.Object
	o.Read(transcript.Field(m.metadata, "usage"))
	for i, c := range totals {
		s.tokens[i] = sources.Number(o.Get(c.message))
	}
	s.cost = sources.Dollars(o.Get("cost"))
	return s
}

// all adds what all requests of a session used that are not counted one by one.
func (t *translator) all(o *sources.Object) {
	var used sources.Object
	used.Read(o.Get("accumulated_usage"))
	s := spent{cost: sources.Dollars(o.Get("accumulated_cost")), together: true}
	for i, c := range totals {
		s.tokens[i] = sources.Number(transcript.Or(o.Get(c.session), used.Get(c.export)))
	}
	s.take(t.counted)
	t.spend(s)
}

// used translates a row of the list of requests.
func (t *translator) used(v jsontext.Value) {
	var o sources.Object
	o.Read(v)
	s := spent{cost: sources.Dollars(o.Get("cost")), together: string(o.Get("together")) == "true"}
	for i, c := range totals {
		s.tokens[i] = sources.Number(o.Get(c.request))
	}
	if at := o.Get("created"); at != nil {
		t.setTime(at)
	}
	t.Model = cmp.Or(o.Text("model"), t.Model)
	if !t.spend(s) {
		t.Hide("usage", tokens)
	}
}

// spend adds what requests used that no answer accounts for. It returns false if that is nothing.
func (t *translator) spend(s spent) bool {
	if s.usage() == (transcript.Usage{}) && s.cost == 0 {
		return false
	}
	r := t.Used(s.usage(), tokens)
	r.Message.Several, r.Message.OfSession = s.together, s.together
	sources.Rare(r).CostUSD = s.cost
	return true
}

// answered adds what the request for a message used to the last of its answers, from record number n on.
func (t *translator) answered(m message, n int) {
	s := m.used()
	if t.listed || s == (spent{}) {
		return
	}
	t.counted.add(s)
	for i := t.Added() - 1; i >= n; i-- {
		r := t.Record(i)
		if r.Type == "assistant" && !r.IsAPIError {
			r.Message.Usage, r.Message.HasUsage = s.usage(), true
			sources.Rare(r).CostUSD = s.cost
			return
		}
	}
	t.spend(s)
}
