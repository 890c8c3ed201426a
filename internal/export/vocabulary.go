package export

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"viewer/internal/stats"
	"viewer/internal/transcript"
	"viewer/internal/words"
)

// Values that several outputs have, with one name and one form in all of them. docs/schema explains them.

// Tokens are the tokens of requests, as the log reports them.
type Tokens struct {
	Input      int64 `json:"input"` // input that was neither read from the cache nor written to it
	Output     int64 `json:"output"`
	CacheRead  int64 `json:"cacheRead"`
	CacheWrite int64 `json:"cacheWrite"`
}

// TokensOf converts the tokens of requests.
func TokensOf(u transcript.Usage) Tokens {
	return Tokens{u.Input, u.Output, u.CacheRead, u.CacheWrite}
}

// In returns all tokens that were sent.
func (t Tokens) In() int64 { return t.Input + t.CacheRead + t.CacheWrite }

// FromCache returns in words how many of the tokens were cached: " (2.0k from cache)", or "".
func (t Tokens) FromCache() string {
	if t.CacheRead <= 0 {
		return ""
	}
	return " (" + words.Short(t.CacheRead) + " from cache)"
}

// Add returns the sum.
func (t Tokens) Add(u Tokens) Tokens {
	return Tokens{t.Input + u.Input, t.Output + u.Output, t.CacheRead + u.CacheRead, t.CacheWrite + u.CacheWrite}
}

// Spent is the known cost of something, in US dollars.
type Spent struct {
	CostUSD        float64  `json:"costUSD"`        // from the log, otherwise at list prices
	ListPrice      bool     `json:"listPrice"`      // part of it is at list prices
	Unpriced       []string `json:"unpriced"`       // models whose cost is unknown, which is not in costUSD
	UnpricedTokens int64    `json:"unpricedTokens"` // of these, as far as the log counts them
	Credits        []Credit `json:"credits,omitempty"`
}

// A Credit is what was used of a subscription, according to the log. It is not money, and not in costUSD.
type Credit struct {
	Unit string  `json:"unit"`
	Used float64 `json:"used"`
}

// AddCredits returns s with the credits of other sessions added.
func (s Spent) AddCredits(more []Credit) Spent {
	s.Credits = slices.Clone(s.Credits)
	for _, c := range more {
		i := slices.IndexFunc(s.Credits, func(one Credit) bool { return one.Unit == c.Unit })
		if i < 0 {
			s.Credits = append(s.Credits, c)
			continue
		}
		s.Credits[i].Used = math.Round((s.Credits[i].Used+c.Used)*1e6) / 1e6
	}
	slices.SortFunc(s.Credits, func(a, b Credit) int { return cmp.Compare(a.Unit, b.Unit) })
	return s
}

// credits converts the credits of totals.
func credits(t stats.Totals) []Credit {
	var all []Credit
	for _, c := range t.Credits {
		all = append(all, Credit{c.Unit, c.Amount()})
	}
	return all
}

// SpentOn returns the cost of sessions.
func SpentOn(t stats.Totals) Spent {
	c := Spent{t.Cost.Total().Dollars(), t.Cost.List > 0, []string{}, t.Cost.Unpriced, credits(t)}
	for _, m := range t.Models {
		if t.Cost.Unpriced > 0 && m.Cost.Unpriced > 0 {
			c.Unpriced = append(c.Unpriced, ModelName(m.Name))
		}
	}
	return c
}

// A ByModel holds the numbers of one model.
type ByModel struct {
	Model   string  `json:"model"`
	Tokens  Tokens  `json:"tokens"`
	CostUSD float64 `json:"costUSD"`
}

// ByModels returns the numbers of each model, by name.
func ByModels(t stats.Totals) []ByModel {
	all := []ByModel{}
	for _, m := range t.Models {
		all = append(all, ByModel{ModelName(m.Name), TokensOf(m.Usage), m.Cost.Total().Dollars()})
	}
	return all
}

// unnamed is the name of a model that the log does not name.
const unnamed = "unknown"

// ModelName returns the name of a model, or "unknown" if it is empty.
func ModelName(name string) string { return cmp.Or(name, unnamed) }

// ModelWords returns the name of a model for a sentence: "an unnamed model" if the log names none.
func ModelWords(name string) string {
	if name == unnamed {
		return "an unnamed model"
	}
	return name
}

// A Problem is something in a log that could not be used.
type Problem struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Text  string `json:"text"`
	Lost  bool   `json:"lost"`            // a record was lost, not only a part of it
	Fault bool   `json:"fault,omitempty"` // viewer failed, not the data
}

// String returns the problem with its place, "run.jsonl:3: not JSON".
func (p Problem) String() string {
	at := transcript.Pos{File: path.Base(strings.ReplaceAll(p.File, `\`, "/")), Line: p.Line}
	return transcript.Problem{Pos: at, Text: p.Text, Lost: p.Lost, Fault: p.Fault}.String()
}

// Problems converts the problems of a log.
func Problems(all []transcript.Problem) []Problem {
	some := []Problem{}
	for _, p := range all {
		some = append(some, Problem{p.Pos.File, p.Pos.Line, p.Text, p.Lost, p.Fault})
	}
	return some
}

// Stamp returns a time in UTC with milliseconds; "" for the zero time.
func Stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}
