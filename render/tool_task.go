package render

import (
	"html/template"
	"strings"
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
	List        []todo // all tasks, after this change
	Earlier     string // how many are not in the list
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
	v := taskChange{List: c.d.tasks[c.Group].list(), Earlier: c.d.tasks[c.Group].notListed(), row: row{Icon: "todo", Label: "New task", Prose: true, More: c.d.fields(in.Rest)}}
	c.about(&v.row, "subject", string(in.Subject), 160)
	v.Description = c.d.markdown(string(in.Description), c.Head().Anchor)
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
	v := taskChange{List: c.d.tasks[c.Group].list(), Earlier: c.d.tasks[c.Group].notListed(), row: row{Icon: "todo", Label: "Task #" + oneLine(string(in.TaskID), 40), Kind: "Task change", Prose: true, More: c.d.fields(in.Rest)}}
	var res struct {
		StatusChange struct{ From, To text }
		Error        text
	}
	c.result(&res)
	change := ""
	switch {
	case res.StatusChange.To != "":
		change = taskWords(string(res.StatusChange.From)) + " → " + taskWords(string(res.StatusChange.To))
	case in.Status != "":
		change = taskWords(string(in.Status))
	case in.Subject != "":
		change = "renamed"
	case len(in.AddBlockedBy) > 0:
		change = "waits for " + taskNumbers(in.AddBlockedBy)
	case len(in.AddBlocks) > 0:
		change = "blocks " + taskNumbers(in.AddBlocks)
	case in.Owner != "":
		change = "for " + oneLine(string(in.Owner), 40)
	}
	subject := string(in.Subject)
	if known := c.d.tasks[c.Group].subject; known != "" {
		subject = known
	}
	if v.Target = oneLine(subject, 160); v.Target == "" {
		v.Target = change
	} else if change != "" {
		v.Facts = []fact{{Text: change, Main: true}}
	}
	if in.Subject != "" {
		v.Rows = append(v.Rows, c.d.said("subject", string(in.Subject)))
	}
	if in.Owner != "" && !strings.HasPrefix(change, "for ") {
		v.Facts = append(v.Facts, facts(oneLine(string(in.Owner), 40))...)
	}
	v.Rows = append(v.Rows, links("blocks", in.AddBlocks)...)
	v.Rows = append(v.Rows, links("waits for", in.AddBlockedBy)...)
	v.Description = c.d.markdown(string(in.Description), c.Head().Anchor)
	v.Note = string(res.Error)
	return v, nil
}

func (s taskState) notListed() string {
	if s.earlier == 0 {
		return ""
	}
	return plural(s.earlier, "earlier task", "earlier tasks") + ", and"
}

// links list the tasks that a task has to do with.
func links(name string, ids []text) []field {
	var all []field
	for _, id := range ids {
		all = append(all, field{Name: name, Value: "#" + string(id)})
	}
	return all
}

func taskNumbers(ids []text) string {
	var all []string
	for _, id := range ids {
		all = append(all, "#"+oneLine(string(id), 20))
	}
	return oneLine(strings.Join(all, ", "), 80)
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
	return oneLine(strings.ReplaceAll(status, "_", " "), 40)
}

func viewTaskGet(c call) (taskChange, error) {
	var in struct {
		TaskID text
		extra
	}
	if err := c.input(&in); err != nil {
		return taskChange{}, err
	}
	v := taskChange{row: row{Icon: "todo", Label: "Task #" + oneLine(string(in.TaskID), 40), Kind: "Task", Prose: true, More: c.d.fields(in.Rest)}}
	if c.failed() {
		return v, nil
	}
	var res struct{ Task taskFields }
	if !c.result(&res) || res.Task.ID == "" && res.Task.Subject == "" {
		if s := c.text(); s != "" {
			v.Rows = []field{c.d.field("result", s)}
			v.Rows[0].Long = true
		}
		return v, nil
	}
	v.Target = oneLine(string(res.Task.Subject), 160)
	v.Facts = facts(taskWords(string(res.Task.Status)), oneLine(string(res.Task.Owner), 40))
	v.Description = c.d.markdown(string(res.Task.Description), c.Head().Anchor)
	v.Rows = append(links("blocks", res.Task.Blocks), links("waits for", res.Task.BlockedBy)...)
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
	v := taskList{row: row{Icon: "todo", Label: "Tasks", Prose: true, More: c.d.fields(in.Rest)}}
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
	v.Target = doneOf(done, len(v.Todos))
	return v, nil
}
