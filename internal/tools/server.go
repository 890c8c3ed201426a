package tools

import (
	"strings"

	"viewer/internal/transcript"
	"viewer/internal/words"
)

// server_tool_use is the family of tools that run on the server of the model: web_search, web_fetch, code_execution,
// advisor. Call and result are blocks of the same answer.
var _ = register(Tool{Name: "server_tool_use", Icon: "globe", Action: Fetch, Describe: describeServer})

func describeServer(c *Call) error {
	c.Label, c.Prose, c.Generic = strings.ReplaceAll(words.Line(c.group.Call.Name, 60), "_", " "), true, true
	c.Target = firstShort(c.group.Call.Block.Input)
	c.given(Section{Shape: Members, JSON: c.group.Call.Block.Input})
	var links []Link
	if c.group.Result != nil {
		for _, b := range c.group.Result.Block.Content {
			if b.Type == "web_search_result" {
				links = append(links, Link{
					transcript.TextOf(transcript.Field(b.Raw, "title")),
					transcript.TextOf(transcript.Field(b.Raw, "url")),
				})
			}
		}
	}
	if len(links) > 0 {
		c.read(Section{Shape: Links, Links: links})
		c.fact(words.Plural(len(links), "result", "results"))
		return nil
	}
	c.anyOutput()
	return nil
}
