package atif

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// step translates a step, notes which calls started agents, and reports whether the step has tokens.
func (t *translator) step(s *sources.Object, callers map[string]string) (counted bool) {
	t.steps++
	t.id, t.parts = "step-"+strconv.Itoa(t.steps), 0
	t.Time = t.time(s.Text("timestamp"))
	source := s.Text("source")
	before := t.Added()
	switch {
	case string(s.Get("is_copied_context")) == "true" && !(t.agent && source == "user"):
		t.Hide("step", copied)
		return false
	case source == "user":
		t.asked = true
		t.user(s)
		t.results(s, nil, callers)
	case source == "agent":
		counted = t.answer(s, callers)
	case source == "system":
		t.system(s)
		t.results(s, nil, callers)
	default:
		t.Add(transcript.Record{Type: strings.TrimSpace("step " + source)}) // shown as it is
	}
	if t.Added() == before {
		t.Hide("step", empty)
	}
	return counted
}

// kindOf returns the kind of a step, which trajectories exported by this program have.
func kindOf(s *sources.Object) string {
	return transcript.String(transcript.Field(s.Get("extra"), "kind"))
}

// user translates a prompt or a command.
func (t *translator) user(s *sources.Object) {
	blocks := t.blocks(s.Get("message"))
	is := transcript.PromptText
	switch kindOf(s) {
	case "command":
		is = transcript.CommandText
	case "shell":
		is = transcript.ShellText
		for i := range blocks {
			blocks[i].Text = strings.TrimPrefix(blocks[i].Text, "! ")
		}
	}
	if len(blocks) == 1 && blocks[0].Type == "text" && is == transcript.PromptText {
		before, task, after := sources.CutTask(blocks[0].Text, tasks)
		t.injected(before)
		blocks[0].Text = task
		t.User(is, blocks...)
		t.injected(after)
		return
	}
	if len(blocks) > 0 {
		t.User(is, blocks...)
	}
}

// tasks are what Terminus, an agent of Harbor, writes around the task.
var tasks = []sources.Frame{{Open: "\n\nTask Description:\n", End: "\n\nCurrent terminal state:\n"}}

// injected adds instructions of the program around a task.
func (t *translator) injected(text string) {
	if text != "" {
		t.User(transcript.InjectedText, t.Text(text))
	}
}

// system translates a text of the program. Before the first prompt it is meant for the model, later it is a remark.
func (t *translator) system(s *sources.Object) {
	blocks := t.blocks(s.Get("message"))
	management := transcript.Field(s.Get("extra"), "context_management")
	compaction := transcript.String(transcript.Field(management, "type")) == "compaction"
	text := ""
	if len(blocks) > 0 {
		text = blocks[0].Text
	}
	if compaction {
		t.System("compact_boundary", text)
	}
	if compaction || len(blocks) == 0 {
		return
	}
	switch kind := kindOf(s); {
	case kind == "summary":
		t.User(transcript.SummaryText, blocks...).IsCompactSummary = true
	case kind == "status" && strings.HasPrefix(text, "[Request interrupted"):
		t.User(transcript.InterruptionText, blocks...)
	case kind == "" && t.asked && len(blocks) == 1, kind == "system", kind == "hook", kind == "caption":
		t.remark(text)
	case kind == "api error":
		t.Add(sources.FailureRecord(blocks[0]))
	default:
		t.User(transcript.InjectedText, blocks...)
	}
}

// denials maps states of calls, which trajectories exported by this program have, to why a call did not run.
var denials = map[string]string{
	"blocked": "hook", "declined": "user-rejected", "denied": "permission-rule", "interrupted": "interrupted",
}

// answer translates what the model said and called, with the results.
func (t *translator) answer(s *sources.Object, callers map[string]string) (counted bool) {
	var said []transcript.Block
	if text := s.Text("reasoning_content"); strings.TrimSpace(text) != "" {
		said = append(said, transcript.Block{Type: "thinking", Raw: t.Value, Text: text})
	}
	said = append(said, t.blocks(s.Get("message"))...)
	var calls []string
	t.denied = make(map[string]string)
	for e := range transcript.Elements(s.Get("tool_calls")) {
		var c sources.Object
		c.Read(e)
		input := c.Get("arguments")
		if transcript.Kind(input) != '{' {
			input = sources.Make("arguments", input)
		}
		id := cmp.Or(c.Text("tool_call_id"), t.path+t.id+"-call-"+strconv.Itoa(len(calls)+1))
		calls = append(calls, id)
		state := transcript.String(transcript.Field(c.Get("extra"), "state"))
		if why := denials[state]; why != "" {
			t.denied[id] = why
		}
		said = append(said, transcript.Block{
			Type: "tool_use", Raw: e, ID: id, Name: c.Text("function_name"), Input: input,
			NoResult: state == "unlogged",
		})
	}
	metrics := s.Get("metrics")
	if len(said) > 0 || metrics != nil {
		m := &transcript.Message{ID: t.name(t.id), Role: "assistant", Model: s.Text("model_name"), Content: said}
		m.Model = cmp.Or(m.Model, t.Model)
		r := t.Add(transcript.Record{Type: "assistant", Message: m})
		counted = t.usage(r, metrics)
	}
	t.results(s, calls, callers)
	return counted
}

// usage reads the tokens of a request. The tokens of the prompt include cached ones.
func (t *translator) usage(r *transcript.Record, metrics jsontext.Value) bool {
	var o, more sources.Object
	o.Read(metrics)
	if o.Get("prompt_tokens") == nil && o.Get("completion_tokens") == nil {
		return false
	}
	more.Read(o.Get("extra"))
	u := transcript.Usage{
		CacheRead:  sources.Number(o.Get("cached_tokens")),
		CacheWrite: sources.Number(more.Get("cache_creation_tokens")),
		Output:     sources.Number(o.Get("completion_tokens")),
	}
	u.Input = max(0, sources.Number(o.Get("prompt_tokens"))-u.CacheRead-u.CacheWrite)
	if hour := min(sources.Number(more.Get("cache_creation_1h_tokens")), u.CacheWrite); hour > 0 {
		u.CacheWrite1h, u.CacheWrite5m = hour, u.CacheWrite-hour
	}
	u.WebSearches = max(0, sources.Number(more.Get("web_search_requests")))
	r.Message.Usage, r.Message.HasUsage, r.Message.OutputOnly = u, true, o.Get("prompt_tokens") == nil
	r.Message.Speed = more.Text("speed")
	if cost := stated(&o, "cost_usd"); cost > 0 {
		sources.Rare(r).CostUSD = cost
		t.priced = true
	}
	return true
}

// stated returns a cost in dollars, 0 if it was computed from list prices.
func stated(o *sources.Object, name string) float64 {
	if string(transcript.Field(o.Get("extra"), "list_price")) == "true" {
		return 0
	}
	return sources.Dollars(o.Get(name))
}

// results translates the observation of a step: the results of its calls, and other observations. A result that names
// no call belongs to the only call of the step. Several results of one call are parts of one.
func (t *translator) results(s *sources.Object, calls []string, callers map[string]string) {
	added := make(map[string]int) // the records of results, by call
	for e := range transcript.Elements(transcript.Field(s.Get("observation"), "results")) {
		var o, more sources.Object
		o.Read(e)
		more.Read(o.Get("extra"))
		id := o.Text("source_call_id")
		if id == "" && len(calls) == 1 {
			id = calls[0]
		}
		id = cmp.Or(id, more.Text("tool_call_id"))
		for ref := range transcript.Elements(o.Get("subagent_trajectory_ref")) {
			t.reference(ref, id, callers)
		}
		content := o.Get("content")
		if content == nil && id == "" || content == nil && o.Get("subagent_trajectory_ref") != nil {
			continue
		}
		blocks := t.blocks(content)
		if id == "" {
			if len(blocks) > 0 {
				t.observed(s, blocks)
			}
			continue
		}
		b := transcript.Block{
			Type: "tool_result", Raw: e, ToolUseID: id, Content: blocks, Plain: transcript.Kind(content) == '"',
			IsError: isTrue(more.Get("is_error", failedResult)) ||
				len(calls) == 1 && isTrue(transcript.Field(s.Get("extra"), failedResult)),
		}
		if at, again := added[id]; again {
			first := &t.Record(at).Message.Content[0]
			first.Content, first.Plain = append(first.Content, b.Content...), false
			first.IsError = first.IsError || b.IsError
			continue
		}
		added[id] = t.Added()
		stamp := t.Time
		if at := more.Text("timestamp"); at != "" {
			t.Time = t.time(at)
		}
		r := t.User(transcript.AnyText, b)
		if why := t.denied[id]; why != "" {
			sources.Rare(r).ToolDenialKind = why
		}
		t.Time = stamp
	}
}

// failedResult is how Harbor marks a failed call of Claude Code, in the extra of its result or of its step.
const failedResult = "tool_result_is_error"

func isTrue(v jsontext.Value) bool { return string(v) == "true" }

// observed adds an observation that belongs to no call.
func (t *translator) observed(s *sources.Object, blocks []transcript.Block) {
	management := transcript.Field(s.Get("extra"), "context_management")
	if transcript.String(transcript.Field(management, "type")) == "compaction" {
		t.User(transcript.SummaryText, blocks...).IsCompactSummary = true
		return
	}
	t.User(transcript.OutputText, blocks...)
}

// reference notes which call started an agent. An agent in another file is only mentioned.
func (t *translator) reference(ref jsontext.Value, call string, callers map[string]string) {
	var o sources.Object
	o.Read(ref)
	if id := o.Text("trajectory_id"); id != "" && o.Text("trajectory_path") == "" {
		if call != "" && callers[id] == "" {
			callers[id] = call
		}
		return
	}
	where := cmp.Or(o.Text("trajectory_path"), "the session "+o.Text("session_id"))
	t.remark("An agent worked in " + where)
}

// blocks returns the blocks of content: a text, or a list of parts.
func (t *translator) blocks(content jsontext.Value) []transcript.Block {
	return sources.Content(t.Value, content, func(o *sources.Object, raw jsontext.Value) []transcript.Block {
		b := transcript.Block{Type: o.Text("type"), Raw: raw}
		switch b.Type {
		case "text":
			b.Text = o.Text("text")
		case "image":
			b = image(raw, o.Get("source"))
		}
		return []transcript.Block{b}
	})
}

// image returns an image given by its address. An image file next to the trajectory is not in the log.
func image(raw, source jsontext.Value) transcript.Block {
	var o sources.Object
	o.Read(source)
	at := o.Text("path")
	if !strings.HasPrefix(at, "https://") && !strings.HasPrefix(at, "http://") {
		return transcript.Block{Type: "text", Raw: raw, Text: "(a picture that is not in the log: " + at + ")"}
	}
	return transcript.Block{
		Type: "image", Raw: raw, Source: transcript.Source{Kind: "url", MediaType: o.Text("media_type"), URL: at},
	}
}
