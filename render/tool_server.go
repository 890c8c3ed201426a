package render

import (
	"strings"

	"viewer/internal/markup"
	"viewer/internal/transcript"
)

// server_tool_use stands for all tools that run where the model does: web_search,
// web_fetch, code_execution, advisor. Their call and their result are blocks of the
// same answer.
var _ = register(tools, "server_tool_use", "server", viewServerTool)

type serverTool struct {
	anyTool
	Hits []hit
}

func viewServerTool(c call) (serverTool, error) {
	v := serverTool{anyTool: newAnyTool(c, "globe")}
	v.Label = strings.ReplaceAll(oneLine(c.Call.Name, 60), "_", " ")
	v.Prose = true
	if c.Result == nil {
		return v, nil
	}
	for _, b := range c.Result.Block.Content {
		if b.Type != "web_search_result" {
			continue
		}
		url := transcript.TextOf(transcript.Field(b.Raw, "url"))
		v.Hits = append(v.Hits, hit{transcript.TextOf(transcript.Field(b.Raw, "title")), markup.Link(url), url})
	}
	if len(v.Hits) > 0 {
		v.Output = nil
		v.Facts = facts(plural(len(v.Hits), "result", "results"))
	}
	return v, nil
}
