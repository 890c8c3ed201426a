package render

import (
	"html/template"

	"viewer/markup"
)

// The list of tasks that replaced TodoWrite in 2.1.17: one call for each change.
var (
	_ = register(tools, "TaskCreate", "task", viewTaskCreate)
	_ = register(tools, "TaskUpdate", "task", viewTaskUpdate)
	_ = register(tools, "TaskGet", "task", viewTaskGet)
	_ = register(tools, "TaskList", "tasklist", viewTaskList)
)

type taskChange struct {
	row
	Description template.HTML
	Rows        []field
	Note        string
}

type taskFields struct {
	ID, Subject, Description, Status, Owner text
	Blocks, BlockedBy                       []text
}

func viewTaskCreate(c call) (taskChange, error) {
	var in struct {
		Subject, Description, ActiveForm text
		extra
	}
	if err := c.input(&in); err != nil {
		return taskChange{}, err
	}
	v := taskChange{row: row{Icon: "todo", Label: "New task", Prose: true, Target: oneLine(string(in.Subject), 160), More: fields(in.Rest)}}
	v.Description = markup.Markdown(string(in.Description), c.Head().Anchor)
	var res struct{ Task taskFields }
	if c.result(&res) && res.Task.ID != "" {
		v.Facts = facts("#" + string(res.Task.ID))
	}
	return v, nil
}

func viewTaskUpdate(c call) (taskChange, error) {
	var in struct {
		TaskID, Status, Subject, Description, ActiveForm, Owner text
		AddBlocks, AddBlockedBy                                 []text
		extra
	}
	if err := c.input(&in); err != nil {
		return taskChange{}, err
	}
	v := taskChange{row: row{Icon: "todo", Label: "Task #" + oneLine(string(in.TaskID), 40), Prose: true, More: fields(in.Rest)}}
	var res struct {
		StatusChange struct{ From, To text }
		Error        text
	}
	c.result(&res)
	switch {
	case res.StatusChange.To != "":
		v.Target = taskWords(string(res.StatusChange.From)) + " → " + taskWords(string(res.StatusChange.To))
	case in.Status != "":
		v.Target = taskWords(string(in.Status))
	case in.Subject != "":
		v.Target = oneLine(string(in.Subject), 160)
	}
	if in.Subject != "" {
		v.Rows = append(v.Rows, field{Name: "subject", Value: string(in.Subject)})
	}
	if in.Owner != "" {
		v.Facts = facts(oneLine(string(in.Owner), 40))
	}
	for _, id := range in.AddBlocks {
		v.Rows = append(v.Rows, field{Name: "blocks", Value: "#" + string(id)})
	}
	for _, id := range in.AddBlockedBy {
		v.Rows = append(v.Rows, field{Name: "waits for", Value: "#" + string(id)})
	}
	v.Description = markup.Markdown(string(in.Description), c.Head().Anchor)
	v.Note = string(res.Error)
	return v, nil
}

func taskWords(status string) string {
	switch status {
	case "in_progress":
		return "in progress"
	case "completed":
		return "done"
	case "pending":
		return "open"
	}
	return oneLine(status, 40)
}

func viewTaskGet(c call) (taskChange, error) {
	var in struct {
		TaskID text
		extra
	}
	if err := c.input(&in); err != nil {
		return taskChange{}, err
	}
	v := taskChange{row: row{Icon: "todo", Label: "Task #" + oneLine(string(in.TaskID), 40), Prose: true, More: fields(in.Rest)}}
	var res struct{ Task taskFields }
	if c.failed() || !c.result(&res) {
		v.Note = oneLine(c.text(), 400)
		return v, nil
	}
	v.Target = oneLine(string(res.Task.Subject), 160)
	v.Facts = facts(taskWords(string(res.Task.Status)))
	v.Description = markup.Markdown(string(res.Task.Description), c.Head().Anchor)
	return v, nil
}

type taskList struct {
	row
	Todos  []todo
	Output *output
}

func viewTaskList(c call) (taskList, error) {
	var in struct{ extra }
	if err := c.input(&in); err != nil {
		return taskList{}, err
	}
	v := taskList{row: row{Icon: "todo", Label: "Tasks", Prose: true, More: fields(in.Rest)}}
	var res struct{ Tasks []taskFields }
	if c.failed() || !c.result(&res) {
		if !c.failed() {
			v.Output = c.d.plain(c.text())
		}
		return v, nil
	}
	done := 0
	for _, t := range res.Tasks {
		what := "#" + string(t.ID) + " " + string(t.Subject)
		if t.Owner != "" {
			what += " · " + string(t.Owner)
		}
		for _, id := range t.BlockedBy {
			what += " · waits for #" + string(id)
		}
		todo := newTodo(what, string(t.Status))
		if todo.State == "done" {
			done++
		}
		v.Todos = append(v.Todos, todo)
	}
	v.Target = count(done) + " of " + count(len(v.Todos)) + " done"
	return v, nil
}
