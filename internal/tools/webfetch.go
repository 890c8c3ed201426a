package tools

import (
	"viewer/internal/fields"
	"viewer/internal/markup"
	"viewer/internal/words"
)

var _ = register(Tool{
	Name: "WebFetch", Icon: "globe", Action: Fetch,
	Template: "webfetch", Detail: WebFetch{}, Describe: describeWebFetch,
})

// WebFetch is the page that was fetched, and the question to it.
type WebFetch struct {
	URL      string // as the log has it
	Href     string // link to it, "" if that is not safe
	Question string
}

func describeWebFetch(c *Call) error {
	var in struct {
		URL, Prompt fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Address, c.Rest = string(in.URL), in.Rest
	c.Target = words.Line(words.Domain(string(in.URL)), 160)
	c.Detail = WebFetch{string(in.URL), markup.Link(string(in.URL)), string(in.Prompt)}
	c.given(Section{Shape: Fields, Drawn: true, List: []Field{{Name: "question", Value: string(in.Prompt)}}})
	if !c.answered() {
		return nil
	}
	answer := c.text()
	var res struct {
		Bytes, Code, DurationMs fields.Number
		Result                  fields.Text
	}
	if c.result(&res) {
		if res.Result != "" {
			answer = string(res.Result)
		}
		if res.Code >= 400 {
			c.mark("status "+words.Count(int(res.Code)), Bad)
		}
		if res.Bytes > 0 {
			c.fact(words.Size(int(res.Bytes)))
		}
		c.lasted(float64(res.DurationMs))
	}
	c.read(Section{Shape: Prose, Text: answer})
	return nil
}
