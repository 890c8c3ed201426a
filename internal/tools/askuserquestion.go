package tools

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/transcript"
	"viewer/internal/words"
)

var _ = register(Tool{
	Name: "AskUserQuestion", Icon: "question", Label: "Question", Action: Ask,
	Template: "askuserquestion", Detail: Questions{}, Describe: describeAskUserQuestion,
})

// Questions are the questions of a call to the user.
type Questions struct {
	Asked  []Question
	Answer string // if the log has it only as text
}

// A Question is a question with its options.
type Question struct {
	Header  string // a word or two
	Text    string
	Options []Option
	Other   string // an answer that was not among the options
}

// An Option is an answer that was offered.
type Option struct {
	Label, Description, Preview string
	Chosen                      bool
}

func describeAskUserQuestion(c *Call) error {
	var in struct {
		Questions []struct {
			Question, Header fields.Text
			Options          []struct{ Label, Description, Preview fields.Text }
		}
		Answers jsontext.Value
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Open, c.Rest = true, true, in.Rest
	var res struct{ Answers, Annotations jsontext.Value }
	if !c.result(&res) {
		res.Answers = in.Answers
	}
	if res.Answers == nil && c.answered() { // Gemini CLI writes {"answers":{"0":"Blue"}}, by the number of the question
		if text := jsontext.Value(strings.TrimSpace(c.text())); transcript.Kind(text) == '{' && text.IsValid() {
			res.Answers = transcript.Field(text, "answers")
		}
	}
	var all Questions
	answers := make(map[string][]string)
	for name, value := range transcript.Members(res.Answers) {
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(in.Questions) {
			name = string(in.Questions[i].Question)
		}
		answers[name] = answersIn(value)
	}
	told := toldAnswers(c.text())
	for i, q := range in.Questions {
		text, ok := told[string(q.Header)]
		if !ok {
			text, ok = told["Question "+strconv.Itoa(i+1)]
		}
		if ok && res.Answers == nil {
			answers[string(q.Question)] = []string{text}
		}
	}
	for _, q := range in.Questions {
		if c.Target == "" {
			c.Target = words.Line(string(q.Question), 160)
		}
		question := Question{Header: words.Line(string(q.Header), 60), Text: string(q.Question)}
		for _, o := range q.Options {
			question.Options = append(question.Options, Option{
				Label: string(o.Label), Description: string(o.Description), Preview: string(o.Preview),
			})
		}
		question.answer(answers[string(q.Question)])
		all.Asked = append(all.Asked, question)
		c.given(Section{Shape: Text, Drawn: true, Text: question.Text})
		c.given(Section{Shape: Items, Drawn: true, Items: question.items()})
	}
	if len(answers) == 0 && !c.failed() {
		all.Answer = c.text()
	}
	c.Detail = all
	if transcript.Kind(res.Annotations) == '{' { // remarks of the user on the questions
		c.read(Section{Shape: Members, JSON: res.Annotations})
	}
	return nil
}

// toldAnswers reads the answers in the text of a result of Qwen Code, by the headers of their questions, or by their
// numbers ("Question 1"): "User has provided the following answers:\n\n**Colour**: Blue".
func toldAnswers(text string) map[string]string {
	rest, ok := strings.CutPrefix(text, "User has provided the following answers:\n\n**")
	if !ok {
		return nil
	}
	all := make(map[string]string)
	for one := range strings.SplitSeq(rest, "\n**") {
		header, answer, ok := strings.Cut(one, "**: ")
		if _, twice := all[header]; !ok || twice {
			return nil // it is unknown which question was answered
		}
		all[header] = answer
	}
	return all
}

// items returns the options as a list in which the chosen ones are done.
func (q Question) items() []Item {
	var all []Item
	for _, o := range q.Options {
		item := Item{Text: strings.Join(words.NonEmpty(o.Label, o.Description), ": ")}
		if o.Chosen {
			item.State = ItemDone
		}
		all = append(all, item)
	}
	if q.Other != "" {
		all = append(all, Item{q.Other, ItemDone})
	}
	return all
}

// answersIn returns the answers to a question: a list, which may be JSON in a string, or one text that may name
// several.
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

// answer marks the options that the answers name; any other text is Other.
func (q *Question) answer(answers []string) {
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

// chose reports whether an answer names an option: alone, or in a list of several.
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
