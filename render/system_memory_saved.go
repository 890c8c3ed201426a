package render

var _ = register(systems, "memory_saved", "memory_saved", viewMemorySaved)

type memorySaved struct {
	line
	Files *output
}

func viewMemorySaved(e event) (memorySaved, error) {
	var in struct{ WrittenPaths []text }
	if err := e.decode(&in); err != nil {
		return memorySaved{}, err
	}
	v := memorySaved{line: line{Icon: "memory", Text: "Memory saved", Level: atTools, Look: "note"},
		Files: e.d.paths(in.WrittenPaths)}
	if n := len(in.WrittenPaths); n > 0 {
		v.Text += dot + plural(n, "file", "files")
	}
	return v, nil
}
