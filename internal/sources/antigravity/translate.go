package antigravity

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The rules that hide records, in addition to those shared by all writers.
const (
	empty   = "empty messages"
	history = "bookkeeping" // that there was a conversation before
)

// A translator turns the lines of one file into records. It keeps a list of calls without result, because calls have no
// ids and results come in the same order.
type translator struct {
	sources.Builder
	calls int
	open  openCalls

	step sources.Object
}

// Translate turns a line into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	t.step.Read(v)
	t.SetTime(t.step.Get("created_at"))
	kind, content := t.step.Text("type"), t.step.Text("content")
	switch kind {
	case "USER_INPUT":
		t.input(content)
	case "PLANNER_RESPONSE":
		t.answer(content)
	case "EPHEMERAL_MESSAGE", "SYSTEM_MESSAGE", "CONVERSATION_HISTORY", "KNOWLEDGE_ARTIFACTS":
		if strings.TrimSpace(content) != "" {
			t.User(transcript.InjectedText, t.Text(content))
		}
	case "CHECKPOINT":
		t.System("compact_boundary", "")
		if content != "" {
			t.User(transcript.SummaryText, t.Text(content)).IsCompactSummary = true
		}
	case "ERROR_MESSAGE":
		content = cmp.Or(content, t.step.Text("error"))
		t.Fail(content)
	default:
		t.other(kind, content)
	}
	t.cutOff()
	if t.Added() == 0 {
		rule := empty
		if kind == "CONVERSATION_HISTORY" {
			rule = history
		}
		t.Hide(kind, rule)
	}
	for i := range t.Added() {
		t.Record(i).CWD = t.CWD // which a call of the step may name
	}
	return t.Done(kind)
}

// cutOff reports which texts of a step the log has only in part.
func (t *translator) cutOff() {
	fields := t.step.Get("truncated_fields")
	for i := range t.Added() {
		r := t.Record(i)
		if r.Message != nil && len(r.Message.Content) > 0 && r.Message.Content[0].Type == "tool_result" {
			return // drawn with the call
		}
	}
	for range transcript.Elements(fields) {
		t.Remark("", "The log has only a part of this text")
		return
	}
}

// input translates a message in the role of the user: a prompt in a tag, followed by text of the program.
func (t *translator) input(content string) {
	asked, around := split(content, "USER_REQUEST")
	if asked == "" && around != "" && !strings.HasPrefix(around, "<") {
		asked, around = around, ""
	}
	settings, around := split(around, "USER_SETTINGS_CHANGE")
	if from := t.step.Text("source"); from == "SYSTEM" || from == "MODEL" {
		t.User(transcript.InjectedText, t.Text(content))
		return
	}
	if asked != "" {
		r := t.User(transcript.PromptText, t.Text(asked))
		if around != "" {
			sources.Rare(r).Contexts = sources.Make("label", "sent with the prompt", "content", around)
		}
	} else if around != "" {
		t.User(transcript.InjectedText, t.Text(around))
	}
	if settings == "" {
		return
	}
	if model := modelIn(settings); model != "" {
		t.Model = model
		t.Settings("model", model)
		return
	}
	t.Remark("", settings)
}

// split separates what is inside a tag from the text around it.
func split(text, tag string) (inside, around string) {
	open, end := "<"+tag+">", "</"+tag+">"
	before, rest, ok := strings.Cut(text, open)
	if !ok {
		return "", strings.TrimSpace(text)
	}
	inside, behind, ok := strings.Cut(rest, end)
	if !ok {
		behind = ""
	}
	around = strings.TrimSpace(before) + "\n\n" + strings.TrimSpace(behind)
	return strings.TrimSpace(inside), strings.TrimSpace(around)
}

// modelIn returns the model that a change of settings names: "... setting `Model Selection` from None to Gemini 3.1 Pro
// (High). No need ...".
func modelIn(settings string) string {
	_, rest, ok := strings.Cut(settings, "`Model Selection` from ")
	if !ok {
		return ""
	}
	if _, rest, ok = strings.Cut(rest, " to "); !ok {
		return ""
	}
	rest, _, _ = strings.Cut(rest, "\n")
	rest, _, _ = strings.Cut(rest, ". ")
	return strings.TrimSuffix(strings.TrimSpace(rest), ".")
}

// answer translates reasoning, text and calls of the model.
func (t *translator) answer(content string) {
	var blocks []transcript.Block
	if thought := t.step.Text("thinking"); thought != "" {
		blocks = append(blocks, transcript.Block{Type: "thinking", Raw: t.Value, Text: thought})
	}
	if strings.TrimSpace(content) != "" {
		blocks = append(blocks, t.Text(content))
	}
	blocks = append(blocks, t.called()...)
	if len(blocks) > 0 {
		t.say(blocks...)
	}
	if failure := t.step.Text("error"); failure != "" || t.step.Text("status") == "ERROR" {
		failure = cmp.Or(failure, "The answer ended with an error")
		t.Fail(failure)
	}
	if t.step.Text("status") == "CANCELED" || t.step.Text("status") == "CANCELLED" {
		t.User(transcript.InterruptionText, t.Text("[Request interrupted by user]"))
	}
}

// say adds what the model wrote. The log does not tell which answers are of one request.
func (t *translator) say(blocks ...transcript.Block) { t.Answer(blocks...).Message.ID = "" }

// called returns the calls of a step.
func (t *translator) called() []transcript.Block {
	var blocks []transcript.Block
	for e := range transcript.Elements(t.step.Get("tool_calls")) {
		var o sources.Object
		o.Read(e)
		name := strings.TrimPrefix(o.Text("name"), "default_api:")
		blocks = append(blocks, t.call(name, o.Text("id"), t.inputOf(o.Get("args"), o.Get("arguments")), e))
	}
	return blocks
}

// call returns a call, which waits for its result.
func (t *translator) call(name, id string, input, raw jsontext.Value) transcript.Block {
	t.calls++
	if id == "" {
		id = "call " + strconv.Itoa(t.calls)
	}
	t.open.add(id, name)
	return transcript.Block{Type: "tool_use", Raw: raw, ID: id, Name: name, Input: input}
}

// inputOf returns the input of a call, in which each value is JSON in a string.
func (t *translator) inputOf(args, arguments jsontext.Value) jsontext.Value {
	args = transcript.Or(args, arguments)
	var pairs []any
	for name, value := range transcript.Members(args) {
		if inner := jsontext.Value(strings.TrimSpace(transcript.String(value))); len(inner) > 0 && inner.IsValid() {
			value = inner
		}
		if folder := transcript.String(value); t.CWD == "" && transcript.IsAbsolute(folder) &&
			(name == "Cwd" || name == "DirectoryPath") {
			t.CWD = folder
		}
		pairs = append(pairs, name, value)
	}
	return sources.Make(pairs...)
}
