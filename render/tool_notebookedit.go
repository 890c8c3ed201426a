package render

var _ = register(tools, "NotebookEdit", "text", viewNotebookEdit)

type notebookEdit struct {
	row
	Output *output
}

func viewNotebookEdit(c call) (notebookEdit, error) {
	var in struct {
		NotebookPath, CellID, NewSource, CellType, EditMode text
		extra
	}
	if err := c.input(&in); err != nil {
		return notebookEdit{}, err
	}
	v := notebookEdit{row: row{Icon: "edit", Label: "Notebook", Path: c.d.path(string(in.NotebookPath)), Changes: true, More: c.d.fields(in.Rest)}}
	for _, s := range []text{in.CellID, in.EditMode, in.CellType} {
		v.Facts = append(v.Facts, facts(oneLine(string(s), 40))...)
	}
	lang := "py"
	if in.CellType == "markdown" {
		lang = "md"
	}
	v.Output = c.d.code(string(in.NewSource), lang)
	return v, nil
}
