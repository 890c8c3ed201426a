package render

import (
	"html/template"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/markup"
	"viewer/transcript"
)

var _ = register(tools, "SendMessage", "sendmessage", viewSendMessage)

type sendMessage struct {
	row
	Text   template.HTML
	Code   *output
	Output *output
}

func viewSendMessage(c call) (sendMessage, error) {
	var in struct {
		Type, Recipient, To, Content, Summary, RequestID text
		Message                                          jsontext.Value
		Approve                                          truth
		extra
	}
	if err := c.input(&in); err != nil {
		return sendMessage{}, err
	}
	to := string(in.To + in.Recipient)
	if to == "" && in.Type == "broadcast" {
		to = "everybody"
	}
	v := sendMessage{row: row{Icon: "message", Label: "Message", Prose: true, Target: "to " + oneLine(to, 60), More: fields(in.Rest)}}
	if in.Summary != "" {
		v.Target += ": " + oneLine(string(in.Summary), 120)
	}
	if in.Type != "" && in.Type != "message" {
		v.Facts = facts(oneLine(string(in.Type), 40))
	}
	if transcript.Kind(in.Message) == '{' {
		v.Code = c.d.code(pretty(in.Message), "json")
	}
	v.Text = markup.Markdown(string(in.Content)+transcript.String(in.Message), c.Head().Anchor)
	return v, nil
}
