package export

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/console"
	"viewer/internal/stats"
	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// schemaVersion is the version of docs/schema/conversation.json, which describes the output of JSON. It is increased
// when a member is changed or removed, not when one is added.
const schemaVersion = 2

// JSON returns a session for programs: turns with their messages, calls and agents in reading order, as described in
// docs/schema/conversation.json. It has all levels. Of the options, NoThinking, Turns, From and To count.
//
// Images and documents are described by type, size and sha256. Copies of whole files in structured results are left
// out.
func JSON(s Session, o Options) ([]byte, error) {
	o.Level = Everything
	turns, err := choose(s.Conversation, o)
	if err != nil {
		return nil, err
	}
	c := s.Conversation
	w := jsonWriter{o: o, context: callContext(s)}
	d := document{
		Schema: "viewer/conversation", Version: schemaVersion,
		ID: c.ID, Title: s.Title(), Agent: c.Writer.ID(), Project: s.Project, CWD: c.Facts.CWD,
		Branches: list(c.Facts.Branches), Models: list(stats.ModelNames(c, s.Totals)), Versions: list(c.Facts.Versions),
		Team: c.Facts.TeamName, PullRequests: list(c.Facts.PullRequests), Start: Stamp(c.Facts.Start),
		End:    Stamp(c.Facts.End),
		Totals: totalsOf(s), Turns: []jsonTurn{}, Agents: []jsonAgent{}, Hidden: make(map[string]int),
		Problems: Problems(c.Problems),
	}
	for _, t := range turns {
		d.Turns = append(d.Turns, w.turn(t))
	}
	if o.whole() {
		for _, a := range c.Agents {
			d.Agents = append(d.Agents, w.agent(a))
		}
	}
	for inner := range c.All() {
		for _, m := range inner.Messages {
			if m.Rule != "" {
				d.Hidden[m.Rule]++
			}
		}
	}
	return encode(d)
}

// encode returns indented JSON without the escapes that only HTML needs. The input of a tool may be nested to any
// depth. Only as many levels are indented as the schemas and known tools have.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("writing JSON: %w", err)
	}
	return append(console.JSON([]byte(transcript.Indent(b.Bytes(), " ", 64))), '\n'), nil
}

type document struct {
	Schema       string         `json:"schema"`
	Version      int            `json:"version"`
	ID           string         `json:"id"`
	Title        string         `json:"title"`
	Agent        string         `json:"agent"`
	Project      string         `json:"project,omitempty"`
	CWD          string         `json:"cwd,omitempty"`
	Branches     []string       `json:"branches"`
	Models       []string       `json:"models"`
	Versions     []string       `json:"versions"`
	Team         string         `json:"team,omitempty"`
	PullRequests []string       `json:"pullRequests"`
	Start        string         `json:"start,omitempty"`
	End          string         `json:"end,omitempty"`
	Totals       jsonTotals     `json:"totals"`
	Turns        []jsonTurn     `json:"turns"`
	Agents       []jsonAgent    `json:"agents"` // for which no call was found
	Hidden       map[string]int `json:"hidden"` // messages that are not written, by rule
	Problems     []Problem      `json:"problems"`
}

type jsonTotals struct {
	Prompts     int    `json:"prompts"`
	Calls       int    `json:"calls"`
	Failed      int    `json:"failed"`
	Agents      int    `json:"agents"`
	Compactions int    `json:"compactions"`
	Requests    int    `json:"requests"`
	Tokens      Tokens `json:"tokens"`
	Spent
	Seconds float64 `json:"seconds"`
}

func totalsOf(s Session) jsonTotals {
	t := s.Totals
	return jsonTotals{
		t.Prompts, t.Tools, t.Failed, t.Agents, t.Compacted, t.Requests, TokensOf(t.Usage), SpentOn(t),
		t.Time.Seconds(),
	}
}

type jsonTurn struct {
	Number int        `json:"number"` // of its prompt, from 1; 0 for a turn without a prompt
	Start  string     `json:"start,omitempty"`
	End    string     `json:"end,omitempty"`
	Tokens Tokens     `json:"tokens"`
	Prompt []jsonItem `json:"prompt"`
	Items  []jsonItem `json:"items"`
}

// A jsonItem is a message, a call or a branch, as Type says.
type jsonItem struct {
	Type string `json:"type"`

	// Members of a message.
	Kind     string        `json:"kind,omitempty"`
	Name     string        `json:"name,omitempty"`
	ID       string        `json:"id,omitempty"` // of the record; of calls, of the call
	Anchor   string        `json:"anchor,omitempty"`
	Time     string        `json:"time,omitempty"`
	File     string        `json:"file,omitempty"`
	Line     int           `json:"line,omitempty"`
	Model    string        `json:"model,omitempty"`
	Text     string        `json:"text,omitempty"`
	Queued   bool          `json:"queued,omitempty"`
	Shown    string        `json:"shown,omitempty"`  // where a message was shown that is not part of the chat
	Ending   string        `json:"ending,omitempty"` // why an answer did not end by itself
	Hook     string        `json:"hook,omitempty"`   // the event
	Contexts []jsonContext `json:"contexts,omitempty"`
	Media    *jsonMedia    `json:"media,omitempty"`
	Data     *raw          `json:"data,omitempty"` // the record, if no text has it

	EncryptedBytes int64 `json:"encryptedBytes,omitempty"` // of a text that only the model can read

	// Members of a call.
	Tool     string      `json:"tool,omitempty"`
	State    string      `json:"state,omitempty"`
	Exit     string      `json:"exit,omitempty"` // of a command that failed, also after its call was done
	Input    *raw        `json:"input,omitempty"`
	Captions []string    `json:"captions,omitempty"`
	Before   []jsonItem  `json:"before,omitempty"` // hooks
	Result   *jsonResult `json:"result,omitempty"`
	After    []jsonItem  `json:"after,omitempty"`
	Inside   []jsonItem  `json:"inside,omitempty"` // what the call injected
	Agents   []jsonAgent `json:"agents,omitempty"`

	// Members of a branch: an attempt that was taken back.
	Turns []jsonTurn `json:"turns,omitempty"`
}

type jsonContext struct {
	Kind   string `json:"kind"`
	Name   string `json:"name,omitempty"` // of another kind: its name in the log
	Label  string `json:"label"`
	Detail string `json:"detail,omitempty"`
}

type jsonMedia struct {
	Kind   string `json:"kind"` // image, document
	Type   string `json:"type,omitempty"`
	URL    string `json:"url,omitempty"`
	Bytes  int    `json:"bytes"`
	SHA256 string `json:"sha256,omitempty"`
}

type jsonResult struct {
	Time    string        `json:"time,omitempty"`
	Error   bool          `json:"error"`
	Content []jsonContent `json:"content"`
	Data    *raw          `json:"data,omitempty"` // structured result
}

type jsonContent struct {
	Type  string     `json:"type"`
	Text  string     `json:"text,omitempty"`
	Media *jsonMedia `json:"media,omitempty"`
	Data  *raw       `json:"data,omitempty"`
}

type jsonAgent struct {
	ID          string     `json:"id"`
	Type        string     `json:"type,omitempty"`
	Description string     `json:"description,omitempty"`
	Run         string     `json:"run,omitempty"` // of a workflow
	Turns       []jsonTurn `json:"turns"`
}

// raw is JSON from the log.
type raw []byte

func (r raw) MarshalJSON() ([]byte, error) { return r, nil }

func rawJSON(v jsontext.Value) *raw {
	if transcript.Kind(v) == 0 || transcript.Kind(v) == 'n' {
		return nil
	}
	slim := raw(slimmed(v))
	return &slim
}

type jsonWriter struct {
	o       Options
	context tools.Context
}

func (w jsonWriter) turn(t turn) jsonTurn {
	start, end := t.Span()
	j := jsonTurn{
		Number: t.number, Start: Stamp(start), End: Stamp(end), Tokens: TokensOf(t.Usage()), Prompt: []jsonItem{},
		Items: []jsonItem{},
	}
	for _, m := range t.prompt {
		j.Prompt = append(j.Prompt, message(m))
	}
	for _, item := range t.items {
		switch it := item.(type) {
		case *normalize.Group:
			j.Items = append(j.Items, w.call(it))
		case *normalize.Branch:
			j.Items = append(j.Items, jsonItem{
				Type: "branch", Anchor: it.Head().Anchor, Turns: w.turns(it.Conversation),
			})
		case *normalize.Message:
			j.Items = append(j.Items, message(it))
		}
	}
	return j
}

func (w jsonWriter) turns(c *normalize.Conversation) []jsonTurn {
	all := []jsonTurn{}
	number := 0
	for _, t := range c.Turns {
		chosen := w.o.turn(t, everywhere)
		if t.Asked() {
			number++
			chosen.number = number
		}
		all = append(all, w.turn(chosen))
	}
	return all
}

func (w jsonWriter) agent(a *normalize.Agent) jsonAgent {
	return jsonAgent{a.ID, a.Type, a.Description, a.Run, w.turns(a.Conversation)}
}

func message(m *normalize.Message) jsonItem {
	r := m.Record
	j := jsonItem{
		Type: "message", Kind: m.Kind.String(), Name: m.Name, ID: m.ID, Anchor: m.Anchor, Time: Stamp(m.Time()),
		File: r.Pos.File, Line: r.Pos.Line,
		Text: messageText(m), Queued: m.Queued, Shown: m.Shown(), Ending: m.Ending.String(), Hook: m.HookEvent,
	}
	if r.Message != nil {
		j.Model = r.Message.Model
	}
	for _, c := range m.Contexts {
		j.Contexts = append(j.Contexts, jsonContext{c.Kind.String(), c.Name, c.Label, c.Detail})
	}
	switch {
	case m.Block != nil && m.Block.OnlyEncrypted():
		j.EncryptedBytes = m.Block.Encrypted
	case m.Block != nil && (m.Block.Type == "image" || m.Block.Type == "document"):
		j.Media = mediaOf(m.Block)
	case m.Kind == normalize.Hook, m.Kind == normalize.System, m.Kind == normalize.Attachment,
		m.Kind == normalize.Unknown, m.Kind == normalize.Block, m.Kind == normalize.Progress:
		j.Data = rawJSON(rawOf(m))
	}
	return j
}

func messages(all []*normalize.Message) []jsonItem {
	var items []jsonItem
	for _, m := range all {
		items = append(items, message(m))
	}
	return items
}

func (w jsonWriter) call(g *normalize.Group) jsonItem {
	m := g.Head()
	j := jsonItem{
		Type: "call", Tool: m.Name, ID: m.Block.ID, Anchor: m.Anchor, Time: Stamp(m.Time()), File: m.Record.Pos.File,
		Line:  m.Record.Pos.Line,
		State: g.State.String(), Exit: tools.Describe(g, w.context).Exit, Ending: m.Ending.String(),
		Before: messages(g.Pre), After: messages(g.Post), Inside: messages(g.Inside),
	}
	if g.Call != nil {
		j.Input = rawJSON(g.Call.Block.Input)
		if r := g.Call.Record; r.Message != nil {
			j.Model = r.Message.Model
		}
	} else {
		j.ID = m.Block.ToolUseID
	}
	if r := g.Result; r != nil {
		j.Result = &jsonResult{
			Time: Stamp(r.Time()), Error: r.Block.IsError, Content: []jsonContent{}, Data: rawJSON(r.Structured()),
		}
		for i := range r.Block.Content {
			j.Result.Content = append(j.Result.Content, content(&r.Block.Content[i]))
		}
	}
	for _, c := range g.Captions {
		j.Captions = append(j.Captions, c.Text)
	}
	for _, a := range g.Agents {
		j.Agents = append(j.Agents, w.agent(a))
	}
	return j
}

func content(b *transcript.Block) jsonContent {
	switch b.Type {
	case "text":
		return jsonContent{Type: "text", Text: b.Text}
	case "image", "document":
		return jsonContent{Type: b.Type, Media: mediaOf(b)}
	}
	return jsonContent{Type: b.Type, Data: rawJSON(b.Raw)}
}

func mediaOf(b *transcript.Block) *jsonMedia {
	m := &jsonMedia{Kind: b.Type, Type: b.Source.MediaType, URL: b.Source.URL}
	text := transcript.String(b.Source.Data)
	data, err := base64.StdEncoding.DecodeString(text)
	if b.Source.Kind == "text" || err != nil {
		data = []byte(text)
	}
	if m.Bytes = len(data); m.Bytes > 0 {
		sum := sha256.Sum256(data)
		m.SHA256 = hex.EncodeToString(sum[:])
	}
	return m
}

func list(s []string) []string { return append([]string{}, s...) }
