package render

// The conversation goes on in another file.
var _ = register(systems, "continued", "text", viewContinued)

func viewContinued(e event) (textLine, error) {
	var in struct{ File text }
	if err := e.decode(&in); err != nil {
		return textLine{}, err
	}
	return newTextLine(e, line{Icon: "message", Look: "note", Level: atTools}, "", e.Text), nil
}
