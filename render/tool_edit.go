package render

import "viewer/internal/fields"

var _ = register(tools, "Edit", "edit", viewEdit)

type edit struct {
	row
	Diff *output
	Note string
}

type editInput struct {
	FilePath, OldString, NewString text
	OldStr, NewStr                 text // what some models write instead
	ReplaceAll                     truth
	extra
}

type editResult struct {
	StructuredPatch []patchHunk
	UserModified    truth
	OriginalFile    ignored
	OldString       ignored
	NewString       ignored
}

func viewEdit(c call) (edit, error) {
	var in editInput
	if err := c.input(&in); err != nil {
		return edit{}, err
	}
	var res editResult
	if !c.result(&res) {
		res = editResult{}
	}
	old, new := string(in.OldString+in.OldStr), string(in.NewString+in.NewStr)
	if overlong(old, new) {
		return edit{}, fields.ErrCrowded
	}
	h := hunks(res.StructuredPatch, [2]string{old, new})
	v := edit{row: row{Icon: "edit", Path: c.d.path(string(in.FilePath)), Changes: true, More: c.d.fields(in.Rest)}, Diff: c.d.diff(h, string(in.FilePath))}
	v.change(changed(h))
	if bool(in.ReplaceAll) {
		v.Facts = append(v.Facts, fact{Text: "everywhere"})
	}
	if bool(res.UserModified) {
		v.Note = "You changed the edit before it was made."
	}
	return v, nil
}
