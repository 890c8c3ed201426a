package render

var _ = register(systems, "local_command", "text", viewLocalCommand)

// viewLocalCommand draws a local command with unknown markup. Package normalize turns known markup into a command or
// its output.
func viewLocalCommand(e event) (textLine, error) {
	return newTextLine(e, line{Icon: "term", Look: "note", Level: atTools}, "", stripANSI(e.Text)), nil
}
