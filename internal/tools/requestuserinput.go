package tools

import (
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/transcript"
	"viewer/internal/words"
)

// The questions of Codex to the user. They are drawn like AskUserQuestion.
var _ = register(Tool{
	Name: "request_user_input", Icon: "question", Label: "Question", Action: Ask,
	Template: "askuserquestion", Detail: Questions{}, Describe: describeRequestUserInput,
})

func describeRequestUserInput(c *Call) error {
	var in struct {
		Questions []struct {
			Question, Header, ID fields.Text
			Options              []struct{ Label, Description fields.Text }
		}
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Open, c.Rest = true, true, in.Rest
	text := jsontext.Value(c.text())
	var answers jsontext.Value
	if transcript.Kind(text) == '{' && text.IsValid() {
		answers = transcript.Field(text, "answers")
	}
	var all Questions
	for _, q := range in.Questions {
		if c.Target == "" {
			c.Target = words.Line(string(q.Question), 160)
		}
		question := Question{Header: words.Line(string(q.Header), 60), Text: string(q.Question)}
		for _, o := range q.Options {
			question.Options = append(question.Options, Option{
				Label: string(o.Label), Description: string(o.Description),
			})
		}
		var given []string
		for e := range transcript.Elements(transcript.Field(transcript.Field(answers, string(q.ID)), "answers")) {
			given = append(given, transcript.TextOf(e))
		}
		question.answer(given)
		all.Asked = append(all.Asked, question)
		c.given(Section{Shape: Text, Drawn: true, Text: question.Text})
		c.given(Section{Shape: Items, Drawn: true, Items: question.items()})
	}
	if answers == nil && !c.failed() {
		all.Answer = c.text()
	}
	c.Detail = all
	return nil
}
