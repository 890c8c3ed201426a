package tools

import (
	"cmp"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/transcript"
	"viewer/internal/words"
)

// The questions of Codex to the user. They are drawn like AskUserQuestion. It does not wait for answers to the second
// kind: they are prompts.
var (
	_ = codexQuestion("request_user_input")
	_ = codexQuestion("request_user_input_async")
)

func codexQuestion(name string) struct{} {
	return register(Tool{
		Name: name, Icon: "question", Label: "Question", Action: Ask,
		Template: "askuserquestion", Detail: Questions{}, Describe: describeRequestUserInput,
	})
}

func describeRequestUserInput(c *Call) error {
	var in struct {
		Questions []struct {
			Question, Title, Header, ID fields.Text
			Options                     []jsontext.Value // a label, or {"label":"…","description":"…"}
		}
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Open, c.Rest = true, true, in.Rest
	text := jsontext.Value(c.text())
	var answers jsontext.Value
	asked := false // without waiting for answers
	if transcript.Kind(text) == '{' && text.IsValid() {
		answers = transcript.Field(text, "answers")
		asked = string(transcript.Field(text, "accepted")) == "true"
	}
	var all Questions
	for _, q := range in.Questions {
		question := Question{Header: words.Line(string(q.Header), 60), Text: string(cmp.Or(q.Question, q.Title))}
		if c.Target == "" {
			c.Target = words.Line(question.Text, 160)
		}
		for _, o := range q.Options {
			option := Option{Label: transcript.String(o)}
			if transcript.Kind(o) == '{' {
				option.Label = transcript.String(transcript.Field(o, "label"))
				option.Description = transcript.String(transcript.Field(o, "description"))
			}
			question.Options = append(question.Options, option)
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
	if answers == nil && !asked && !c.failed() {
		all.Answer = c.text()
	}
	c.Detail = all
	return nil
}
