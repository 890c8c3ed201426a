package stats

import (
	"cmp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// addReported adds the tokens that result records state (usage, and modelUsage by model), for a log whose requests have
// none.
func (t *Totals) addReported(c *normalize.Conversation, prices *priceCache, b loggedTotal) {
	models := make(map[string]*Model)
	note := func(name string, u transcript.Usage) {
		if u == (transcript.Usage{}) {
			return
		}
		m := models[name]
		if m == nil {
			m = &Model{Name: name}
			models[name] = m
		}
		m.Usage = m.Usage.Add(u)
	}
	only := ""
	if len(c.Facts.Models) == 1 {
		only = c.Facts.Models[0]
	}
	var process *transcript.Record // modelUsage is about the process so far
	var last *transcript.Record
	for _, m := range slices.Backward(c.Order) {
		r := m.Record
		if r.Type != "result" || m.Copied() {
			continue
		}
		if last == nil {
			last = r
		}
		byModel := transcript.Field(r.Raw, "modelUsage")
		if transcript.Kind(byModel) != '{' {
			note(only, usageIn(transcript.Field(r.Raw, "usage"), "input_tokens", "output_tokens",
				"cache_read_input_tokens", "cache_creation_input_tokens"))
			continue
		}
		if process != nil && !precedes(r, process) {
			process = nil
		}
		if process == nil { // the last of its process
			for name, u := range transcript.Members(byModel) {
				note(name, usageIn(u, "inputTokens", "outputTokens", "cacheReadInputTokens",
					"cacheCreationInputTokens"))
			}
		}
		process = r
	}
	var sum Totals
	for _, m := range models {
		m.Cost = costOf(&normalize.Request{Model: m.Name, Usage: m.Usage, First: last}, prices)
		if sum.Usage = sum.Usage.Add(m.Usage); !b.ok {
			sum.Cost = sum.Cost.Add(m.Cost)
		}
		sum.Models = append(sum.Models, *m)
	}
	slices.SortFunc(sum.Models, func(a, b Model) int { return cmp.Compare(a.Name, b.Name) })
	t.Accumulate(sum)
	t.Models = limitModels(t.Models)
}

// precedes reports whether the same process may have written one result before another: its cost is not higher.
func precedes(r, other *transcript.Record) bool {
	a, _ := amount(r, "total_cost_usd")
	b, _ := amount(other, "total_cost_usd")
	return a <= b
}

func usageIn(v jsontext.Value, input, output, read, write string) transcript.Usage {
	number := func(name string) int64 { return int64(transcript.Amount(transcript.Field(v, name))) }
	return transcript.Usage{
		Input:      number(input),
		Output:     number(output),
		CacheRead:  number(read),
		CacheWrite: number(write),
	}
}
