package render

var _ = register(systems, "scheduled_task_fire", "text", viewScheduledTaskFire)

func viewScheduledTaskFire(e event) (textLine, error) {
	return newTextLine(e, line{Look: "rule", Level: atTools}, "", e.Text), nil
}
