package codex

import (
	"cmp"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// usage is the last token count.
type usage struct {
	total string           // as written in the log
	last  transcript.Usage // the tokens that were counted last

	recorded bool // the file has one record for each request
}

// tokenCount translates a token count of a request. The same count is written again when rate limits change, so it
// counts only if the total has changed. Counts of a copied history belong to the other session.
func (t *translator) tokenCount() {
	info := t.payload.Get("info")
	total := string(transcript.Field(info, "total_token_usage"))
	last := transcript.Field(info, "last_token_usage")
	if last == nil || total == t.usage.total && total != "" {
		t.Hide("token_count", tokens)
		return
	}
	t.usage.total = total
	u := tokensOf(last)
	if t.replay.on || t.usage.recorded && t.counted && u == t.usage.last {
		t.Hide("token_count", tokens)
		return
	}
	r := t.used(u)
	r.Message.Speed, r.Window = t.speed(), sources.Number(transcript.Field(info, "model_context_window"))
}

// speed returns the speed that a count is priced at: that of the tier in which the request was served, if the count
// names it, otherwise of the tier that was asked for. Since July 2026 the tier "priority" is also called "fast".
func (t *translator) speed() string {
	switch tier := cmp.Or(t.payload.Text("service_tier"), t.now.tier); tier {
	case "default", "auto":
		return ""
	case "priority":
		return "fast"
	default:
		return tier
	}
}

// usageRecord translates the tokens of one request. Newer files have these in addition to token counts; the same tokens
// count once.
func (t *translator) usageRecord() {
	t.usage.recorded = true
	for _, name := range []string{"usage", "token_usage", "last_token_usage"} {
		if v := t.payload.Get(name); transcript.Kind(v) == '{' && !t.replay.on {
			u := tokensOf(v)
			if t.counted && u == t.usage.last {
				break
			}
			t.used(u).Message.Speed = t.speed()
			return
		}
	}
	t.Hide("token_usage_record", tokens)
}

// used adds the tokens of the request that was answered last.
func (t *translator) used(u transcript.Usage) *transcript.Record {
	if t.requests == 0 || t.counted {
		t.requests++
	}
	t.counted, t.usage.last = true, u
	m := &transcript.Message{ID: t.request(), Role: "assistant", Model: t.now.model, Usage: u, HasUsage: true}
	t.answered = true
	return t.Add(transcript.Record{
		Type: "assistant", Message: m, Raw: leave("token_count"), Rare: &transcript.Rare{Hidden: tokens},
	})
}

// usedByTurn adds the tokens of all requests of a turn.
func (t *translator) usedByTurn(u transcript.Usage) { t.used(u).Message.Several = true }

// tokensOf reads a token count. Its input includes cached tokens and its output includes reasoning.
func tokensOf(v jsontext.Value) transcript.Usage {
	var p sources.Object
	p.Read(v)
	input, cached := sources.Number(p.Get("input_tokens")), sources.Number(p.Get("cached_input_tokens"))
	return transcript.Usage{
		Input: max(0, input-cached), CacheRead: min(cached, input), Output: sources.Number(p.Get("output_tokens")),
		CacheWrite: sources.Number(p.Get("cache_write_input_tokens")),
	}
}
