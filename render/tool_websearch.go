package render

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/markup"
	"viewer/internal/transcript"
)

var _ = register(tools, "WebSearch", "websearch", viewWebSearch)

type webSearch struct {
	row
	Hits   []hit
	Answer *passage
	Output *output
}

// A hit is one result of a search.
type hit struct{ Title, Href, URL string }

func viewWebSearch(c call) (webSearch, error) {
	var in struct {
		Query text
		extra
	}
	if err := c.input(&in); err != nil {
		return webSearch{}, err
	}
	v := webSearch{row: row{Icon: "globe", Prose: true, More: c.d.fields(in.Rest)}}
	c.about(&v.row, "query", string(in.Query), 160)
	if c.Result == nil || c.failed() {
		return v, nil
	}
	var res struct {
		Results         jsontext.Value
		DurationSeconds number
	}
	if !c.result(&res) {
		v.Output = c.d.plain(c.text())
		return v, nil
	}
	// Results are a mixed list: objects with hits, and texts of the model.
	var prose []string
	for e := range transcript.Elements(res.Results) {
		if s := transcript.String(e); s != "" {
			prose = append(prose, s)
			continue
		}
		for h := range transcript.Elements(transcript.Field(e, "content")) {
			url := transcript.String(transcript.Field(h, "url"))
			v.Hits = append(v.Hits, hit{transcript.String(transcript.Field(h, "title")), markup.Link(url), url})
		}
	}
	v.Answer = c.d.passage(strings.Join(prose, "\n\n"), c.Head().Anchor)
	if len(v.Hits) == 0 && v.Answer == nil {
		v.Output = c.d.plain(c.text())
	}
	v.Facts = facts(plural(len(v.Hits), "result", "results"))
	v.Took = lasting(float64(res.DurationSeconds) * 1000)
	return v, nil
}
