package tools

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/transcript"
	"viewer/internal/words"
)

var _ = register(Tool{
	Name: "SendMessage", Icon: "message", Label: "Message", Action: Delegate, Describe: describeSendMessage,
})

func describeSendMessage(c *Call) error {
	var in struct {
		Type, Recipient, To, Content, Summary fields.Text
		Message                               jsontext.Value
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	to := string(cmp.Or(in.To, in.Recipient)) // some versions write both
	if to == "" && in.Type == "broadcast" {
		to = "everybody"
	}
	c.Prose, c.Target, c.Rest = true, "to "+words.Line(to, 60), in.Rest
	if in.Summary != "" {
		c.Target += ": " + words.Line(string(in.Summary), 120)
	}
	if in.Type != "" && in.Type != "message" {
		c.fact(words.Line(string(in.Type), 40))
	}
	text, code := string(in.Content), ""
	switch said := transcript.TextOf(in.Message); {
	case transcript.Kind(in.Message) == '{', transcript.Kind(in.Message) == '[':
		code = transcript.Pretty(in.Message)
	case said == "":
	case previews(text, said):
		text = said
	default:
		c.Cut = append(c.Cut, Field{Name: "content", Value: text})
		text = said
	}
	c.given(Section{Shape: Prose, Text: text})
	c.given(Section{Shape: Code, Text: code, Lang: "json"})
	var res struct{ Message fields.Text }
	switch {
	case c.failed():
	case c.result(&res) && res.Message != "":
		c.read(Section{Text: string(res.Message)})
	default:
		c.anyOutput()
	}
	return nil
}

// previews reports whether a text is the beginning of another, shortened to one line.
func previews(preview, whole string) bool {
	preview = strings.TrimSpace(preview)
	preview = strings.TrimSuffix(strings.TrimSuffix(preview, "…"), "...")
	collapse := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	return strings.HasPrefix(collapse(whole), collapse(preview))
}
