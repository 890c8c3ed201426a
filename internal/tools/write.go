package tools

import (
	"viewer/internal/fields"
	"viewer/internal/markup"
	"viewer/internal/words"
)

var _ = register(Tool{Name: "Write", Icon: "write", Action: Write, Describe: describeWrite, Files: writeFiles})

func describeWrite(c *Call) error {
	var in struct {
		FilePath, Content fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Path, c.Rest = string(in.FilePath), in.Rest
	var res struct {
		editResult
		Type    fields.Text
		Content fields.Ignored
	}
	known := c.result(&res)
	ch := Change{Path: c.Path, Created: res.Type == "create", Original: res.original()}
	if known && len(res.StructuredPatch) > 0 {
		ch.Hunks = hunks(res.StructuredPatch)
		c.changed(ch)
		c.given(Section{Shape: Diff, Hunks: ch.Hunks, Lang: c.Path})
		return nil
	}
	ch.Content = string(in.Content)
	lines := markup.Lines(in.Content)
	if ch.Created {
		ch.Added = lines
		c.lines(lines, 0)
		c.fact("new file")
	} else {
		c.fact(words.Plural(lines, "line", "lines"))
	}
	c.Changes = append(c.Changes, ch)
	c.given(Section{Shape: Code, Text: ch.Content, Lang: c.Path, First: 1})
	return nil
}
