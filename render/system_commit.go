package render

// A commit that the program made by itself, or took back.
var _ = register(systems, "commit", "text", viewCommit)

func viewCommit(e event) (textLine, error) {
	var in struct{ SHA, Subject, Undone text }
	if err := e.decode(&in); err != nil {
		return textLine{}, err
	}
	return newTextLine(e, line{Icon: "git", Look: "note", Level: atTools}, "", e.Text), nil
}
