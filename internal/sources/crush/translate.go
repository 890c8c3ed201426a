package crush

import (
	"encoding/base64"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// The rules that hide records, in addition to those shared by all writers.
const (
	costs = "costs"
	empty = "empty messages"
)

// A translator turns the lines of one session into records.
type translator struct {
	sources.Builder
	calls  map[string]string // the tools of calls, by their ids
	agents map[string]string // the agents that calls started, by the ids of the calls
}

// Translate turns the description of a session, a message or the cost of a session into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	var o sources.Object
	o.Read(v)
	switch {
	case o.Get(rowHead) != nil:
		t.head(&o)
	case o.Get("role") != nil:
		t.message(&o)
	case o.Get("cost") != nil:
		t.Time = time.Time{}
		r := t.UsedBySession(transcript.Usage{}, costs)
		sources.Rare(r).CostUSD = sources.Dollars(o.Get("cost"))
	}
	return t.Done("message")
}

// head translates the description of a session.
func (t *translator) head(o *sources.Object) {
	id, parent, text := o.Text(rowHead), o.Text("parent_session_id"), "Session started"
	t.SessionID, t.CWD, t.AgentID, t.calls = id, o.Text("cwd"), "", nil
	if parent != "" && parent != id {
		t.SessionID, t.AgentID, text = parent, id, "Agent started"
	}
	t.agents = make(map[string]string)
	for e := range transcript.Elements(o.Get("agents")) {
		agent := transcript.String(e)
		call := agent
		if _, after, ok := strings.Cut(agent, "$$"); ok { // after the id of the message
			call = after
		}
		t.agents[call] = agent
	}
	t.setTime(o.Get("created_at"))
	t.Value = sources.Make("session", id, "title", o.Text("title"))
	t.Remark("", text, "folder", t.CWD)
	if title := o.Text("title"); title != "" && title != "New Session" && t.AgentID == "" {
		t.Add(sources.TitleRecord(title, true))
	}
}

func (t *translator) setTime(v jsontext.Value) {
	if at := timeOf(sources.Number(v)); !at.IsZero() {
		t.Time = at
		return
	}
	t.SetTime(v)
}

// message translates a message.
func (t *translator) message(o *sources.Object) {
	t.setTime(o.Get("created_at"))
	if model := o.Text("model"); model != "" {
		t.Model = model
	}
	parts, role := o.Get("parts"), o.Text("role")
	if transcript.Kind(parts) != '[' || role != "user" && role != "assistant" && role != "tool" && role != "system" {
		if o.Get("damaged") != nil {
			t.Problem("message " + o.Text("id") + ": its parts are not JSON")
		}
		t.Add(transcript.Record{Type: "message"})
		return
	}
	m := said{role: role, summary: o.Get("summary") != nil}
	before := t.Added()
	for v := range t.Parts(parts) {
		t.part(&m, v)
	}
	t.say(&m)
	if t.Added() == before {
		t.Hide("message", empty)
	}
}

// said is what the parts of a message so far said.
type said struct {
	role     string
	summary  bool
	hidden   bool // the program wrote the text
	blocks   []transcript.Block
	contexts []jsontext.Value // files
}

// continued begins the prompt that the program writes after it has made a summary in the middle of a turn.
const continued = "The previous session was interrupted because it got too long, "

// say adds a record of what the parts so far said.
func (t *translator) say(m *said) {
	blocks := m.blocks
	m.blocks = nil
	switch {
	case len(blocks) == 0 && m.contexts == nil:
	case m.summary:
		t.System("compact_boundary", "")
		t.User(transcript.SummaryText, blocks...).IsCompactSummary = true
	case m.role == "assistant":
		t.Answer(blocks...)
	case m.role == "system":
		t.Snapshot(sources.JoinTexts(blocks), nil)
	default:
		is := transcript.PromptText
		if m.hidden || m.role == "tool" || strings.HasPrefix(sources.JoinTexts(blocks), continued) {
			is = transcript.InjectedText
		}
		r := t.User(is, blocks...)
		if m.contexts != nil {
			sources.Rare(r).Contexts = sources.MakeList(m.contexts...)
			m.contexts = nil
		}
	}
}

// part translates a part of a message.
func (t *translator) part(m *said, v jsontext.Value) {
	var part, o sources.Object
	part.ReadWith(v, "data", &o)
	b := transcript.Block{Type: "text", Raw: v}
	switch kind := part.Text("type"); kind {
	case "text":
		if b.Text = o.Text("text"); strings.TrimSpace(b.Text) == "" {
			return
		}
		m.hidden = m.hidden || string(o.Get("hidden")) == "true"
	case "reasoning":
		b.Type, b.Text = "thinking", o.Text("thinking")
		sealed := transcript.Field(o.Get("responses_data"), "encrypted_content")
		if strings.TrimSpace(b.Text) == "" && transcript.Kind(sealed) == '"' {
			b.Encrypted = sources.SizeOf(sealed)
		} else if strings.TrimSpace(b.Text) == "" {
			return
		}
	case "image_url":
		m.blocks = append(m.blocks, t.ChatBlocks(sources.Make("type", "image_url", "url", o.Text("url")))...)
		return
	case "binary":
		media, data := o.Text("MIMEType"), o.Get("Data")
		if strings.HasPrefix(media, "image/") {
			b = picture(media, data)
			break
		}
		text, _ := base64.StdEncoding.DecodeString(transcript.String(data))
		m.contexts = append(m.contexts, sources.Make("label", o.Text("Path"), "content", string(text)))
		return
	case "tool_call":
		b = t.Call(o.Text("id"), o.Text("name"), sources.Arguments(o.Get("input")))
		if t.calls == nil {
			t.calls = make(map[string]string)
		}
		t.calls[b.ID] = b.Name
	case "tool_result":
		t.say(m)
		t.result(&o)
		return
	case "shell_command":
		t.say(m)
		t.User(transcript.ShellText, t.Text(o.Text("command")))
		output := o.Text("output")
		if code := string(o.Get("exit_code")); code != "" && code != "0" {
			output = sources.WithExitCode(code, output)
		}
		if output != "" {
			t.User(transcript.OutputText, t.Text(output))
		}
		return
	case "finish":
		t.finish(m, &o)
		return
	default:
		b.Type = kind
	}
	m.blocks = append(m.blocks, b)
}

func picture(media string, data jsontext.Value) transcript.Block {
	source := transcript.Source{Kind: "base64", MediaType: media, Data: data}
	return transcript.Block{Type: "image", Raw: sources.Make("type", "image"), Source: source}
}

// finish translates how an answer ended, unless it ended as it should.
func (t *translator) finish(m *said, o *sources.Object) {
	var words []string
	for _, name := range []string{"message", "details"} {
		if s := o.Text(name); s != "" {
			words = append(words, s)
		}
	}
	text := strings.Join(words, ": ")
	switch reason := o.Text("reason"); reason {
	case "error", "content_filter":
		t.say(m)
		if text == "" {
			text = reason
		}
		t.Fail(text)
	case "canceled":
		t.say(m)
		if text == "" {
			text = "Canceled"
		}
		t.User(transcript.InterruptionText, t.Text(text))
	case "max_tokens":
		t.say(m)
		t.Remark("warning", "The answer was cut off", "reason", reason)
	}
}
