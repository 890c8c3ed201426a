package render

var _ = register(systems, "bridge_status", "text", viewBridgeStatus)

func viewBridgeStatus(e event) (textLine, error) {
	return newTextLine(e, line{Look: "rule", Level: atEverything}, "Remote control", e.Text), nil
}
