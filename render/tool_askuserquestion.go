package render

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

var _ = register(tools, "AskUserQuestion", "askuserquestion", viewAskUserQuestion)

type askUserQuestion struct {
	row
	Questions []question
	Answer    *output // when the log has it only as text
}

type question struct {
	Header  string // a word or two
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
	answers := make(map[string][]string)
	for name, value := range transcript.Members(res.Answers) {
		answers[name] = answersIn(value)
	}
	for _, q := range in.Questions {
		if v.Target == "" {
			v.Target = oneLine(string(q.Question), 160)
		}
		view := question{Header: oneLine(string(q.Header), 60), Text: string(q.Question)}
		for _, o := range q.Options {
			view.Options = append(view.Options, option{Label: string(o.Label), Description: string(o.Description), Preview: c.d.plain(string(o.Preview))})
		}
		view.answer(answers[string(q.Question)])
		v.Questions = append(v.Questions, view)
	}
	if len(answers) == 0 && !c.failed() {
		v.Answer = c.d.plain(c.text())
	}
	return v, nil
}

// answersIn are the answers to a question: a list, also one that is written as JSON
// in a string, or one text that may name several.
func answersIn(value jsontext.Value) []string {
	text := transcript.TextOf(value)
	list := jsontext.Value(strings.TrimSpace(text))
	if transcript.Kind(list) != '[' || !list.IsValid() {
		return []string{text}
	}
	var all []string
	for e := range transcript.Elements(list) {
		all = append(all, transcript.TextOf(e))
	}
	return all
}

// answer marks the options that the answers name; what they name no option by is the other answer.
func (q *question) answer(answers []string) {
	var others []string
	for _, answer := range answers {
		for i := range q.Options {
			o := &q.Options[i]
			if o.Label == answer || len(answers) == 1 && chose(answer, o.Label) {
				o.Chosen = true
				answer = strings.Trim(strings.Replace(answer, o.Label, "", 1), ", ")
			}
		}
		if answer != "" {
			others = append(others, answer)
		}
	}
	q.Other = strings.Join(others, ", ")
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
