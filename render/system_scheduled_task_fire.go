package render

var _ = register(systems, "scheduled_task_fire", "text", viewScheduledTaskFire)

// viewScheduledTaskFire draws the start of a scheduled task. If the program did not describe it, its prompt and its
// times do. The frame lists the rest.
func viewScheduledTaskFire(e event) (textLine, error) {
	var in struct{ Prompt, Cron text }
	if e.Text != "" {
		return newTextLine(e, line{Look: "rule", Level: atTools}, "", e.Text), nil
	}
	if err := e.decode(&in); err != nil {
		return textLine{}, err
	}
	label := "Scheduled task"
	if in.Cron != "" {
		label += dot + oneLine(string(in.Cron), 60)
	}
	return newTextLine(e, line{Look: "rule", Level: atTools}, label, string(in.Prompt)), nil
}
