package tools

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/transcript"
	"viewer/internal/words"
)

var _ = register(Tool{Name: "WebSearch", Icon: "globe", Action: Fetch, Describe: describeWebSearch})

func describeWebSearch(c *Call) error {
	var in struct {
		Query fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Rest = true, in.Rest
	c.target("query", string(in.Query), 160)
	if !c.answered() {
		return nil
	}
	var res struct {
		Results         jsontext.Value
		DurationSeconds fields.Number
	}
	if !c.result(&res) {
		c.read(Section{Text: c.text()})
		return nil
	}
	// Results are a mixed list: objects with hits, and texts of the model.
	var prose []string
	var links []Link
	for e := range transcript.Elements(res.Results) {
		if s := transcript.String(e); s != "" {
			prose = append(prose, s)
			continue
		}
		for h := range transcript.Elements(transcript.Field(e, "content")) {
			links = append(links, Link{
				transcript.String(transcript.Field(h, "title")), transcript.String(transcript.Field(h, "url")),
			})
		}
	}
	answer := strings.Join(prose, "\n\n")
	c.read(Section{Shape: Links, Links: links})
	c.read(Section{Shape: Prose, Text: answer})
	if len(links) == 0 && strings.TrimSpace(answer) == "" {
		c.read(Section{Text: c.text()})
	}
	c.fact(words.Plural(len(links), "result", "results"))
	c.lasted(float64(res.DurationSeconds) * 1000)
	return nil
}
