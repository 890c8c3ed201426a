package render

// Until 1.0.5x system records had no subtype.
var (
	_ = register(systems, "informational", "text", viewInformational)
	_ = register(systems, "", "text", viewInformational)
)

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
