package render

import "viewer/internal/fields"

var _ = register(tools, "MultiEdit", "edit", viewMultiEdit)

type multiEdit struct {
	row
	Diff *output
	Note string
}

func viewMultiEdit(c call) (multiEdit, error) {
	var in struct {
		FilePath text
		Edits    list[struct{ OldString, NewString text }]
		extra
	}
	if err := c.input(&in); err != nil {
		return multiEdit{}, err
	}
	var res editResult
	if !c.result(&res) {
		res = editResult{}
	}
	var edits [][2]string
	var all []string
	for _, e := range in.Edits {
		edits = append(edits, [2]string{string(e.OldString), string(e.NewString)})
		all = append(all, string(e.OldString), string(e.NewString))
	}
	if overlong(all...) {
		return multiEdit{}, fields.ErrCrowded
	}
	h := hunks(res.StructuredPatch, edits...)
	v := multiEdit{row: row{Icon: "edit", Path: c.d.path(string(in.FilePath)), Changes: true, More: c.d.fields(in.Rest)}, Diff: c.d.diff(h, string(in.FilePath))}
	v.change(changed(h))
	v.Facts = append(v.Facts, fact{Text: plural(len(edits), "edit", "edits")})
	return v, nil
}
