package render

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

var _ = register(tools, "SendMessage", "sendmessage", viewSendMessage)

type sendMessage struct {
	row
	Text   *passage
	Code   *output
	Output *output
}

func viewSendMessage(c call) (sendMessage, error) {
	var in struct {
		Type, Recipient, To, Content, Summary text
		Message                               jsontext.Value
		extra
	}
	if err := c.input(&in); err != nil {
		return sendMessage{}, err
	}
	to := string(cmp.Or(in.To, in.Recipient)) // some versions write both
	if to == "" && in.Type == "broadcast" {
		to = "everybody"
	}
	v := sendMessage{row: row{Icon: "message", Label: "Message", Prose: true, Target: "to " + oneLine(to, 60), More: c.d.fields(in.Rest)}}
	if in.Summary != "" {
		v.Target += ": " + oneLine(string(in.Summary), 120)
	}
	if in.Type != "" && in.Type != "message" {
		v.Facts = facts(oneLine(string(in.Type), 40))
	}
	words := string(in.Content)
	switch said := transcript.TextOf(in.Message); {
	case transcript.Kind(in.Message) == '{', transcript.Kind(in.Message) == '[':
		v.Code = c.d.code(transcript.Pretty(in.Message), "json")
	case said == "":
	case previews(words, said):
		words = said
	default:
		v.More = append([]field{c.d.field("content", words)}, v.More...)
		words = said
	}
	v.Text = c.d.passage(words, c.Head().Anchor)
	var res struct{ Message text }
	switch {
	case c.failed():
	case c.result(&res) && res.Message != "":
		v.Output = c.d.plain(string(res.Message))
	default:
		v.Output = c.d.anyText(c.text())
	}
	return v, nil
}

// previews says whether a text is the beginning of another, cut and in one line.
func previews(preview, whole string) bool {
	preview = strings.TrimSpace(preview)
	preview = strings.TrimSuffix(strings.TrimSuffix(preview, "…"), "...")
	collapse := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	return strings.HasPrefix(collapse(whole), collapse(preview))
}
