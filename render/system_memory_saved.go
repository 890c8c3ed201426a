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
	return memorySaved{
		line:  line{Icon: "memory", Text: "Memory saved · " + plural(len(in.WrittenPaths), "file", "files"), Level: atTools, Look: "note"},
		Files: e.d.files(in.WrittenPaths),
	}, nil
}
