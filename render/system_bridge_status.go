package render

import "strings"

var _ = register(systems, "bridge_status", "text", viewBridgeStatus)

func viewBridgeStatus(e event) (textLine, error) {
	var in struct{ URL text }
	if err := e.decode(&in); err != nil {
		return textLine{}, err
	}
	s := e.Text
	if !strings.Contains(s, string(in.URL)) {
		s = strings.TrimSpace(s + " " + string(in.URL))
	}
	return newTextLine(e, line{Look: "rule", Level: atEverything}, "Remote control", s), nil
}
