package render

var _ = register(systems, "turn_duration", "bare", viewTurnDuration)

type turnDuration struct{ line }

func viewTurnDuration(e event) (turnDuration, error) {
	var in struct{ DurationMs, MessageCount, PendingBackgroundAgentCount, PendingWorkflowCount number }
	if err := e.decode(&in); err != nil {
		return turnDuration{}, err
	}
	v := turnDuration{line{Icon: "clock", Text: "Turn ended", Level: atEverything}}
	if in.DurationMs > 0 {
		v.Text = "Turn took " + millis(float64(in.DurationMs))
	}
	if n := int(in.MessageCount); n > 0 {
		v.Text += " · " + plural(n, "message", "messages")
	}
	if n := int(in.PendingBackgroundAgentCount); n > 0 {
		v.Text += " · " + plural(n, "agent", "agents") + " still at work"
	}
	if n := int(in.PendingWorkflowCount); n > 0 {
		v.Text += " · " + plural(n, "workflow", "workflows") + " still at work"
	}
	return v, nil
}
