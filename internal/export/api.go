package export

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/console"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// Request selects the request that API writes.
type Request struct {
	At       string          // a message of the conversation, see Find; "" for the request that would follow the log
	Tools    map[string]bool // the tools of the request, nil when unknown
	Personal bool            // include the account of the user who ran the session
}

// Errors of API. The first two are wrapped with the message that was asked for.
var (
	ErrNoMessage = errors.New("no such message")
	ErrTakenBack = errors.New("the message was taken back")
	errNothing   = errors.New("there is nothing to send")
	ErrNotSent   = errors.New("the log does not say what the model was sent")
	errNoSteps   = errors.New("nothing of the session is left to write")
)

// API returns the messages of a request in the format of the Messages API, with roles and content blocks, one message a
// line.
func API(c *normalize.Conversation, r Request) ([]byte, error) {
	if !c.AsSent() {
		return nil, fmt.Errorf("not offered for sessions of %s: %w", c.Writer, ErrNotSent)
	}
	o := normalize.APIOptions{Tools: r.Tools, Personal: r.Personal, Edited: true}
	if r.At != "" {
		at, err := findMessage(c, r.At)
		if err != nil {
			return nil, err
		}
		o.At = at
	}
	api := normalize.ForAPI(c, o)
	if len(api.Messages) == 0 {
		return nil, errNothing
	}
	out := []byte(`{"messages":[`)
	for i, m := range api.Messages {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, "\n{\"role\":\""+m.Role+`","content":[`...)
		for j, b := range m.Blocks {
			if j > 0 {
				out = append(out, ',')
			}
			out = appendBlock(out, b.Block)
		}
		out = append(out, "]}"...)
	}
	return console.JSON(append(out, "\n]}\n"...)), nil
}

// findMessage returns the message with a name: its anchor on the page, with or without '#', the uuid of its record, or
// the id of its API message.
func findMessage(c *normalize.Conversation, name string) (*normalize.Message, error) {
	name = strings.TrimPrefix(name, "#")
	for _, m := range c.Order {
		r := m.Record
		if name != m.Anchor && name != m.ID && name != r.UUID && (r.Message == nil || name != r.Message.ID) {
			continue
		}
		if !slices.Contains(c.Messages, m) {
			return nil, fmt.Errorf("%s: %w", name, ErrTakenBack)
		}
		return m, nil
	}
	return nil, fmt.Errorf("%s: %w", name, ErrNoMessage)
}

// fields are the members of blocks that the API accepts, besides their type. Others are left out: cache_control,
// caller, citations.
var fields = map[string][]string{
	"thinking":               {"thinking", "signature"},
	"redacted_thinking":      {"data"},
	"search_result":          {"source", "title", "content"},
	"web_search_tool_result": {"tool_use_id", "content"},
}

func appendBlock(out []byte, b *transcript.Block) []byte {
	out = append(out, `{"type":"`+b.Type+`"`...)
	switch b.Type {
	case "text":
		out = member(out, "text", quote(b.Text))
	case "image", "document":
		out = member(out, "source", source(b))
	case "tool_use", "server_tool_use":
		out = member(out, "id", quote(b.ID))
		out = member(out, "name", quote(b.Name))
		out = member(out, "input", b.Input)
	case "tool_reference":
		out = member(out, "tool_name", quote(b.Name))
	case "tool_result":
		out = member(out, "tool_use_id", quote(b.ToolUseID))
		if b.Content != nil {
			out = member(out, "content", resultContent(b))
		}
		if b.IsError {
			out = member(out, "is_error", jsontext.Value("true"))
		}
	default:
		for _, name := range fields[b.Type] {
			if v := transcript.Field(b.Raw, name); v != nil {
				out = member(out, name, v)
			}
		}
	}
	return append(out, '}')
}

// resultContent returns the content of a result, as a string if the log has one.
func resultContent(b *transcript.Block) jsontext.Value {
	if b.Plain && len(b.Content) == 1 {
		return quote(b.Content[0].Text)
	}
	content := []byte{'['}
	for i := range b.Content {
		if i > 0 {
			content = append(content, ',')
		}
		content = appendBlock(content, &b.Content[i])
	}
	return append(content, ']')
}

// source returns the source of an image or a document, with the members for its kind.
func source(b *transcript.Block) jsontext.Value {
	raw := transcript.Field(b.Raw, "source")
	out := []byte{'{'}
	for _, name := range []string{"type", "media_type", "data", "url", "file_id"} {
		v := transcript.Field(raw, name)
		if transcript.Kind(v) != '"' {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, quote(name)...), ':'), v...)
	}
	return append(out, '}')
}

func member(out []byte, name string, v jsontext.Value) []byte {
	out = append(append(append(out, ','), quote(name)...), ':')
	return append(out, v...)
}

func quote(s string) jsontext.Value {
	v, _ := jsontext.AppendQuote(nil, s) // an error only says that something was replaced by U+FFFD
	return v
}
