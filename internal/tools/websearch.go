package tools

import (
	"slices"
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
	var links []Link
	var answer string
	if c.result(&res) {
		links, answer = webResults(res.Results)
	} else if links, answer = webText(c.text(), string(in.Query)); len(links) == 0 {
		c.read(Section{Text: c.text()})
		return nil
	}
	c.read(Section{Shape: Links, Links: links})
	c.read(Section{Shape: Prose, Text: answer})
	if len(links) == 0 && strings.TrimSpace(answer) == "" {
		c.read(Section{Text: c.text()})
	}
	c.fact(words.Plural(len(links), "result", "results"))
	c.lasted(float64(res.DurationSeconds) * 1000)
	return nil
}

// webResults reads a mixed list: objects with hits, and texts of the model.
func webResults(list jsontext.Value) (links []Link, answer string) {
	var prose []string
	for e := range transcript.Elements(list) {
		if s := transcript.String(e); s != "" {
			prose = append(prose, s)
			continue
		}
		links = append(links, webLinks(transcript.Field(e, "content"))...)
	}
	return links, strings.Join(prose, "\n\n")
}

// webText reads the same as the model gets it, which is all that logs of agents and streams have.
func webText(text, query string) (links []Link, answer string) {
	text = strings.TrimPrefix(text, `Web search results for query: "`+query+`"`)
	var prose []string
	for line := range strings.SplitSeq(text, "\n") {
		if list, ok := strings.CutPrefix(line, "Links: "); ok && jsontext.Value(list).IsValid() {
			hits := webLinks(jsontext.Value(list))
			if len(hits) > 0 && !slices.ContainsFunc(hits, func(l Link) bool { return l.URL == "" }) {
				links = append(links, hits...)
				continue
			}
		}
		prose = append(prose, line)
	}
	return links, strings.TrimSpace(strings.Join(prose, "\n"))
}

func webLinks(hits jsontext.Value) (links []Link) {
	for h := range transcript.Elements(hits) {
		links = append(links, Link{
			transcript.String(transcript.Field(h, "title")), transcript.String(transcript.Field(h, "url")),
		})
	}
	return links
}
