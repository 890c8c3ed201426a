package tools

import (
	"viewer/internal/fields"
	"viewer/internal/words"
)

var _ = register(Tool{Name: "ToolSearch", Icon: "find", Label: "Find tools", Describe: describeToolSearch})

func describeToolSearch(c *Call) error {
	var in struct {
		Query fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.target("query", string(in.Query), 160)
	c.Rest = in.Rest
	var res struct {
		Matches            []fields.Text
		TotalDeferredTools fields.Number
	}
	switch {
	case c.failed():
	case c.result(&res):
		c.files(res.Matches)
		found := words.Plural(len(res.Matches), "tool", "tools")
		if res.TotalDeferredTools > 0 {
			found += " of " + words.Count(int(res.TotalDeferredTools))
		}
		c.fact(found)
	default:
		c.read(Section{Text: c.text()})
	}
	return nil
}
