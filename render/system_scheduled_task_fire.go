package render

var _ = register(systems, "scheduled_task_fire", "text", viewScheduledTaskFire)

// viewScheduledTaskFire draws the start of a scheduled task. Without words of the program
// its prompt and its times say which one; the frame lists what else there is.
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
		label += " · " + oneLine(string(in.Cron), 60)
	}
	return newTextLine(e, line{Look: "rule", Level: atTools}, label, string(in.Prompt)), nil
}
