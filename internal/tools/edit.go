package tools

import (
	"viewer/internal/fields"
)

var _ = register(Tool{Name: "Edit", Icon: "edit", Action: Edit, Describe: describeEdit, Files: editFiles})

func describeEdit(c *Call) error {
	var in struct {
		FilePath, OldString, NewString fields.Text
		OldStr, NewStr                 fields.Text // what some models write instead
		ReplaceAll                     fields.Bool
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	before, after := string(in.OldString+in.OldStr), string(in.NewString+in.NewStr)
	if overlong(before, after) {
		return fields.ErrCrowded
	}
	c.Path, c.Rest = string(in.FilePath), in.Rest
	c.edited([][2]string{{before, after}})
	if bool(in.ReplaceAll) {
		c.fact("everywhere")
	}
	return nil
}

// edited reads the result of edits to the file at Path.
func (c *Call) edited(edits [][2]string) {
	var res editResult
	if !c.result(&res) {
		res = editResult{}
	}
	ch := Change{Path: c.Path, Hunks: hunks(res.StructuredPatch, edits...), Original: res.original()}
	c.changed(ch)
	c.given(Section{Shape: Diff, Hunks: ch.Hunks, Lang: c.Path})
	if bool(res.UserModified) {
		c.read(Section{Shape: Note, Text: "You changed the edit before it was made."})
	}
}
