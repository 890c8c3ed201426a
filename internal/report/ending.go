package report

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/export"
	"viewer/internal/outcome"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// An ending is the record at the end of a query to claude -p or the SDK. A file may have several: of several queries to
// one process, or of several processes.
type ending struct {
	subtype string
	reason  string // of a failure, as far as the subtype or an error tell
	failed  bool
	seconds float64
	turns   int
	cost    float64 // of the process so far, in dollars
	billed  bool    // the log has the cost
	says    bool    // how the run ended
	answer  string
	errors  []string
	denials []jsontext.Value
	models  []export.ByModel // of the process so far
	usage   export.Tokens    // of the query
	anchor  string
}

func endingsOf(c *normalize.Conversation) []ending {
	var all []ending
	var last *transcript.Record
	for _, m := range c.Order {
		if r := m.Record; r.Type == "result" && r != last {
			last = r
			all = append(all, newEnding(r, m.Anchor))
		}
	}
	return all
}

func newEnding(r *transcript.Record, anchor string) ending {
	e := ending{subtype: r.Subtype, reason: outcome.EndReason(r), anchor: anchor, says: r.Subtype != ""}
	for name, v := range transcript.Members(r.Raw) {
		switch name {
		case "is_error":
			e.failed, e.says = transcript.Kind(v) == 't', true
		case "duration_ms":
			e.seconds = transcript.Amount(v) / 1000
		case "num_turns":
			e.turns = int(transcript.Amount(v))
		case "total_cost_usd":
			e.cost, e.billed = transcript.Amount(v), transcript.Kind(v) == '0'
		case "result":
			e.answer, e.says = strings.TrimSpace(transcript.String(v)), true
		case "errors":
			for x := range transcript.Elements(v) {
				e.errors = append(e.errors, words.OneLine(transcript.TextOf(x)))
			}
		case "permission_denials":
			e.denials = slices.AppendSeq(e.denials, transcript.Elements(v))
		case "usage":
			e.usage = export.Tokens{
				Input: count(v, "input_tokens"), Output: count(v, "output_tokens"),
				CacheRead: count(v, "cache_read_input_tokens"), CacheWrite: count(v, "cache_creation_input_tokens"),
			}
		case "modelUsage":
			for model, u := range transcript.Members(v) {
				e.models = append(e.models, export.ByModel{Model: model, Tokens: export.Tokens{
					Input: count(u, "inputTokens"), Output: count(u, "outputTokens"),
					CacheRead: count(u, "cacheReadInputTokens"), CacheWrite: count(u, "cacheCreationInputTokens"),
				}, CostUSD: transcript.Amount(transcript.Field(u, "costUSD"))})
			}
		}
	}
	return e
}

// close adds the numbers in the last record that cannot be counted, such as the tokens of a stream.
func (r *Run) close(endings []ending) {
	turns, seconds := 0, 0.0
	var usage export.Tokens
	models := make(map[string]export.ByModel)
	var order []string
	for i, e := range endings {
		turns += e.turns
		seconds += e.seconds
		r.billed = r.billed || e.billed
		usage = usage.Add(e.usage)
		for _, text := range e.errors {
			r.Errors = append(r.Errors, Error{text, e.anchor})
		}
		for _, d := range e.denials {
			r.deny(d, e.anchor)
		}
		if i+1 < len(endings) && endings[i+1].cost >= e.cost {
			continue // the next one includes this one
		}
		for _, m := range e.models {
			sum, known := models[m.Model]
			if !known {
				order = append(order, m.Model)
			}
			models[m.Model] = export.ByModel{
				Model: m.Model, Tokens: sum.Tokens.Add(m.Tokens), CostUSD: sum.CostUSD + m.CostUSD,
			}
		}
	}
	if turns > 0 {
		r.Turns = turns
	}
	if seconds > 0 {
		r.Seconds = seconds
	}
	if len(order) > 0 {
		r.ByModel, r.Tokens = nil, export.Tokens{}
		for _, name := range order {
			r.ByModel = append(r.ByModel, models[name])
			r.Tokens = r.Tokens.Add(models[name].Tokens)
		}
	} else if usage != (export.Tokens{}) {
		r.Tokens = usage
	}
	r.judge(endings[len(endings)-1])
}

// judge takes the answer and the outcome from the last ending.
func (r *Run) judge(last ending) {
	if last.answer != "" && !last.failed {
		r.Answer = last.answer
	}
	switch {
	case last.failed || strings.HasPrefix(last.subtype, "error"):
		r.Outcome, r.Reason = Failed, last.reason
		if r.Reason == "" && last.answer != "" {
			r.Reason = words.Line(last.answer, 200)
			text := words.OneLine(last.answer)
			if !slices.ContainsFunc(r.Errors, func(e Error) bool { return e.Text == text }) {
				r.Errors = append(r.Errors, Error{text, last.anchor})
			}
		}
		if r.Reason == "" {
			r.Reason = strings.ReplaceAll(strings.TrimPrefix(last.subtype, "error_"), "_", " ")
		}
	case last.says: // early versions leave out the subtype; the totals of a trajectory say nothing
		r.Outcome = Success
	}
}

func count(v jsontext.Value, name string) int64 {
	return int64(transcript.Amount(transcript.Field(v, name)))
}
