package render

import "viewer/internal/tools"

var _ = register(toolTemplates, "askuserquestion", "askuserquestion", viewAskUserQuestion)

type askUserQuestion struct {
	Questions []question
	Answer    *output // if the log has it only as text
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
	var v askUserQuestion
	all, err := detail[tools.Questions](c)
	if err != nil {
		return askUserQuestion{}, err
	}
	for _, q := range all.Asked {
		view := question{Header: q.Header, Text: q.Text, Other: q.Other}
		for _, o := range q.Options {
			view.Options = append(view.Options, option{o.Label, o.Description, o.Chosen, c.d.plain(o.Preview)})
		}
		v.Questions = append(v.Questions, view)
	}
	v.Answer = c.d.plain(all.Answer)
	return v, nil
}
