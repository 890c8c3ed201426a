package render

var _ = register(systems, "away_summary", "text", viewAwaySummary)

func viewAwaySummary(e event) (textLine, error) {
	return newTextLine(e, line{Look: "rule", Level: atTools}, "Away summary", e.Text), nil
}
