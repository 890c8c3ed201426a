package render

import "viewer/internal/markup"

var _ = register(tools, "Write", "write", viewWrite)

type write struct {
	row
	Source *output
	Diff   *output
}

func viewWrite(c call) (write, error) {
	var in struct {
		FilePath, Content text
		extra
	}
	if err := c.input(&in); err != nil {
		return write{}, err
	}
	v := write{row: row{Icon: "write", Path: c.d.path(string(in.FilePath)), Changes: true, More: c.d.fields(in.Rest)}}
	var res struct {
		editResult
		Type    text
		Content ignored
	}
	if c.result(&res) && len(res.StructuredPatch) > 0 {
		h := hunks(res.StructuredPatch)
		v.Diff = c.d.diff(h, string(in.FilePath))
		v.change(changed(h))
		return v, nil
	}
	v.Source = c.d.numbered(string(in.Content), string(in.FilePath), 1)
	if res.Type == "create" {
		v.change(markup.Lines(in.Content), 0)
		v.Facts = append(v.Facts, fact{Text: "new file"})
	} else {
		v.Facts = facts(plural(markup.Lines(in.Content), "line", "lines"))
	}
	return v, nil
}
