package stats

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// Prices is a table of the list prices of the API.
type Prices struct {
	Date   string    // of the prices, "2026-11-01"
	day    time.Time // the same
	byName map[string]Price
	byKey  map[modelKey]Price
}

// A Price has the prices of one token of a model, and the size of its context.
type Price struct {
	Tariff
	Changes []Change // later prices, the earliest first

	// Window is the size of the context in tokens, 0 if unknown. LargeWindow is the one that can be requested instead,
	// 0 for none. Logs do not say which of the two was used.
	Window, LargeWindow int64
}

// A Tariff has the prices of a model at one time.
type Tariff struct {
	Rates
	Over int64 // requests that send more tokens than this cost Long; 0 for models with one price
	Long Rates
}

// A Change is the tariff of a model from a day on, at 0:00 UTC.
type Change struct {
	From time.Time
	Tariff
}

// Rates are the prices of one token. Thinking is part of the output.
type Rates struct {
	Input, CacheWrite5m, CacheWrite1h, CacheRead, Output Money
}

//go:embed prices.json
var listed []byte

// ListPrices returns the table that the program comes with.
var ListPrices = sync.OnceValue(func() Prices {
	p, err := ParsePrices(listed)
	if err != nil {
		panic("internal/stats/prices.json: " + err.Error())
	}
	return p
})

// ParsePrices reads a table of prices:
//
//	{"date": "2026-11-01",
//	 "models": [{"names": ["claude-haiku-4-5"],
//	             "windows": [200000],
//	             "input": 1, "cacheWrite5m": 1.25, "cacheWrite1h": 2, "cacheRead": 0.1, "output": 5},
//	            {"names": ["gemini-2.5-pro"], "date": "2026-03-01", "source": "https://ai.google.dev/…",
//	             "input": 1.25, "cacheRead": 0.125, "output": 10,
//	             "over": {"tokens": 200000, "input": 2.5, "cacheRead": 0.25, "output": 15}},
//	            {"names": ["gemini-4-argon"], "input": 2, "cacheRead": 0.1, "output": 10,
//	             "changes": [{"from": "2026-12-01", "input": 4, "cacheRead": 0.2, "output": 20}]}]}
//
// Prices are in US dollars per million tokens. Writing to a cache costs as much as input unless it has its own price.
// "over" has the prices of requests that send more tokens than a limit. "changes" has all prices of requests from a day
// on, the earliest day first. "date" and "source" say when a price was looked up, and where it is published.
//
// Windows are optional. They are the sizes of the context of a model in tokens: one, or the default and a larger one.
// In the table that the program comes with, those of Fable 5.1, Opus 5.5, Sonnet 5 and 5.5, Haiku 5.5, the 4.6 models
// and Sonnet 4.5 are from platform.claude.com, and the larger one of Sonnet 4 and 4.5 is from support.claude.com. Those
// of the other models come from third parties and were not compared with a page of the vendor.
//
// The name of a Claude model covers all spellings of that version in logs (see keyOf). Any other name covers only
// itself, also with a provider before it and a date after it: openai/gpt-5-2025-08-07.
func ParsePrices(data []byte) (Prices, error) {
	type row struct {
		Names   []string `json:"names"`
		Windows []int64  `json:"windows"`
		Date    string   `json:"date"`
		Source  string   `json:"source"`
		tariffRow
		Changes []struct {
			From string `json:"from"`
			tariffRow
		} `json:"changes"`
	}
	var table struct {
		Date   string `json:"date"`
		Models []row  `json:"models"`
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // editors of Windows write a byte order mark
	if err := json.Unmarshal(data, &table, json.RejectUnknownMembers(true)); err != nil {
		var wrong *json.SemanticError
		if errors.As(err, &wrong) { // without the types of Go
			at := strings.TrimPrefix(string(wrong.JSONPointer), "/")
			err = fmt.Errorf("%s is unknown, or its value is of another kind", cmp.Or(at, "the value"))
		}
		return Prices{}, err
	}
	day, err := time.Parse(time.DateOnly, table.Date)
	if err != nil {
		return Prices{}, fmt.Errorf("date %q is invalid: the day of the prices, such as 2026-11-01", table.Date)
	}
	p := Prices{Date: table.Date, day: day, byName: make(map[string]Price), byKey: make(map[modelKey]Price)}
	for i, r := range table.Models {
		var price Price
		_, claude := keyOf(strings.Join(r.Names[:min(1, len(r.Names))], ""))
		if wrong := r.read(&price.Tariff, claude); wrong != "" {
			return Prices{}, fmt.Errorf("models[%d].%s", i, wrong)
		}
		for k, c := range r.Changes {
			change := Change{}
			wrong := c.read(&change.Tariff, claude)
			if change.From, err = time.Parse(time.DateOnly, c.From); err != nil {
				wrong = "from must be a day, such as 2026-12-01"
			} else if k > 0 && !change.From.After(price.Changes[k-1].From) {
				wrong = "from must be after the day of the change before it"
			}
			if wrong != "" {
				return Prices{}, fmt.Errorf("models[%d].changes[%d].%s", i, k, wrong)
			}
			price.Changes = append(price.Changes, change)
		}
		if !price.setWindows(r.Windows) {
			return Prices{}, fmt.Errorf("models[%d].windows must be one or two numbers of tokens, the smaller one first", i)
		}
		if len(r.Names) == 0 {
			return Prices{}, fmt.Errorf("models[%d].names must be the names of models", i)
		}
		for _, name := range r.Names {
			if _, twice := p.byName[strings.ToLower(name)]; twice {
				return Prices{}, fmt.Errorf("models[%d].names: %q has a price already", i, name)
			}
			p.byName[strings.ToLower(name)] = price
			if key, ok := keyOf(name); ok {
				p.byKey[key] = price
			}
		}
	}
	return p, nil
}

// setWindows returns false for numbers that cannot be sizes of contexts.
func (p *Price) setWindows(tokens []int64) bool {
	const most = 1e12
	switch len(tokens) {
	case 0:
	case 1:
		p.Window = tokens[0]
		return 0 < p.Window && p.Window < most
	case 2:
		p.Window, p.LargeWindow = tokens[0], tokens[1]
		return 0 < p.Window && p.Window < p.LargeWindow && p.LargeWindow < most
	}
	return len(tokens) == 0
}

// A tariffRow has the prices of a row of a table, or of one of its changes.
type tariffRow struct {
	rateRow
	Over *struct {
		Tokens int64 `json:"tokens"`
		rateRow
	} `json:"over"`
}

// read reads a tariff, and says what is wrong with it.
func (r tariffRow) read(to *Tariff, claude bool) (wrong string) {
	const number = " must be dollars per million tokens"
	if wrong := r.rates(&to.Rates, claude); wrong != "" {
		return wrong + number
	}
	if r.Over == nil {
		return ""
	}
	if to.Over = r.Over.Tokens; to.Over <= 0 {
		return "over.tokens must be a number of tokens"
	}
	if wrong := r.Over.rates(&to.Long, claude); wrong != "" {
		return "over." + wrong + number
	}
	return ""
}

// A rateRow has rates in dollars per million tokens.
type rateRow struct {
	Input        *float64 `json:"input"`
	CacheWrite5m *float64 `json:"cacheWrite5m"`
	CacheWrite1h *float64 `json:"cacheWrite1h"`
	CacheRead    *float64 `json:"cacheRead"`
	Output       *float64 `json:"output"`
}

// rates reads a row, and returns the name of a member that is wrong. If a model has no price for writing to a cache,
// that of input is used.
func (r rateRow) rates(to *Rates, asked bool) (wrong string) {
	write5m, write1h := r.CacheWrite5m, r.CacheWrite1h
	if !asked {
		write5m = cmp.Or(write5m, r.Input)
		write1h = cmp.Or(write1h, write5m)
	}
	for _, rate := range []struct {
		name string
		from *float64
		to   *Money
	}{
		{"input", r.Input, &to.Input},
		{"cacheWrite5m", write5m, &to.CacheWrite5m},
		{"cacheWrite1h", write1h, &to.CacheWrite1h},
		{"cacheRead", r.CacheRead, &to.CacheRead},
		{"output", r.Output, &to.Output},
	} {
		if rate.from == nil || *rate.from < 0 || *rate.from > 1e6 {
			return rate.name
		}
		*rate.to = Money(math.Round(*rate.from * 1e6)) // of one token
	}
	return ""
}

// price returns the price of a model, named as in a log, at a speed. "" and "standard" are the default; any other speed
// is a separate model, with the speed after its name. A version that is not in the table has no price, however similar
// it is to others.
func (p Prices) price(model, speed string) (Price, bool) {
	if price, ok := p.byName[strings.ToLower(atSpeed(model, speed))]; ok {
		return price, true
	}
	key, ok := keyOf(model)
	if !ok {
		price, ok := p.byName[atSpeed(bareName(model), speed)]
		return price, ok
	}
	if speed != "" && speed != "standard" {
		key.mode = strings.ToLower(speed)
	}
	price, ok := p.byKey[key]
	return price, ok
}

// bareName returns the name of a model without the provider before it and the release date after it. A snapshot with
// its own price is in the table by its whole name.
func bareName(model string) string {
	name := strings.ToLower(model)
	name = name[strings.LastIndexByte(name, '/')+1:]
	for _, day := range []string{time.DateOnly, "20060102"} {
		if at := len(name) - len(day); at > 1 && name[at-1] == '-' {
			if _, err := time.Parse(day, name[at:]); err == nil {
				return name[:at-1]
			}
		}
	}
	return name
}

// atSpeed returns the name of a model with the requested speed, if that is not the default.
func atSpeed(model, speed string) string {
	if speed == "" || speed == "standard" {
		return model
	}
	return model + "-" + speed
}

// A priceCache holds prices that were looked up. A session uses few models in many thousands of requests.
type priceCache struct {
	Prices
	byModel map[[2]string]cachedPrice // by model and speed
}

type cachedPrice struct {
	Price
	ok bool
}

func newPriceCache(p Prices) *priceCache { return &priceCache{p, make(map[[2]string]cachedPrice)} }

// of returns the list price of a request. If its time is unknown, the prices at the date of the table count. Of several
// requests that are counted together, none counts as a long one.
func (q *priceCache) of(r *normalize.Request) (Money, bool) {
	asked := [2]string{r.Model, r.Speed}
	one, ok := q.byModel[asked]
	if !ok {
		one.Price, one.ok = q.price(r.Model, r.Speed)
		q.byModel[asked] = one
	}
	at := r.First.Timestamp
	if at.IsZero() {
		at = q.day
	}
	tariff := one.at(at)
	if r.Several {
		tariff.Over = 0
	}
	return tariff.of(r.Usage), one.ok
}

// at returns the tariff at a time.
func (p Price) at(t time.Time) Tariff {
	for _, c := range slices.Backward(p.Changes) {
		if !t.Before(c.From) {
			return c.Tariff
		}
	}
	return p.Tariff
}

// of returns the cost of the tokens of one request. Cache writes without a lifetime in the log have one of five
// minutes. Versions that use longer ones state it.
func (t Tariff) of(u transcript.Usage) Money {
	r := t.Rates
	if t.Over > 0 && u.Context() > t.Over {
		r = t.Long
	}
	return r.Input.times(u.Input).
		plus(r.CacheWrite1h.times(u.CacheWrite1h)).
		plus(r.CacheWrite5m.times(max(u.CacheWrite5m, u.CacheWrite-u.CacheWrite1h))).
		plus(r.CacheRead.times(u.CacheRead)).
		plus(r.Output.times(u.Output))
}

// times returns the price of n tokens.
func (m Money) times(n int64) Money {
	switch {
	case n <= 0 || m <= 0:
		return 0
	case int64(m) > math.MaxInt64/n:
		return maxMoney
	}
	return m * Money(n)
}
