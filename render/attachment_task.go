package render

import (
	"viewer/internal/tools"
	"viewer/render/page"
)

// Reminders of the task list, and news of background tasks.
var (
	_ = register(attachments, "task_reminder", "attached", viewTaskReminder)
	_ = register(attachments, "todo_reminder", "attached", viewTaskReminder)
	_ = register(attachments, "task_status", "attached", viewTaskStatus)
)

func viewTaskReminder(e event) (attached, error) {
	var in struct {
		Content []struct{ ID, Subject, Content, Status text }
	}
	if err := e.decode(&in); err != nil {
		return attached{}, err
	}
	v := attached{line: quiet("todo", "The model was reminded of its tasks")}
	var items []tools.Item
	for _, t := range in.Content {
		items = append(items, tools.NewItem(string(t.Subject+t.Content), string(t.Status)))
	}
	v.Todos = todos(items)
	if n := len(items); n > 0 {
		v.Text += dot + plural(n, "task", "tasks")
	} else {
		v.Text += ": there are none"
	}
	return v, nil
}

func viewTaskStatus(e event) (attached, error) {
	var in struct{ Description, Status, DeltaSummary text }
	if err := e.decode(&in); err != nil {
		return attached{}, err
	}
	v := attached{line: quiet("bell", also("Background task", oneLine(string(in.Description), 120))),
		Rows: e.rest("description", "status", "deltaSummary")}
	v.Facts = page.Facts(oneLine(string(in.Status), 40))
	v.Prose = e.markdown(string(in.DeltaSummary))
	return v, nil
}
