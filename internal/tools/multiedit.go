package tools

import (
	"viewer/internal/fields"
	"viewer/internal/words"
)

var _ = register(Tool{Name: "MultiEdit", Icon: "edit", Action: Edit, Describe: describeMultiEdit, Files: editFiles})

func describeMultiEdit(c *Call) error {
	var in struct {
		FilePath fields.Text
		Edits    fields.List[struct{ OldString, NewString fields.Text }]
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	var edits [][2]string
	var all []string
	for _, e := range in.Edits {
		edits = append(edits, [2]string{string(e.OldString), string(e.NewString)})
		all = append(all, string(e.OldString), string(e.NewString))
	}
	if overlong(all...) {
		return fields.ErrCrowded
	}
	c.Path, c.Rest = string(in.FilePath), in.Rest
	c.edited(edits)
	c.fact(words.Plural(len(edits), "edit", "edits"))
	return nil
}
