package zed

import (
	"cmp"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The rules that hide records, in addition to those shared by all writers.
const (
	tokens = "token counts" // of the whole thread
	empty  = "empty messages"
)

// A translator turns a thread into records.
type translator struct{ sources.Builder }

// Translate turns a thread into records. Messages have no times.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	var row, p sources.Object
	row.Read(v)
	p.Read(row.Get("thread"))
	messages := p.Get("messages")
	if transcript.Kind(messages) != '[' {
		return t.Done("thread")
	}
	t.SessionID, t.CWD = row.Text(rowHead), sources.FirstString(v, worktreePath)
	var model sources.Object
	model.Read(p.Get("model"))
	t.Model = model.Text("model")
	t.Value = sources.Make("thread", t.SessionID, "version", p.Get("version"))
	snapshot := p.Get("initial_project_snapshot")
	if at := transcript.Field(snapshot, "timestamp"); at != nil {
		t.SetTime(at)
	}
	t.Remark("", "Session started", "folder", t.CWD, "provider", model.Text("provider"), "model", t.Model,
		"profile", transcript.TextOf(p.Get("profile")))
	t.Time = time.Time{}
	if title := cmp.Or(p.Text("title"), row.Text("summary")); title != "" {
		t.Add(sources.TitleRecord(title, true))
	}
	for e := range t.Parts(messages) {
		t.message(e)
	}
	t.used(p.Get("cumulative_token_usage"), row.Get("updated_at"))
	return t.Done("thread")
}

// message translates one of {"User": ...}, {"Agent": ...} and "Resume".
func (t *translator) message(v jsontext.Value) {
	before := t.Added()
	if transcript.Kind(v) == '"' {
		if word := transcript.String(v); word == "Resume" {
			t.Remark("", "The model was told to go on")
		} else {
			t.Add(transcript.Record{Type: word})
		}
		return
	}
	for kind, m := range transcript.Members(v) {
		switch kind {
		case "User":
			if blocks := t.blocks(transcript.Field(m, "content")); len(blocks) > 0 {
				t.User(transcript.PromptText, blocks...)
			}
		case "Agent":
			t.agent(m)
		default:
			t.Add(transcript.Record{Type: kind})
		}
	}
	switch {
	case t.Added() > before:
	case transcript.Field(v, "User") == nil && transcript.Field(v, "Agent") == nil:
		t.Add(transcript.Record{Type: "message"})
	default:
		t.Hide("message", empty)
	}
}

// agent translates an answer, and the results of its calls.
func (t *translator) agent(m jsontext.Value) {
	if blocks := t.blocks(transcript.Field(m, "content")); len(blocks) > 0 {
		t.Answer(blocks...)
	}
	for id, v := range transcript.Members(transcript.Field(m, "tool_results")) {
		var o sources.Object
		o.Read(v)
		content := o.Get("content")
		if transcript.Kind(content) == '{' { // of one part
			content = sources.MakeList(content)
		}
		blocks := t.blocks(content)
		if transcript.Kind(content) == '"' {
			blocks = []transcript.Block{t.Text(transcript.String(content))}
		}
		if len(blocks) == 0 {
			if text := transcript.TextOf(o.Get("output")); text != "" {
				blocks = []transcript.Block{t.Text(text)}
			}
		}
		failed := string(o.Get("is_error")) == "true"
		r := t.Result(id, failed, blocks...)
		if failed && len(blocks) > 0 {
			sources.Rare(r).ToolDenialKind = denials[blocks[0].Text]
		}
	}
}

// denials are the errors of calls that the human declined, or stopped with the whole answer.
var denials = map[string]string{
	"Permission to run tool denied by user": "user-rejected",
	"Tool canceled by user":                 "interrupted",
}

// blocks returns the parts of a message, each an object with one member that names its kind.
func (t *translator) blocks(content jsontext.Value) []transcript.Block {
	var all []transcript.Block
	for e := range transcript.Elements(content) {
		for kind, v := range transcript.Members(e) {
			all = append(all, t.block(kind, v, e))
			break
		}
	}
	return all
}

func (t *translator) block(kind string, v, e jsontext.Value) transcript.Block {
	text := func(names ...string) string {
		if transcript.Kind(v) != '{' {
			return transcript.TextOf(v)
		}
		for _, name := range names {
			if s := transcript.TextOf(transcript.Field(v, name)); s != "" {
				return s
			}
		}
		return ""
	}
	switch kind {
	case "Text":
		return transcript.Block{Type: "text", Raw: e, Text: text("text")}
	case "Thinking":
		b := transcript.Block{Type: "thinking", Text: text("text", "thinking")}
		sealed := sources.SizeOf(transcript.Field(v, "signature"))
		if b.Text == "" {
			b.Encrypted = sealed
		}
		b.Raw = sources.Make("type", "thinking", "thinking", b.Text, "encrypted bytes", sealed)
		return b
	case "RedactedThinking":
		sealed := sources.SizeOf(v)
		return transcript.Block{Type: "thinking", Encrypted: sealed,
			Raw: sources.Make("type", "thinking", "encrypted bytes", sealed)}
	case "ToolUse":
		b := t.Call(text("id"), text("name"), sources.Arguments(transcript.Field(v, "input")))
		b.Raw = e
		return b
	case "Mention":
		return transcript.Block{Type: "text", Raw: e, Text: text("content", "uri")}
	case "Image":
		if data := transcript.Field(v, "source"); transcript.Kind(data) == '"' && len(data) > len(`""`) {
			return transcript.Block{Type: "image", Raw: sources.Make("type", "image"),
				Source: transcript.Source{Kind: "base64", MediaType: "image/png", Data: data}}
		}
		return transcript.Block{Type: "text", Raw: e, Text: "(a picture that is not in the log)"}
	}
	return transcript.Block{Type: kind, Raw: e}
}

// used reads the tokens of all requests together, as of the last change of the thread.
func (t *translator) used(v, updated jsontext.Value) {
	if transcript.Kind(v) != '{' {
		return
	}
	if updated != nil {
		t.SetTime(updated)
	}
	var p sources.Object
	p.Read(v)
	t.UsedBySession(transcript.Usage{
		Input: sources.Number(p.Get("input_tokens")), Output: sources.Number(p.Get("output_tokens")),
		CacheRead:  sources.Number(p.Get("cache_read_input_tokens")),
		CacheWrite: sources.Number(p.Get("cache_creation_input_tokens")),
	}, tokens)
}
