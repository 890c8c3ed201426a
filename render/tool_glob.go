package render

var _ = register(tools, "Glob", "text", viewGlob)

type glob struct {
	row
	Output *output
}

func viewGlob(c call) (glob, error) {
	var in struct {
		Pattern, Path text
		extra
	}
	if err := c.input(&in); err != nil {
		return glob{}, err
	}
	v := glob{row: row{Icon: "find", Target: string(in.Pattern), More: c.d.fields(in.Rest)}}
	if in.Path != "" {
		v.Target += " in " + c.d.path(string(in.Path))
	}
	var res struct {
		Filenames []text
		Truncated truth
	}
	switch {
	case c.failed():
	case !c.result(&res):
		v.Output = c.d.plain(c.text())
	case len(res.Filenames) == 0:
		v.Output, v.Facts = c.d.found(c.text()), facts("no files")
	default:
		v.Output = c.d.files(res.Filenames)
		v.Facts = facts(plural(len(res.Filenames), "file", "files"))
		if bool(res.Truncated) {
			v.Facts = append(v.Facts, fact{Text: "cut off"})
		}
	}
	return v, nil
}
