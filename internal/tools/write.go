package tools

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/markup"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

var _ = register(Tool{Name: "Write", Icon: "write", Action: Write, Describe: describeWrite, Files: writeFiles})

// Copilot's name, for new files.
var _ = register(Tool{
	Name: "create", Icon: "write", Label: "Write", Action: Write, Describe: describeWrite, Files: writeFiles,
})

func describeWrite(c *Call) error {
	var in writeInput
	if err := c.input(&in); err != nil {
		return err
	}
	c.Path, c.Rest = in.file(), in.Rest
	result := decodeEditResult(c.structured())
	ch := Change{Path: c.Path, Created: result.Type == "create", Hunks: result.hunks()}
	if len(ch.Hunks) > 0 {
		c.changed(ch)
		c.given(Section{Shape: Diff, Hunks: ch.Hunks, Lang: c.Path})
		return nil
	}
	ch.Content = string(in.Content + in.FileText + in.Contents)
	c.wrote(ch)
	return nil
}

// wrote adds a change that replaced the whole content of a file.
func (c *Call) wrote(ch Change) {
	lines := markup.Lines(ch.Content)
	if ch.Created {
		ch.Added = lines
		c.lines(lines, 0)
		c.fact("new file")
	} else {
		c.fact(words.Plural(lines, "line", "lines"))
	}
	c.Changes = append(c.Changes, ch)
	c.given(Section{Shape: Code, Text: ch.Content, Lang: c.Path, First: 1})
}

// structuredOf returns the structured result of a call, nil if there is none. Logs of agents have none since
// Claude Code 2.1.14: then the text of a result of Write says whether there was a file.
func structuredOf(g *normalize.Group) jsontext.Value {
	v := g.Result.Structured()
	if transcript.Kind(v) != '{' && g.Call != nil && g.Call.Name == "Write" && !g.Result.Block.IsError {
		content := g.Result.Block.Content
		if len(content) > 0 && strings.HasPrefix(content[0].Text, "File created successfully at: ") {
			return jsontext.Value(`{"type":"create"}`)
		}
	}
	return v
}
