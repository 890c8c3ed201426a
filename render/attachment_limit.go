package render

import "strings"

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
	l := line{Text: "The limit of turns was reached", Level: atChat, Look: "rule"}
	if n := int(in.MaxTurns); n > 0 {
		l.Text = "The limit of " + plural(n, "turn", "turns") + " was reached"
	}
	if n := int(in.TurnCount); n > 0 {
		l.Text = also(l.Text, plural(n, "turn", "turns")+" were taken")
	}
	return attached{line: l}, nil
}

func viewBudget(e event) (attached, error) {
	v := attached{line: quiet("clock", "Budget"), Rows: e.rest("used", "total", "remaining")}
	if used := oneLine(e.field("used"), 20); used != "" {
		v.Text += dot + "$" + used + " used"
	}
	if total := oneLine(e.field("total"), 20); total != "" {
		v.Text += dot + "$" + total + " in all"
	}
	return v, nil
}

func viewTokensReminder(e event) (attached, error) {
	words := strings.NewReplacer("<total_tokens>", "", "</total_tokens>", "").Replace(e.field("text"))
	return attached{line: quiet("clock", also("Tokens", oneLine(words, 160))), Rows: e.rest("text")}, nil
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
	case bool(in.Met):
		words = "Goal met"
	case bool(in.Failed):
		words = "Goal failed"
	}
	l := line{Icon: "todo", Text: also(words, oneLine(string(in.Condition), 120)), Level: atTools, Look: "note"}
	known := []string{"met", "failed", "reason", "sentinel"}
	if len(in.Condition) <= 120 {
		known = append(known, "condition")
	}
	return attached{line: l, Rows: e.rest(known...), Prose: e.markdown(string(in.Reason))}, nil
}
