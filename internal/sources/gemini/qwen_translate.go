package gemini

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A qwenTranslator turns the lines of one file of Qwen Code into records.
type qwenTranslator struct {
	sources.Builder
	last    map[string]qwenLine // by the id of the line
	named   map[string][]string // ids made up for calls without id or result, by the name of their tool
	request string              // the id of the message on the last line, if the model wrote it in the log of an agent
	titled  bool                // the user gave a title
	failed  bool                // a request since the last prompt
	started bool                // a record has the id of the start
	said    string              // the id of the last answer

	line    sources.Object
	payload sources.Object
	message sources.Object
}

// A qwenLine describes the lines with one id: a message may span several.
type qwenLine struct {
	record string // the id of the last record
	lines  int
}

// Translate turns a line into records.
func (t *qwenTranslator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	t.line.Read(v)
	t.SetTime(t.line.Get("timestamp"))
	t.payload.Read(t.line.Get("systemPayload"))
	t.message.Read(t.line.Get("message"))
	content := t.message.Get("parts", "content")
	request := t.request
	t.request = ""
	switch kind, subtype := t.line.Text("type"), t.line.Text("subtype"); kind {
	case "user":
		t.failed = false
		t.user(subtype, content)
	case "assistant":
		t.assistant(content, request)
	case "tool_result":
		t.toolResult(content)
	case "system":
		t.system(subtype)
	default:
		t.Add(transcript.Record{Type: kind})
	}
	kind := t.line.Text("type")
	if t.Added() == 0 {
		t.Hide(kind, empty)
	}
	t.chain()
	return t.Done(kind)
}

// chain gives the records of the line their ids, and fills in what they share.
func (t *qwenTranslator) chain() {
	id, parent := t.line.Text("uuid"), t.line.Text("parentUuid")
	before := t.last[id]
	if before.lines > 0 {
		parent = before.record
	} else if l, ok := t.last[parent]; ok {
		parent = l.record
	}
	rewinds := t.line.Text("type") == "system" && t.line.Text("subtype") == "rewind"
	name := id
	if start := "start@" + t.line.Text("sessionId"); id != "" && parent == "" {
		// Prompts that replace each other have the same parent. The first prompt has none in the file. It and those
		// after a rewind to it get the first such rewind.
		if parent = start; rewinds && !t.started {
			t.started, name, parent = true, start, ""
		}
	}
	for i := range t.Added() {
		r := t.Record(i)
		if id != "" {
			r.UUID = name
			if before.lines > 0 {
				r.UUID += "@" + strconv.Itoa(before.lines)
			}
			if i > 0 {
				r.UUID += "." + strconv.Itoa(i)
			}
			r.ParentUUID, parent = parent, r.UUID
		}
		r.SessionID, r.CWD, r.Version = t.line.Text("sessionId"), t.line.Text("cwd"), t.line.Text("version")
		r.GitBranch, r.AgentID = t.line.Text("gitBranch"), t.line.Text("agentId")
		r.IsSidechain = r.AgentID != "" && string(t.line.Get("isSidechain")) == "true"
		if !r.IsSidechain {
			r.AgentID = "" // it is in the file of its session
		}
		if from := transcript.Field(t.line.Get("forkedFrom"), "sessionId"); from != nil {
			r.LineageID = transcript.String(from)
		}
	}
	if rewinds && name == id {
		sources.Rare(t.Record(0)).Rewind = true
	}
	if id != "" {
		t.last[id] = qwenLine{parent, before.lines + 1}
	}
}

// user translates a message in the role of the user: what was typed, and text of the program.
func (t *qwenTranslator) user(subtype string, content jsontext.Value) {
	var typed, added []transcript.Block
	for v := range parts(content) {
		b, ok := part(v, t.Value)
		switch {
		case !ok:
			t.toolResult(content)
			return
		case b.Type == "text" && strings.TrimSpace(b.Text) == "":
		case b.Type == "text" && (beginsWith(b.Text, marks) || beginsWith(b.Text, []string{"<qwen:"})):
			added = append(added, b)
		default:
			typed = append(typed, b)
		}
	}
	shown := t.payload.Text("displayText")
	sender := sentBy[subtype]
	if kind := t.line.Text("externalInputKind"); kind != "" && sender == "" {
		sender = kind
	}
	if name := transcript.String(transcript.Field(t.payload.Get("author"), "name")); name != "" {
		sender = name
	}
	switch from := t.line.Text("provenance"); {
	case sender != "":
		if shown == "" {
			shown = sources.JoinTexts(typed)
		}
		t.User(transcript.TeammateText, t.Text(shown)).Sender = sender
	case from != "" && from != "real_user", subtype == "goal_runtime":
		if len(typed) > 0 {
			t.User(transcript.InjectedText, typed...)
		}
	case len(typed) > 0 || shown != "":
		var contexts jsontext.Value
		if sent := sources.JoinTexts(typed); shown != "" && shown != sent {
			if sent != "" {
				contexts = sources.Make("label", "as it was sent", "content", sent)
			}
			kept := []transcript.Block{t.Text(shown)}
			for _, b := range typed {
				if b.Type != "text" {
					kept = append(kept, b)
				}
			}
			typed = kept
		}
		r := t.User(transcript.PromptText, typed...)
		sources.Rare(r).Contexts = contexts
		if subtype == "cron" {
			sources.Rare(r).TurnOrigin = "scheduled"
		}
	}
	if len(added) > 0 {
		t.User(transcript.InjectedText, added...)
	}
}

// sentBy names who wrote a message in the role of the user, by the subtype of the line.
var sentBy = map[string]string{
	"notification": "notification", "background_task_completed": "background task",
	"agent_message": "agent", "agent_mention": "agent",
}

// assistant translates reasoning, text and calls of the model. In the file of an agent each call is a separate line,
// after the text of the same answer.
func (t *qwenTranslator) assistant(content jsontext.Value, request string) {
	used, has := qwenUsage(t.line.Get("usageMetadata"))
	m := &transcript.Message{
		ID: t.line.Text("uuid"), Role: "assistant", Model: t.line.Text("model"), Usage: used, HasUsage: has,
	}
	t.said = m.ID
	if string(t.line.Get("isSidechain")) == "true" {
		if request != "" && !has {
			m.ID = request
		}
		t.request = m.ID
	}
	n := 0
	for v := range parts(content) {
		if called := transcript.Field(v, "functionCall"); called != nil {
			m.Content = append(m.Content, t.call(called, v, n))
			n++
			continue
		}
		b, ok := part(v, t.Value)
		switch {
		case !ok:
			b = transcript.Block{Type: partType(v), Raw: v}
		case b.Type == "text" && strings.TrimSpace(b.Text) == "":
			continue
		case b.Type == "text" && string(transcript.Field(v, "thought")) == "true":
			b.Type = "thinking"
		}
		m.Content = append(m.Content, b)
	}
	if len(m.Content) == 0 {
		if has {
			t.Hide("assistant", "token counts")
			t.Record(0).Message = m
		}
		return
	}
	t.Add(transcript.Record{Type: "assistant", Message: m})
}

// call returns a call, with a generated id if the log has none.
func (t *qwenTranslator) call(called, raw jsontext.Value, n int) transcript.Block {
	id, name := transcript.String(transcript.Field(called, "id")), transcript.String(transcript.Field(called, "name"))
	if id == "" {
		id = t.line.Text("uuid") + "#" + strconv.Itoa(n)
		t.named[name] = append(t.named[name], id)
	}
	input := transcript.Field(called, "args")
	if input == nil || transcript.Kind(input) == 'n' {
		input = jsontext.Value("{}")
	}
	name, input = wrappedCall(name, input)
	return transcript.Block{Type: "tool_use", Raw: raw, ID: id, Name: name, Input: input}
}

// wrappedCall returns the call inside a call of a tool that the model had to search for first. Its arguments are an
// object or its text.
func wrappedCall(name string, input jsontext.Value) (string, jsontext.Value) {
	if name != "tool_call" {
		return name, input
	}
	called, args := transcript.String(transcript.Field(input, "name")), transcript.Field(input, "arguments")
	if transcript.Kind(args) == '"' {
		args = jsontext.Value(transcript.String(args))
	}
	if called == "" || transcript.Kind(args) != '{' || !args.IsValid() {
		return name, input
	}
	return called, args
}

// toolResult translates the results on a line: each response with the parts that follow it.
func (t *qwenTranslator) toolResult(content jsontext.Value) {
	var told sources.Object
	told.Read(t.line.Get("toolCallResult"))
	var own []jsontext.Value
	var name string
	given := ""
	answer := func() {
		id := cmp.Or(given, told.Text("callId"))
		if open := t.named[name]; id == "" && len(open) > 0 {
			id, t.named[name] = open[0], open[1:]
		}
		if t.line.Text("subtype") == "code_mode_tool_result" {
			t.inner(id, name, told.Get("resultDisplay"))
		}
		o := append(sources.Object{{Name: sources.Quote("name"), Value: sources.Quote(name)}}, told...)
		r := resultOf(id, &o, own, t.Value)
		b := &r.Message.Content[0]
		b.IsError = b.IsError || told.Text("status") == "" && failed(own) || told.Get("error") != nil
		t.Add(r)
	}
	for v := range parts(content) {
		inner := transcript.Field(v, "functionResponse")
		if inner != nil && len(own) > 0 {
			answer()
			own, told = nil, nil
		}
		if inner != nil {
			name = transcript.String(transcript.Field(inner, "name"))
			given = transcript.String(transcript.Field(inner, "id"))
		}
		own = append(own, v)
	}
	if len(own) > 0 || told.Text("callId") != "" {
		answer()
	}
}

// inner adds a call that the code in another call made. The log has only its result, which may name a file.
func (t *qwenTranslator) inner(id, name string, display jsontext.Value) {
	file := transcript.Or(transcript.Field(display, "filePath"), transcript.Field(display, "fileName"))
	call := transcript.Block{Type: "tool_use", Raw: t.Value, ID: id, Name: name, Input: sources.Make("file_path", file)}
	m := &transcript.Message{ID: t.said, Role: "assistant", Content: []transcript.Block{call}}
	t.Add(transcript.Record{Type: "assistant", Message: m})
}

// failed reports whether a response is an error and nothing else.
func failed(content []jsontext.Value) bool {
	for _, v := range content {
		inner := transcript.Field(transcript.Field(v, "functionResponse"), "response")
		if transcript.Field(inner, "error") != nil && transcript.Field(inner, "output") == nil {
			return true
		}
	}
	return false
}

// qwenUsage reads the tokens of a request. The prompt includes cached tokens. Depending on the model, the answer
// includes reasoning or not; the total tells.
func qwenUsage(v jsontext.Value) (transcript.Usage, bool) {
	if transcript.Kind(v) != '{' {
		return transcript.Usage{}, false
	}
	n := func(name string) int64 { return sources.Number(transcript.Field(v, name)) }
	sent, said, thought := n("promptTokenCount"), n("candidatesTokenCount"), n("thoughtsTokenCount")
	cached := min(n("cachedContentTokenCount"), sent)
	if sent+said+thought == 0 {
		return transcript.Usage{}, false
	}
	if n("totalTokenCount") == sent+said {
		thought = 0
	}
	return transcript.Usage{Input: sent - cached, CacheRead: cached, Output: said + thought}, true
}
