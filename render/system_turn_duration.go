package render

var _ = register(systems, "turn_duration", "event", viewTurnDuration)

func viewTurnDuration(e event) (recordEvent, error) {
	var in struct {
		DurationMs, MessageCount, PendingBackgroundAgentCount, PendingWorkflowCount number
		BudgetTokens, BudgetLimit, BudgetNudges                                     number
		Budget                                                                      struct {
			Tokens, Limit,
			Nudges number
		}
	}
	if err := e.decode(&in); err != nil {
		return recordEvent{}, err
	}
	v := recordEvent{line: line{Icon: "clock", Text: "Turn ended", Level: atEverything}}
	if in.DurationMs > 0 {
		v.Text = "Turn took " + millis(float64(in.DurationMs))
	}
	if n := int(in.MessageCount); n > 0 {
		v.Text += dot + plural(n, "message", "messages")
	}
	if n := int(in.PendingBackgroundAgentCount); n > 0 {
		v.Text += dot + plural(n, "agent", "agents") + " still at work"
	}
	if n := int(in.PendingWorkflowCount); n > 0 {
		v.Text += dot + plural(n, "workflow", "workflows") + " still at work"
	}
	if used, limit := in.BudgetTokens+in.Budget.Tokens, in.BudgetLimit+in.Budget.Limit; used > 0 || limit > 0 {
		words := count(int(used)) + " tokens"
		if limit > 0 {
			words = count(int(used)) + " of " + count(int(limit)) + " tokens"
		}
		v.Rows = append(v.Rows, field{Name: "budget", Value: words})
	}
	if n := int(in.BudgetNudges + in.Budget.Nudges); n > 0 {
		v.Rows = append(v.Rows, field{Name: "told to go on", Value: plural(n, "time", "times")})
	}
	return v, nil
}
