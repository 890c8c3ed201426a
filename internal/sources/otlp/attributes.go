package otlp

import (
	"maps"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The operations of spans that are drawn (gen_ai.operation.name).
const (
	agent = "invoke_agent"
	chat  = "chat"
	tool  = "execute_tool"
)

// attributes are the values of attributes as JSON, by name.
type attributes map[string]jsontext.Value

// attributesOf reads the attributes of a span or of an event: a list of {"key","value":{"stringValue"}}, or an object.
func attributesOf(o *sources.Object) attributes {
	a := attributes(maps.Collect(transcript.Members(o.Get("attributes"))))
	for e := range transcript.Elements(o.Get("attributes")) {
		var pair sources.Object
		pair.Read(e)
		if v := plain(pair.Get("value"), 0); v != nil {
			a[pair.Text("key")] = v
		}
	}
	return a
}

// maxDepth limits how deep values are in each other. Messages have a depth of 5, and arguments of calls some more.
const maxDepth = 32

// plain returns the JSON of a value, which names its type: {"arrayValue":{"values":[{"intValue":"1"}]}} is ["1"].
func plain(v jsontext.Value, depth int) jsontext.Value {
	var o sources.Object
	if o.Read(v); len(o) == 0 || depth > maxDepth {
		return nil
	}
	switch inner := o[0].Value; string(o[0].Name) {
	case `"arrayValue"`:
		var list []jsontext.Value
		for e := range transcript.Elements(transcript.Field(inner, "values")) {
			list = append(list, plain(e, depth+1))
		}
		return sources.MakeList(list...)
	case `"kvlistValue"`:
		var pairs []any
		for e := range transcript.Elements(transcript.Field(inner, "values")) {
			key, value := transcript.Field(e, "key"), transcript.Field(e, "value")
			pairs = append(pairs, transcript.String(key), plain(value, depth+1))
		}
		return sources.Make(pairs...)
	default:
		return inner
	}
}

func (a attributes) has(name string) bool { return len(a[name]) > len(`""`) }

// text returns the first attribute that is a text which is not empty.
func (a attributes) text(names ...string) string {
	for _, name := range names {
		if s := transcript.String(a[name]); s != "" {
			return s
		}
	}
	return ""
}

// number returns the first attribute that is an integer above 0, which may be a string.
func (a attributes) number(names ...string) int64 {
	for _, name := range names {
		if n := sources.Number(jsontext.Value(transcript.TextOf(a[name]))); n > 0 {
			return n
		}
	}
	return 0
}

// json returns the first attribute that is there. It may be JSON in a string.
func (a attributes) json(names ...string) jsontext.Value {
	for _, name := range names {
		inner := jsontext.Value(a.text(name))
		if kind := transcript.Kind(inner); (kind == '[' || kind == '{') && transcript.Valid(inner) {
			return inner
		}
		if a[name] != nil {
			return a[name]
		}
	}
	return nil
}

// first returns the first text of a list.
func (a attributes) first(name string) string {
	for e := range transcript.Elements(a[name]) {
		return transcript.String(e)
	}
	return ""
}

// conversation returns the id of the conversation, or "". Ids connect files and are not redacted, so other texts are
// not taken for one.
func (a attributes) conversation() string {
	id := a.text("gen_ai.conversation.id", "session.id")
	if len(id) > maxID || strings.TrimLeft(id, idBytes) != "" {
		return ""
	}
	return id
}

const idBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:"

const maxID = 128 // bytes

// usage returns the tokens of a request. Those that are sent include those of the cache, unless a total says otherwise.
func (a attributes) usage() transcript.Usage {
	u := transcript.Usage{
		Output: a.number("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion"),
		CacheRead: a.number("gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens",
			"llm.token_count.prompt_details.cache_read"),
		CacheWrite: a.number("gen_ai.usage.cache_creation.input_tokens", "gen_ai.usage.cache_creation_input_tokens",
			"gen_ai.usage.cache_write.input_tokens", "gen_ai.usage.cache_write_input_tokens",
			"llm.token_count.prompt_details.cache_write"),
	}
	u.Input = a.number("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt")
	cached := u.CacheRead + u.CacheWrite
	total := a.number("gen_ai.usage.total_tokens", "llm.usage.total_tokens", "llm.token_count.total")
	if total != u.Input+cached+u.Output {
		u.Input = max(0, u.Input-cached)
	}
	return u
}

// operation returns what a span with that name does, "" if it is unrelated to models.
func (a attributes) operation(name string) string {
	switch op := a.text("gen_ai.operation.name"); op {
	case "text_completion", "generate_content":
		return chat
	case "":
	default:
		return op
	}
	if op, _, _ := strings.Cut(name, " "); op == agent || op == chat || op == tool {
		return op
	}
	switch kind := a.text("openinference.span.kind", "traceloop.span.kind"); kind {
	case "LLM":
		return chat
	case "TOOL", "tool":
		return tool
	case "AGENT", "agent":
		return agent
	case "CHAIN", "workflow", "task":
		return "" // steps of the program
	case "":
	default:
		return "other"
	}
	switch {
	case a.has("final_result"), a.has("all_messages_events"):
		return agent
	case a.has("gen_ai.tool.name"):
		return tool
	case a.has(outputMessages), a.usage() != (transcript.Usage{}), a.text("llm.request.type") == chat:
		return chat
	}
	for name := range a {
		if strings.HasPrefix(name, "gen_ai.") {
			return "other"
		}
	}
	return ""
}
