package render

var _ = register(tools, "LS", "text", viewLS)

type ls struct {
	row
	Output *output
}

func viewLS(c call) (ls, error) {
	var in struct {
		Path text
		extra
	}
	if err := c.input(&in); err != nil {
		return ls{}, err
	}
	v := ls{row: row{Icon: "folder", Target: c.d.path(string(in.Path)), More: c.d.fields(in.Rest)}}
	if !c.failed() {
		v.Output = c.d.plain(c.text())
	}
	return v, nil
}
