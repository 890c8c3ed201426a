package tools

import (
	"viewer/internal/fields"
	"viewer/internal/words"
)

var _ = register(Tool{
	Name: "NotebookEdit", Icon: "edit", Label: "Notebook", Action: Edit, Describe: describeNotebookEdit,
	Files: notebookFiles,
})

func describeNotebookEdit(c *Call) error {
	var in struct {
		NotebookPath, CellID, NewSource, CellType, EditMode fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Path, c.Rest = string(in.NotebookPath), in.Rest
	c.Changes = []Change{{Path: c.Path, Fragment: string(in.NewSource)}}
	for _, s := range []fields.Text{in.CellID, in.EditMode, in.CellType} {
		c.fact(words.Line(string(s), 40))
	}
	lang := "py"
	if in.CellType == "markdown" {
		lang = "md"
	}
	c.given(Section{Shape: Code, Text: string(in.NewSource), Lang: lang})
	return nil
}
