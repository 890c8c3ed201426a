package render

// Limits: of turns, of money, of tokens; and whether the goal was met.
var (
	_ = register(attachments, "max_turns_reached", "attached", viewMaxTurns)
	_ = register(attachments, "budget_usd", "attached", viewBudget)
	_ = register(attachments, "total_tokens_reminder", "attached", viewTokensReminder)
	_ = register(attachments, "goal_status", "attached", viewGoal)
)

func viewMaxTurns(e event) (attached, error) {
	var in struct{ MaxTurns, TurnCount number }
	if err := e.decode(&in); err != nil {
		return attached{}, err
	}
	l := line{Text: "The limit of " + plural(int(in.MaxTurns), "turn", "turns") + " was reached", Level: atChat, Look: "rule"}
	return attached{line: l}, nil
}

func viewBudget(e event) (attached, error) {
	return attached{line: quiet("clock", "Budget · $"+oneLine(e.field("used"), 20)+" of $"+oneLine(e.field("total"), 20)+" used"), Rows: e.rest("used", "total", "remaining")}, nil
}

func viewTokensReminder(e event) (attached, error) {
	return attached{line: quiet("clock", oneLine(e.field("text"), 160)), Rows: e.rest("text")}, nil
}

func viewGoal(e event) (attached, error) {
	var in struct {
		Met, Failed       truth
		Condition, Reason text
	}
	if err := e.decode(&in); err != nil {
		return attached{}, err
	}
	words := "Goal not met yet"
	switch {
	case in.Met == true:
		words = "Goal met"
	case in.Failed == true:
		words = "Goal failed"
	}
	l := line{Icon: "todo", Text: words + " · " + oneLine(string(in.Condition), 120), Level: atTools, Look: "note"}
	return attached{line: l, Rows: e.rest("met", "failed"), Prose: e.markdown(string(in.Reason))}, nil
}
