package stats

import (
	"strings"
	"testing"
	"time"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// million has a million tokens of each kind, so that the table has their prices.
var million = transcript.Usage{
	Input:        1e6,
	Output:       1e6,
	CacheRead:    1e6,
	CacheWrite:   2e6,
	CacheWrite5m: 1e6,
	CacheWrite1h: 1e6,
}

// day returns the beginning of a day.
func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

// TestPrice compares with the published table.
func TestPrice(t *testing.T) {
	for _, c := range []struct {
		name, model string
		usage       transcript.Usage
		dollars     float64
		unpriced    bool
		speed       string
		at          time.Time
	}{
		{"all sorts", "claude-haiku-4-5-20251001", million, 1 + 1.25 + 2 + 0.10 + 5, false, "", time.Time{}},
		{"the dearest", "claude-opus-4-1-20250805", million, 15 + 18.75 + 30 + 1.50 + 75, false, "", time.Time{}},
		{"output alone", "claude-fable-5", transcript.Usage{Output: 2000}, 0.1, false, "", time.Time{}},
		{"input alone", "claude-opus-4-8", transcript.Usage{Input: 1}, 0.000005, false, "", time.Time{}},
		{"cache that is read", "claude-sonnet-5", transcript.Usage{CacheRead: 250_000}, 0.05, false, "", time.Time{}},
		{"cache writes that the log does not tell apart are of five minutes", "claude-sonnet-4-20250514", transcript.Usage{CacheWrite: 1e6}, 3.75, false, "", time.Time{}},
		{"cache writes of an hour alone", "claude-sonnet-4-20250514", transcript.Usage{CacheWrite: 1e6, CacheWrite1h: 1e6}, 6, false, "", time.Time{}},
		{"cache writes by duration, without a sum", "claude-sonnet-4-20250514", transcript.Usage{CacheWrite5m: 1e6, CacheWrite1h: 1e6}, 9.75, false, "", time.Time{}},
		{"a part by duration: the rest is for five minutes", "claude-sonnet-4-20250514", transcript.Usage{CacheWrite: 3e6, CacheWrite1h: 1e6}, 13.5, false, "", time.Time{}},
		{"a version that has no price", "claude-opus-4-9", million, 0, true, "", time.Time{}},
		{"a version before all", "claude-3-5-sonnet-20241022", million, 0, true, "", time.Time{}},
		{"no version", "opus", million, 0, true, "", time.Time{}},
		{"no name", "", million, 0, true, "", time.Time{}},
		{"another maker", "llama3.1", million, 0, true, "", time.Time{}},
		{"input that was cached is read", "gpt-5.1-codex", transcript.Usage{Input: 20_000, CacheRead: 80_000, Output: 1000}, 0.025 + 0.01 + 0.01, false, "", time.Time{}},
		{"of a provider, with its day", "openai/gpt-5-2025-08-07", transcript.Usage{Output: 1e6}, 10, false, "", time.Time{}},
		{"a snapshot with a price of its own", "gpt-4o-2024-05-13", transcript.Usage{Output: 1e6}, 15, false, "", time.Time{}},
		{"a version that has no price, of another maker", "gpt-5.7", million, 0, true, "", time.Time{}},
		{"a variant that has no price", "gpt-5.3-codex-spark", million, 0, true, "", time.Time{}},
		{"not more than the limit", "gemini-2.5-pro", transcript.Usage{Input: 150_000, CacheRead: 50_000, Output: 1000}, 0.1875 + 0.00625 + 0.01, false, "", time.Time{}},
		{"more than the limit", "models/gemini-2.5-pro", transcript.Usage{Input: 150_001, CacheRead: 50_000, Output: 1000}, 0.3750025 + 0.0125 + 0.015, false, "", time.Time{}},
		{"a cache that is written to", "gpt-5.6-sol", transcript.Usage{CacheWrite: 100_000}, 0.5, false, "", time.Time{}},
		{"no price of its own for that", "gemini-2.5-flash", transcript.Usage{CacheWrite: 100_000, CacheWrite1h: 50_000}, 0.03, false, "", time.Time{}},
		{"negative tokens count as none", "claude-fable-5", transcript.Usage{Input: -5, Output: 1000}, 0.05, false, "", time.Time{}},
		{"fast", "claude-opus-4-8-20260528[1m]", million, 10 + 12.5 + 20 + 1 + 50, false, "fast", time.Time{}},
		{"fast, before it became cheaper", "claude-opus-4-6@20260205", million, 30 + 37.5 + 60 + 3 + 150, false, "fast", time.Time{}},
		{"fast, of a model that has no price for it", "claude-fable-5", million, 0, true, "fast", time.Time{}},
		{"fast, of another maker", "openai/gpt-5.6-terra", transcript.Usage{Input: 1e5, Output: 1e5}, 0.4 + 2.4, false, "fast", day("2026-09-01")},
		{"fast, before it became cheaper, of another maker", "gpt-5.6-terra", transcript.Usage{Input: 1e5}, 0.5, false, "fast", day("2026-07-24")},
		{"too long to be fast", "gpt-5.5", transcript.Usage{Input: 1e6}, 10, false, "fast", time.Time{}},
		{"slower for less, which has no price", "gpt-5.5", million, 0, true, "flex", time.Time{}},
		{"an unknown speed", "claude-opus-5", million, 0, true, "turbo", time.Time{}},
		{"the usual speed", "claude-opus-5", transcript.Usage{Output: 2000}, 0.05, false, "standard", time.Time{}},
		{"fast, of a newer version", "claude-opus-5-5", million, 8 + 10 + 16 + 0.4 + 40, false, "fast", time.Time{}},
		{"a cache that became cheaper", "claude-sonnet-5-5[1m]", million, 2 + 2.5 + 4 + 0.1 + 10, false, "", time.Time{}},
		{"short, where long prompts cost more", "claude-haiku-5-5", transcript.Usage{CacheRead: 100_000, Output: 1000}, 0.001 + 0.0005, false, "", time.Time{}},
		{"long, where long prompts cost more", "claude-haiku-5-5", transcript.Usage{Input: 1, CacheWrite: 60_000, CacheWrite1h: 20_000, CacheRead: 40_000, Output: 1000}, 0.0000005 + 0.025 + 0.02 + 0.002 + 0.0025, false, "", time.Time{}},
		{"two versions with one price", "gpt-6.1-sol-2026-09-29", transcript.Usage{CacheRead: 1000, Output: 1000}, 0.0001 + 0.01, false, "", time.Time{}},
		{"a cache that is written to, over the limit", "gpt-6.2-astra", transcript.Usage{Input: 272_000, CacheWrite: 1000}, 4.352 + 0.02, false, "", time.Time{}},
		{"Gemini 4", "gemini-4-carbon", transcript.Usage{Input: 1000, Output: 1000}, 0.012, false, "", time.Time{}},
		{"dearer Gemini 4", "google/gemini-4-neon", transcript.Usage{CacheRead: 1e6}, 0.15, false, "", time.Time{}},
		{"over the limit of Grok", "grok-4.7", transcript.Usage{Input: 200_001}, 0.800004, false, "", time.Time{}},
		{"a cache that is read for less", "claude-fable-5-1", transcript.Usage{CacheRead: 1e6}, 0.25, false, "", time.Time{}},
		{"made-up tokens end at the most", "claude-fable-5", transcript.Usage{Input: 1e15, Output: 1e15}, maxMoney.Dollars(), false, "", time.Time{}},
		{"the last day of a price", "gemini-4-argon", million, 2 + 2*2 + 0.1 + 10, false, "", day("2026-11-30").Add(23 * time.Hour)},
		{"the first day of a new price", "gemini-4-argon", million, 4 + 2*4 + 0.2 + 20, false, "", day("2026-12-01")},
		{"by the clock of the log", "gemini-4-carbon", transcript.Usage{Output: 1e6}, 10, false, "", day("2026-12-01").In(time.FixedZone("", 3600)).Add(-time.Minute)},
		{"before a cache became cheaper", "claude-sonnet-5-5", transcript.Usage{CacheRead: 1e6}, 0.2, false, "", day("2026-10-06")},
		{"long, before it became cheaper", "gpt-5.6-sol", transcript.Usage{Input: 300_000, Output: 1000}, 3 + 0.045, false, "", day("2026-07-09")},
		{"long, since it is cheaper", "gpt-5.6-sol", transcript.Usage{Input: 300_000, Output: 1000}, 2.4 + 0.03, false, "", day("2026-08-21")},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := newPriceCache(ListPrices()).of(&normalize.Request{
				Model: c.model, Speed: c.speed, Usage: c.usage, First: &transcript.Record{Timestamp: c.at},
			})
			if ok == c.unpriced || got != dollars(c.dollars) {
				t.Errorf("Of(%s) = $%v, %v, want $%v", c.model, got.Dollars(), ok, c.dollars)
			}
		})
	}
}

// TestNames: all spellings of a version are recognized, and none as another version.
func TestNames(t *testing.T) {
	for name, want := range map[string]modelKey{
		"claude-opus-4-5-20251101":                   {"opus", 4, 5, ""},
		"claude-opus-4-5":                            {"opus", 4, 5, ""},
		"Claude-Opus-4.5":                            {"opus", 4, 5, ""},
		"claude-sonnet-4-20250514":                   {"sonnet", 4, 0, ""},
		"claude-sonnet-4-0":                          {"sonnet", 4, 0, ""},
		"claude-sonnet-4":                            {"sonnet", 4, 0, ""},
		"claude-sonnet-4-5-20250929[1m]":             {"sonnet", 4, 5, ""},
		"claude-sonnet-4-6[1m]":                      {"sonnet", 4, 6, ""},
		"us.anthropic.claude-opus-4-1-20250805-v1:0": {"opus", 4, 1, ""},
		"anthropic.claude-haiku-4-5-20251001-v1:0":   {"haiku", 4, 5, ""},
		"eu.anthropic.claude-sonnet-4-20250514-v1:0": {"sonnet", 4, 0, ""},
		"arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-6-v1": {"opus", 4, 6, ""},
		"claude-haiku-4-5@20251001":             {"haiku", 4, 5, ""},
		"anthropic/claude-fable-5":              {"fable", 5, 0, ""},
		"claude-3-5-sonnet-20241022":            {"sonnet", 3, 5, ""},
		"claude-3-7-sonnet-latest":              {"sonnet", 3, 7, ""},
		"claude-3-opus-20240229":                {"opus", 3, 0, ""},
		"claude-opus-4-10":                      {"opus", 4, 10, ""},
		"claude-opus-4-6-fast":                  {"opus", 4, 6, "fast"},
		"anthropic/claude-opus-5-fast-20260723": {"opus", 5, 0, "fast"},
		"claude-opus":                           {},
		"claude":                                {},
		"claude-4":                              {},
		"claude-opus-4-5-6":                     {},
		"sonnet":                                {},
		"<synthetic>":                           {},
		"":                                      {},
	} {
		got, ok := keyOf(name)
		if !ok {
			got = modelKey{}
		}
		if got != want {
			t.Errorf("keyOf(%q) = %v, want %v", name, got, want)
		}
	}
}

// TestTogether: requests that are counted together are not one long request, neither in price nor in size.
func TestTogether(t *testing.T) {
	r := &normalize.Request{
		Model: "grok-4.7", Usage: transcript.Usage{Input: 200_001}, HasUsage: true, First: &transcript.Record{},
	}
	cache := newPriceCache(ListPrices())
	if got := costOf(r, cache).List; got != dollars(0.800004) || Context(r) != 200_001 {
		t.Errorf("one long request: $%v, %d tokens, want $0.800004 and 200001", got.Dollars(), Context(r))
	}
	r.Several = true
	if got := costOf(r, cache).List; got != dollars(0.400002) || Context(r) != 0 {
		t.Errorf("several requests: $%v, %d tokens, want half of that, and none", got.Dollars(), Context(r))
	}
}

// TestParsePrices: a table of a user is parsed, and errors in it are explained.
func TestParsePrices(t *testing.T) {
	const rates = `"input":1,"cacheWrite5m":2,"cacheWrite1h":3,"cacheRead":4,"output":5`
	p, err := ParsePrices(
		[]byte("\ufeff" + `{"date":"2026-12-31","models":[{"names":["claude-opus-4-6-fast","House-Model 7"],` +
			rates + `}]}`),
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, model := range []string{"claude-opus-4-6-fast", "house-model 7"} {
		r := &normalize.Request{Model: model, Usage: million, First: &transcript.Record{}}
		if got, ok := newPriceCache(p).of(r); !ok || got != dollars(15) {
			t.Errorf("Of(%s) = $%v, %v, want $15", model, got.Dollars(), ok)
		}
	}
	if _, ok := p.price("claude-opus-4-6", ""); ok {
		t.Error("a model that is only in the program's table has a price, want none")
	}
	for in, want := range map[string]string{
		`{`:                                 "EOF",
		`{"models":[]}`:                     "is invalid: the day of the prices",
		`{"date":"1 Nov 2026","models":[]}`: `date "1 Nov 2026" is invalid`,
		`{"date":"2026-12-31","models":[{` + rates + `}]}`:                                                                                                   "models[0].names",
		`{"date":"2026-12-31","models":[{"names":["a"],"input":1}]}`:                                                                                         "models[0].cacheRead must be dollars",
		`{"date":"2026-12-31","models":[{"names":["claude-opus-9"],"input":1,"cacheRead":1}]}`:                                                               "models[0].cacheWrite5m must be dollars",
		`{"date":"2026-12-31","models":[{"names":["a"],` + rates + `,"over":{"tokens":9,"input":1}}]}`:                                                       "models[0].over.cacheRead must be dollars",
		`{"date":"2026-12-31","models":[{"names":["a"],` + rates + `,"over":{` + rates + `}}]}`:                                                              "models[0].over.tokens must be",
		`{"date":"2026-12-31","models":[{"names":["a"],` + rates + `},{"names":["A"],` + rates + `}]}`:                                                       `models[1].names: "A" has a price already`,
		`{"date":"2026-12-31","models":[{"names":["a"],"thinking":1,` + rates + `}]}`:                                                                        "thinking",
		`{"date":"2026-12-31","models":[{"names":["a"],"windows":[2,1],` + rates + `}]}`:                                                                     "models[0].windows must be",
		`{"date":"2026-12-31","models":[{"names":["a"],"windows":[0],` + rates + `}]}`:                                                                       "models[0].windows must be",
		`{"date":"2026-12-31","models":[{"names":["a"],` + rates + `,"changes":[{` + rates + `}]}]}`:                                                         "models[0].changes[0].from must be a day",
		`{"date":"2026-12-31","models":[{"names":["a"],` + rates + `,"changes":[{"from":"2026-12-01","input":1}]}]}`:                                         "models[0].changes[0].cacheRead must be dollars",
		`{"date":"2026-12-31","models":[{"names":["a"],` + rates + `,"changes":[{"from":"2026-12-01",` + rates + `},{"from":"2026-12-01",` + rates + `}]}]}`: "models[0].changes[1].from must be after",
		`{"date":"2026-12-31","models":[{"names":["a"],"input":-1}]}`:                                                                                        "models[0].input",
	} {
		if _, err := ParsePrices([]byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParsePrices(%s): %v, want an error with %q", in, err, want)
		}
	}
}
