// Package stats counts what happened in a conversation: prompts, calls, failures, tokens, cost, time. It never draws
// anything and never guesses a price.
//
// A request is counted once, by the id of its message. The last record with that id counts. The context of a request is
// its own input and cache, never a sum. Costs are integers in units of 10^-12 dollars, so that a sum does not depend on
// the order of its parts. A cost in the log replaces the price table for the requests that it covers. A model whose
// version is not in the table has no price.
package stats

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// Totals are the numbers of one session, or the sums over many.
type Totals struct {
	Sessions  int
	Prompts   int // of people, including queued ones
	Tools     int // calls, including those of agents
	Failed    int // calls that failed or were blocked by a hook
	Agents    int
	Compacted int
	Requests  int // API messages, including those of agents

	// Usage counts each API message once, including those of agents, as the log reports it. Doubtful reports that some
	// of it comes from versions that wrote placeholders for the output.
	Usage    transcript.Usage
	Doubtful bool

	Cost   Cost
	Models []Model // sorted by name

	Credits []Credit // of a subscription, by unit; only set for whole sessions

	Time time.Duration // from the first to the last message
	Work time.Duration // the part of Time without pauses and waiting for prompts; only set for whole sessions
}

// A Model has the tokens and the cost of one model.
type Model struct {
	Name     string // as in the log, with the speed after it if it is not the default; "" if unknown
	Requests int
	Usage    transcript.Usage
	Cost     Cost // of the requests; a total that the log states is not split by model
}

// Tokens returns the number of all tokens, input and output.
func (t Totals) Tokens() int64 { return t.Usage.Context() + t.Usage.Output }

// NewTokens returns the number of tokens without those that were read from the cache.
func (t Totals) NewTokens() int64 { return t.Tokens() - t.Usage.CacheRead }

// Accumulate adds totals to t. It keeps no memory of them.
func (t *Totals) Accumulate(u Totals) {
	t.Sessions += u.Sessions
	t.Prompts += u.Prompts
	t.Tools += u.Tools
	t.Failed += u.Failed
	t.Agents += u.Agents
	t.Compacted += u.Compacted
	t.Requests += u.Requests
	t.Usage = t.Usage.Add(u.Usage)
	t.Doubtful = t.Doubtful || u.Doubtful
	t.Cost = t.Cost.Add(u.Cost)
	t.Time = addTime(t.Time, u.Time)
	t.Work = addTime(t.Work, u.Work)
	t.addCredits(u.Credits)
	t.Models = addModels(t.Models, u.Models)
}

// addTime adds two durations. With the clocks of some records, a session takes as long as a duration can be.
func addTime(a, b time.Duration) time.Duration {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// addModels adds models to a list. It keeps no memory of them. Both lists are sorted by name, and so is the result.
func addModels(all, more []Model) []Model {
	for _, m := range more {
		i, found := slices.BinarySearchFunc(all, m.Name,
			func(one Model, name string) int { return cmp.Compare(one.Name, name) })
		if !found {
			m.Name = strings.Clone(m.Name)
			all = slices.Insert(all, i, m)
			continue
		}
		one := &all[i]
		one.Requests += m.Requests
		one.Usage = one.Usage.Add(m.Usage)
		one.Cost = one.Cost.Add(m.Cost)
	}
	return all
}

// A Tally has the totals of a conversation, of each conversation inside it and of each turn, counted in one pass.
type Tally struct {
	conversations map[*normalize.Conversation]Totals
	turns         map[*normalize.Turn]Totals
	prices        *priceCache
	requests      requests // of the session, including those of agents
	logged        loggedTotal
	placeholders  bool // early versions of the writer wrote placeholders for the output
}

// Count counts a session.
func Count(c *normalize.Conversation, prices Prices) *Tally {
	b := loggedTotalOf(c)
	t := &Tally{
		conversations: make(map[*normalize.Conversation]Totals), turns: make(map[*normalize.Turn]Totals),
		prices: newPriceCache(prices), logged: b, placeholders: c.Writer.Name == "",
	}
	totals, spent := t.count(c, b)
	t.requests = spent
	totals.Sessions, totals.Work, totals.Credits = 1, workTime(c), creditsOf(c)
	if totals.Tokens() == 0 {
		totals.addReported(c, t.prices, b)
	}
	t.conversations[c] = totals
	return t
}

// Of returns the totals of a conversation and of all inside it. The cost of a session is the one that the log states,
// if there is one. Conversations inside it have list prices.
func (t *Tally) Of(c *normalize.Conversation) Totals { return t.conversations[c] }

// OfTurn returns the totals of a turn, including the agents that its calls started, but without attempts that were
// taken back in it.
func (t *Tally) OfTurn(turn *normalize.Turn) Totals { return t.turns[turn] }

// Of counts one session.
func Of(c *normalize.Conversation, prices Prices) Totals { return Count(c, prices).Of(c) }

// requests are API messages by id. The last record of a message counts.
type requests map[string]*normalize.Request

func (r requests) add(req *normalize.Request) {
	if !req.HasUsage || strings.HasPrefix(req.Model, "<") { // <synthetic>: written by the program
		return
	}
	id := req.ID
	if id == "" { // a message without an id counts, too
		id = req.First.Pos.String()
	}
	r[id] = req
	if req.CostUSD > 0 { // also of what its advisors did
		return
	}
	for i, a := range req.Last.Advice {
		r[id+" advice "+strconv.Itoa(i)] = &normalize.Request{
			Model: cmp.Or(a.Model, req.Model), Usage: a.Usage, HasUsage: true, First: req.First, Last: req.Last,
		}
	}
}

// addInner counts a conversation inside another one and adds its totals, except its prompts and its time.
func (t *Tally) addInner(to *Totals, spent requests, c *normalize.Conversation) {
	inner, more := t.count(c, loggedTotal{})
	to.Tools += inner.Tools
	to.Failed += inner.Failed
	to.Agents += inner.Agents
	to.Compacted += inner.Compacted
	maps.Copy(spent, more)
}

// count counts a conversation, all inside it, and its turns.
func (t *Tally) count(c *normalize.Conversation, b loggedTotal) (Totals, requests) {
	all, spent := Totals{Prompts: c.Prompts()}, make(requests)
	if !c.Facts.Start.IsZero() {
		all.Time = c.Facts.End.Sub(c.Facts.Start)
	}
	for _, turn := range c.Turns {
		totals, repeated := t.countTurn(turn, spent)
		all.Tools += totals.Tools
		all.Failed += totals.Failed
		all.Agents += totals.Agents
		all.Compacted += totals.Compacted
		for _, r := range repeated {
			spent.add(r)
		}
	}
	for taken := range c.Branches() {
		t.addInner(&all, spent, taken.Conversation)
	}
	for _, a := range c.Agents {
		all.Agents++
		t.addInner(&all, spent, a.Conversation)
	}
	for _, a := range c.Unseen { // the tokens of warm-ups count, and nothing else of them
		t.addInner(&all, spent, a.Conversation)
	}
	all.addRequests(spent, t, b)
	t.conversations[c] = all
	return all, spent
}

// countTurn counts a turn and adds its requests to those of the session. A request that an earlier turn also has counts
// for that turn. Its last record counts for the session.
func (t *Tally) countTurn(turn *normalize.Turn, session requests) (Totals, []*normalize.Request) {
	all, spent := Totals{}, make(requests)
	for _, item := range turn.Items {
		g, ok := item.(*normalize.Group)
		if !ok || g.Call == nil {
			continue
		}
		all.Tools++
		if g.State == normalize.Failed || g.State == normalize.Blocked {
			all.Failed++
		}
		for _, a := range g.Agents {
			all.Agents++
			t.addInner(&all, spent, a.Conversation)
		}
	}
	var repeated []*normalize.Request
	for _, r := range turn.Requests {
		if r.Repeats {
			repeated = append(repeated, r)
		} else {
			spent.add(r)
		}
	}
	for _, m := range turn.Messages {
		if m.Kind == normalize.System && m.Name == "compact_boundary" && m.Rule == "" {
			all.Compacted++
		}
	}
	start, end := turn.Span()
	all.Time = end.Sub(start)
	own := spent
	if slices.ContainsFunc(turn.Requests, func(r *normalize.Request) bool { return r.OfSession }) {
		own = maps.Clone(spent)
		maps.DeleteFunc(own, func(_ string, r *normalize.Request) bool { return r.OfSession })
	}
	all.addRequests(own, t, loggedTotal{})
	t.turns[turn] = all
	maps.Copy(session, spent)
	return all, repeated
}

// maxModels is the maximum number of models that are counted separately. A log may name a different one in each
// request.
const maxModels = 200

// limitModels merges the models beyond maxModels into one.
func limitModels(models []Model) []Model {
	if len(models) <= maxModels {
		return models
	}
	rest := Model{Name: "other models"}
	for _, m := range models[maxModels:] {
		rest.Requests += m.Requests
		rest.Usage = rest.Usage.Add(m.Usage)
		rest.Cost = rest.Cost.Add(m.Cost)
	}
	return append(models[:maxModels:maxModels], rest)
}

// addRequests sets the tokens and the cost of requests. A request that is part of the logged total has no separate
// cost.
func (t *Totals) addRequests(spent requests, by *Tally, b loggedTotal) {
	models := make(map[string]*Model)
	t.Requests, t.Usage, t.Doubtful, t.Cost, t.Models = 0, transcript.Usage{}, false, Cost{Logged: b.cost}, nil
	for _, r := range spent {
		name := atSpeed(r.Model, r.Speed)
		m := models[name]
		if m == nil {
			m = &Model{Name: name}
			models[name] = m
		}
		cost := costOf(r, by.prices)
		if !r.OfSession { // a sum does not say of how many
			m.Requests++
			t.Requests++
		}
		m.Usage = m.Usage.Add(r.Usage)
		m.Cost = m.Cost.Add(cost)
		t.Usage = t.Usage.Add(r.Usage)
		t.Doubtful = t.Doubtful || by.placeholders && doubtful(r)
		if !b.covers(r) {
			t.Cost = t.Cost.Add(cost)
		}
	}
	for _, m := range models {
		t.Models = append(t.Models, *m)
	}
	slices.SortFunc(t.Models, func(a, b Model) int { return cmp.Compare(a.Name, b.Name) })
	t.Models = limitModels(t.Models)
}
