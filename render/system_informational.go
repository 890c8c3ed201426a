package render

var _ = register(systems, "informational", "text", viewInformational)

// viewInformational draws a remark of the program by its level: info, notice,
// suggestion, warning, error.
func viewInformational(e event) (textLine, error) {
	l := line{Icon: "message", Look: "note", Level: atEverything}
	switch e.Record.Level {
	case "warning":
		l.Icon, l.Level = "warn", atTools
	case "error":
		l.Icon, l.Look, l.Level = "error", "err", atTools
	}
	return newTextLine(e, l, "", e.Text), nil
}
