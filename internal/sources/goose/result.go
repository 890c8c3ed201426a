package goose

import (
	"iter"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// result translates the result of a call. Older versions have a list of parts where newer ones have an object.
func (t *translator) result(o *sources.Object, v jsontext.Value) {
	id, outcome := o.Text("id"), o.Get("toolResult")
	value := transcript.Field(outcome, "value")
	list := value
	if transcript.Kind(value) == '{' {
		list = transcript.Field(value, "content")
	}
	blocks := t.resultBlocks(list)
	failed := transcript.String(transcript.Field(outcome, "status")) == "error" ||
		string(transcript.Field(value, "isError")) == "true"
	if message := transcript.TextOf(transcript.Field(outcome, "error")); message != "" {
		blocks = append(blocks, transcript.Block{Type: "text", Raw: v, Text: message})
	}
	denied := denial(blocks)
	whole := t.Value
	t.Value = v
	r := t.Result(id, failed || denied != "", blocks...)
	t.Value = whole
	r.ToolUseResult = t.structured(id, value, blocks)
	if denied != "" {
		sources.Rare(r).ToolDenialKind = denied
	}
}

// resultBlocks returns the parts of a result. Older tools wrote one text for the model and another for the human.
func (t *translator) resultBlocks(list jsontext.Value) []transcript.Block {
	var all []transcript.Block
	var forHuman []bool
	var o, resource sources.Object
	for v := range transcript.Elements(list) {
		o.Read(v)
		b := transcript.Block{Type: "text", Raw: v}
		switch kind := o.Text("type"); kind {
		case "text":
			b.Text = o.Text("text")
		case "image":
			b = picture(&o)
		case "resource":
			resource.Read(o.Get("resource"))
			if b.Text = resource.Text("text"); b.Text == "" {
				b.Text = "(a resource that is no text: " + resource.Text("uri") + ")"
			}
		case "resource_link":
			b.Text = o.Text("uri")
		default:
			b.Type = kind
		}
		all, forHuman = append(all, b), append(forHuman, isForHuman(o.Get("annotations")))
	}
	if !slices.Contains(forHuman, false) {
		return all
	}
	var sent []transcript.Block
	for i, b := range all {
		if !forHuman[i] {
			sent = append(sent, b)
		}
	}
	return sent
}

// isForHuman reports whether a part is not for the model.
func isForHuman(annotations jsontext.Value) bool {
	audience := transcript.Field(annotations, "audience")
	for role := range transcript.Elements(audience) {
		if transcript.String(role) == "assistant" {
			return false
		}
	}
	return transcript.Kind(audience) == '['
}

// denials tells by the beginnings of results why calls did not run.
var denials = []struct{ text, kind string }{
	{"The user has declined to run this tool", "user-rejected"},
	{"This tool call was blocked by a ", "permission-rule"},
	{"Let the user know the tool call was skipped in ", "permission-rule"},
	{"Interrupted by the user", "interrupted"},
}

func denial(blocks []transcript.Block) string {
	if len(blocks) != 1 {
		return ""
	}
	text := strings.TrimPrefix(blocks[0].Text, "-32603: ") // what versions write before an error
	text = strings.TrimPrefix(text, "Execution failed: ")
	for _, d := range denials {
		if strings.HasPrefix(text, d.text) {
			return d.kind
		}
	}
	return ""
}

// structured returns what a result says beyond its text, or in the words of the program: how a command ended, that a
// file is new, or the session of an agent.
func (t *translator) structured(id string, value jsontext.Value, text []transcript.Block) jsontext.Value {
	tool := t.calls[id]
	if tool == "developer__write" && len(text) > 0 && strings.HasPrefix(text[0].Text, "Created ") {
		return sources.Make("type", "create")
	}
	if transcript.Kind(value) != '{' {
		return nil
	}
	var end sources.Object
	end.Read(transcript.Field(value, "structuredContent"))
	if tool == "developer__shell" && len(end) > 0 {
		return sources.Make("exitCode", end.Get("exit_code"), "timedOut", string(end.Get("timed_out")) == "true")
	}
	meta := transcript.Field(value, "_meta")
	if agent := transcript.String(transcript.Field(meta, agentMember)); agent != "" {
		later := string(transcript.Field(meta, "foreground_subagent")) == "true"
		return sources.Make("agentId", agent, "answersLater", later)
	}
	return nil
}

// agentMember is the member of what a tool says beside its result that names the session of an agent.
const agentMember = "subagent_session_id"

// agentsOf yields the sessions of agents that the results in a message name.
func agentsOf(content jsontext.Value) iter.Seq[string] {
	return func(yield func(string) bool) {
		for e := range transcript.Elements(content) {
			value := transcript.Field(transcript.Field(e, "toolResult"), "value")
			agent := transcript.String(transcript.Field(transcript.Field(value, "_meta"), agentMember))
			if agent != "" && !yield(agent) {
				return
			}
		}
	}
}
