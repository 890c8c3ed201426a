package render

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/transcript"
)

var _ = register(tools, "AskUserQuestion", "askuserquestion", viewAskUserQuestion)

type askUserQuestion struct {
	row
	Questions []question
	Answer    *output // when the log has it only as text
}

type question struct {
	Text    string
	Options []option
	Other   string // an answer that was not among the options
}

type option struct {
	Label, Description string
	Chosen             bool
	Preview            *output
}

func viewAskUserQuestion(c call) (askUserQuestion, error) {
	var in struct {
		Questions []struct {
			Question, Header text
			Options          []struct{ Label, Description, Preview text }
		}
		Answers jsontext.Value
		extra
	}
	if err := c.input(&in); err != nil {
		return askUserQuestion{}, err
	}
	v := askUserQuestion{row: row{Icon: "question", Label: "Question", Prose: true, More: c.d.fields(in.Rest), Shows: shows{Open: true}}}
	var res struct{ Answers, Annotations jsontext.Value }
	if !c.result(&res) {
		res.Answers = in.Answers
	}
	v.More = append(v.More, c.d.fields(res.Annotations)...)
	answers := make(map[string]string)
	for name, value := range transcript.Members(res.Answers) {
		answers[name] = transcript.TextOf(value)
	}
	for _, q := range in.Questions {
		if v.Target == "" {
			v.Target = oneLine(string(q.Question), 160)
		}
		answer, answered := answers[string(q.Question)]
		view := question{Text: string(q.Question), Other: answer}
		for _, o := range q.Options {
			chosen := answered && chose(answer, string(o.Label))
			if chosen {
				view.Other = strings.Trim(strings.Replace(view.Other, string(o.Label), "", 1), ", ")
			}
			view.Options = append(view.Options, option{string(o.Label), string(o.Description), chosen, c.d.plain(string(o.Preview))})
		}
		v.Questions = append(v.Questions, view)
	}
	if len(answers) == 0 && !c.failed() {
		v.Answer = c.d.plain(c.text())
	}
	return v, nil
}

// chose says whether an answer names an option: alone, or in a list of several.
func chose(answer, label string) bool {
	if answer == label {
		return true
	}
	for part := range strings.SplitSeq(answer, ", ") {
		if part == label {
			return true
		}
	}
	return false
}
