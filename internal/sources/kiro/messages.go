package kiro

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The kinds of lines of the second engine.
const (
	kindPrompt     = "Prompt"
	kindAnswer     = "AssistantMessage"
	kindResults    = "ToolResults"
	kindCompaction = "Compaction"
	kindClear      = "Clear"
	kindReset      = "ResetTo"
	kindCancelled  = "CancelledPrompt"
)

// The rules that hide records of logs.
const (
	tokens      = "token counts"
	bookkeeping = "bookkeeping"
)

// promptIn returns the text of a line with a prompt, "" for any other line.
func promptIn(line *sources.Object) string {
	if payload := line.Get("payload"); transcript.String(transcript.Field(payload, "type")) == "user" {
		return transcript.String(transcript.Field(payload, "content"))
	}
	if line.Text("kind") != kindPrompt {
		return ""
	}
	for e := range transcript.Elements(transcript.Field(line.Get("data"), "content")) {
		return transcript.String(transcript.Field(e, "data"))
	}
	return ""
}

// message translates a line of the second engine. Only prompts have a time; the document knows when turns ended.
func (t *translator) message(kind string, line *sources.Object) ([]transcript.Record, []transcript.Problem) {
	var data sources.Object
	data.Read(line.Get("data"))
	t.SetTime(milliseconds(transcript.Field(data.Get("meta"), "timestamp")))
	id := data.Text("message_id")
	u, last := t.ends(id)
	before := t.Added()
	switch content := contentOf(data.Get("content")); kind {
	case kindPrompt:
		t.prompted(content)
	case kindAnswer:
		t.answered(content)
	case kindResults:
		t.returned(content, data.Get("results"))
	case kindCompaction:
		t.System("compact_boundary", "")
		if summary := data.Text("summary"); summary != "" {
			t.User(transcript.SummaryText, t.Text(summary)).IsCompactSummary = true
		}
	case kindClear:
		t.Remark("", "Cleared: the model is sent nothing of what was said before")
	case kindReset:
		t.Remark("", "The conversation went back to an earlier message",
			"message", transcript.TextOf(data.Get("target_index")))
	case kindCancelled:
		t.User(transcript.InterruptionText, t.Text("[Request interrupted by user]"))
	}
	if t.Added() == before {
		if data.Get("content") != nil && slices.Contains([]string{kindPrompt, kindAnswer, kindResults}, kind) {
			t.Hide("message", empty)
		} else {
			t.Add(transcript.Record{Type: kind})
		}
	}
	if last {
		t.ended(u)
	}
	return t.Done(kind)
}

// milliseconds returns a time in seconds since 1970 as one in milliseconds, and any other value unchanged.
func milliseconds(v jsontext.Value) jsontext.Value {
	if s := sources.Fraction(v); s > 1e8 && s < 1e10 {
		return jsontext.Value(strconv.FormatInt(int64(s*1000), 10))
	}
	return v
}

// prompted translates a prompt: texts and pictures.
func (t *translator) prompted(content jsontext.Value) {
	var blocks []transcript.Block
	for e := range transcript.Elements(content) {
		kind, data := block(e)
		switch text := transcript.String(data); {
		case kind == "text" && text == "":
		case kind == "text" && isNotTyped(text):
			t.User(transcript.InjectedText, transcript.Block{Type: "text", Raw: e, Text: text})
		case kind == "text":
			blocks = append(blocks, transcript.Block{Type: "text", Raw: e, Text: text})
		default:
			blocks = append(blocks, part(e, kind, data))
		}
	}
	if len(blocks) > 0 {
		t.User(transcript.PromptText, blocks...)
	}
}

// contentOf returns the parts of a message, which other programs write as a text.
func contentOf(v jsontext.Value) jsontext.Value {
	if transcript.Kind(v) != '"' {
		return v
	}
	return slices.Concat(jsontext.Value(`[{"kind":"text","data":`), v, jsontext.Value(`}]`))
}

// block returns the kind and the data of a part of a message.
func block(v jsontext.Value) (kind string, data jsontext.Value) {
	return transcript.String(transcript.Field(v, "kind")), transcript.Field(v, "data")
}

// part returns the block for a part that is no text: a picture, or a part of an unknown kind.
func part(raw jsontext.Value, kind string, data jsontext.Value) transcript.Block {
	if kind == "image" {
		source := transcript.Field(data, "source")
		if picture, ok := bytesOf(transcript.Field(source, "data")); ok {
			media := "image/" + transcript.String(transcript.Field(data, "format"))
			return transcript.Block{Type: "image", Raw: sources.Make("type", "image"),
				Source: transcript.Source{Kind: "base64", MediaType: media, Data: picture}}
		}
	}
	if kind == "" {
		kind = "content"
	}
	return transcript.Block{Type: kind, Raw: raw}
}

// bytesOf returns bytes in base64: a list of numbers, or a text that is base64 already.
func bytesOf(v jsontext.Value) (quoted jsontext.Value, ok bool) {
	if transcript.Kind(v) == '"' {
		return v, true
	}
	var all []byte
	for e := range transcript.Elements(v) {
		n, err := strconv.ParseUint(string(e), 10, 8)
		if err != nil {
			return nil, false
		}
		all = append(all, byte(n))
	}
	return sources.Quote(base64.StdEncoding.EncodeToString(all)), len(all) > 0
}

// answered translates what the model thought, said and called.
func (t *translator) answered(content jsontext.Value) {
	var blocks []transcript.Block
	for e := range transcript.Elements(content) {
		switch kind, data := block(e); kind {
		case "text":
			if text := transcript.String(data); text != "" && !t.noted(text) {
				blocks = append(blocks, transcript.Block{Type: "text", Raw: e, Text: text})
			}
		case "thinking":
			blocks = append(blocks, t.thought(data))
		case "toolUse":
			var o sources.Object
			o.Read(data)
			b := t.Call(o.Text("toolUseId"), o.Text("name"), sources.Arguments(o.Get("input")))
			b.Raw = e
			blocks = append(blocks, b)
		default:
			blocks = append(blocks, part(e, kind, data))
		}
	}
	if len(blocks) > 0 {
		t.Answer(blocks...)
	}
}

// thought returns what the model thought. Most of it is encrypted.
func (t *translator) thought(v jsontext.Value) transcript.Block {
	var o sources.Object
	o.Read(v)
	if model := o.Text("modelId"); model != "" && model != "auto" {
		t.Model = model
	}
	sealed := int64(len(o.Text("signature")))
	for range transcript.Elements(o.Get("redactedContent")) {
		sealed++
	}
	text := o.Text("text")
	return transcript.Block{
		Type: "thinking", Raw: sources.Make("type", "thinking", "thinking", text), Text: text, Encrypted: sealed,
	}
}

// returned translates the results of calls, and what the human said meanwhile. outcomes repeats each result, except
// that a call was cancelled.
func (t *translator) returned(content, outcomes jsontext.Value) {
	cancelled := make(map[string]bool)
	for id, v := range transcript.Members(outcomes) {
		cancelled[id] = transcript.String(transcript.Field(v, "result")) == "Cancelled"
	}
	for e := range t.Parts(content) {
		kind, data := block(e)
		if kind != "toolResult" {
			t.steered(e)
			continue
		}
		var o sources.Object
		o.Read(data)
		id := o.Text("toolUseId")
		t.result(id, o, cancelled[id])
	}
}

// result translates the result of a call, which may have been cancelled.
func (t *translator) result(id string, o sources.Object, cancelled bool) {
	var blocks []transcript.Block
	failed := o.Text("status") == "error"
	for e := range transcript.Elements(contentOf(o.Get("content"))) {
		switch kind, data := block(e); kind {
		case "text":
			blocks = append(blocks, transcript.Block{Type: "text", Raw: e, Text: transcript.TextOf(data)})
		case "json":
			text, bad, ok := commandOutput(data)
			failed = failed || bad
			if inner := transcript.Field(data, "content"); !ok && transcript.Kind(inner) == '[' { // of an MCP server
				blocks = append(blocks, transcript.Blocks(inner)...)
				failed = failed || string(transcript.Field(data, "isError")) == "true"
				continue
			}
			if !ok {
				text = transcript.TextOf(data)
			}
			blocks = append(blocks, t.Text(text))
		default:
			blocks = append(blocks, part(e, kind, data))
		}
	}
	why := ""
	switch {
	case strings.HasPrefix(firstText(blocks), "User denied tool execution"):
		why = "user-rejected"
	case cancelled:
		why = "interrupted"
	}
	r := t.Result(id, failed || why != "", blocks...)
	if why != "" {
		sources.Rare(r).ToolDenialKind = why
	}
}

func firstText(blocks []transcript.Block) string {
	if len(blocks) == 0 {
		return ""
	}
	return blocks[0].Text
}

// Around a message that the human wrote while the agent worked.
const (
	steering     = "[LIVE STEERING - New message from user]"
	steeringOpen = `<user_message id="`
	steeringEnd  = "</user_message>"
)

// steered translates a part of a message with results that is no result: messages that the human wrote meanwhile, among
// instructions for the model.
func (t *translator) steered(e jsontext.Value) {
	kind, data := block(e)
	text := transcript.String(data)
	if kind != "text" {
		t.User(transcript.InjectedText, part(e, kind, data))
		return
	}
	if !strings.HasPrefix(text, steering) {
		if text != "" {
			t.User(transcript.InjectedText, transcript.Block{Type: "text", Raw: e, Text: text})
		}
		return
	}
	rest := text
	for {
		before, inner, found := strings.Cut(rest, steeringOpen)
		_, inner, opened := strings.Cut(inner, ">")
		typed, after, closed := strings.Cut(inner, steeringEnd)
		if !found || !opened || !closed {
			break
		}
		t.injected(e, before)
		t.User(transcript.PromptText, transcript.Block{Type: "text", Raw: e, Text: strings.TrimSpace(typed)})
		rest = after
	}
	t.injected(e, rest)
}

// injected adds a text for the model unless it is blank.
func (t *translator) injected(raw jsontext.Value, text string) {
	if text = strings.TrimSpace(text); text != "" {
		t.User(transcript.InjectedText, transcript.Block{Type: "text", Raw: raw, Text: text})
	}
}
