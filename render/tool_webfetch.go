package render

import "viewer/internal/markup"

var _ = register(tools, "WebFetch", "webfetch", viewWebFetch)

type webFetch struct {
	row
	Href   string
	URL    string
	Prompt string
	Answer *passage
}

func viewWebFetch(c call) (webFetch, error) {
	var in struct {
		URL, Prompt text
		extra
	}
	if err := c.input(&in); err != nil {
		return webFetch{}, err
	}
	v := webFetch{row: row{Icon: "globe", Target: oneLine(domain(string(in.URL)), 160), More: c.d.fields(in.Rest)},
		URL: string(in.URL), Href: markup.Link(string(in.URL)), Prompt: string(in.Prompt)}
	if c.Result == nil || c.failed() {
		return v, nil
	}
	answer := c.text()
	var res struct {
		Bytes, Code, DurationMs number
		Result                  text
	}
	if c.result(&res) {
		if res.Result != "" {
			answer = string(res.Result)
		}
		if res.Code >= 400 {
			v.Facts = append(v.Facts, fact{Text: "status " + count(int(res.Code)), Look: "bad", Main: true})
		}
		if res.Bytes > 0 {
			v.Facts = append(v.Facts, fact{Text: size(int(res.Bytes))})
		}
		v.Took = lasting(float64(res.DurationMs))
	}
	v.Answer = c.d.passage(answer, c.Head().Anchor)
	return v, nil
}
