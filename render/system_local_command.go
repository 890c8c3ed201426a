package render

var _ = register(systems, "local_command", "text", viewLocalCommand)

// viewLocalCommand draws what is left of a local command when its markup is
// not the known one; the known one becomes a command or its output before.
func viewLocalCommand(e event) (textLine, error) {
	return newTextLine(e, line{Icon: "term", Look: "note", Level: atTools}, "", stripANSI(e.Text)), nil
}
