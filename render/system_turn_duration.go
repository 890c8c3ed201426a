package render

var _ = register(systems, "turn_duration", "bare", viewTurnDuration)

type turnDuration struct{ line }

func viewTurnDuration(e event) (turnDuration, error) {
	var in struct{ DurationMs, PendingBackgroundAgentCount number }
	if err := e.decode(&in); err != nil {
		return turnDuration{}, err
	}
	v := turnDuration{line{Icon: "clock", Text: "Turn took " + millis(float64(in.DurationMs)), Level: atEverything}}
	if n := int(in.PendingBackgroundAgentCount); n > 0 {
		v.Text += " · " + plural(n, "agent", "agents") + " still at work"
	}
	return v, nil
}
