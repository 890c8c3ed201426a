package tools

import (
	"strings"

	"viewer/internal/fields"
	"viewer/internal/words"
)

// The list of tasks that replaced TodoWrite in 2.1.17: one call for each change.
var (
	_ = register(Tool{Name: "TaskCreate", Icon: "todo", Label: "New task", Action: Plan, Describe: describeTaskCreate})
	_ = register(Tool{Name: "TaskUpdate", Icon: "todo", Action: Plan, Describe: describeTaskUpdate})
	_ = register(Tool{Name: "TaskGet", Icon: "todo", Action: Plan, Describe: describeTaskGet})
	_ = register(Tool{Name: "TaskList", Icon: "todo", Label: "Tasks", Action: Plan, Describe: describeTaskList})

	// of Qwen Code
	_ = register(Tool{Name: "task_create", Icon: "todo", Label: "New task", Action: Plan, Describe: describeTaskCreate})
	_ = register(Tool{Name: "task_update", Icon: "todo", Action: Plan, Describe: describeTaskUpdate})
	_ = register(Tool{Name: "task_get", Icon: "todo", Action: Plan, Describe: describeTaskGet})
	_ = register(Tool{Name: "task_list", Icon: "todo", Label: "Tasks", Action: Plan, Describe: describeTaskList})
)

type taskFields struct {
	ID, Subject, Description, Status, Owner fields.Text
	Blocks, BlockedBy                       []fields.Text
}

type taskCreateInput struct {
	Subject, Description, ActiveForm fields.Text
	fields.Extra
}

type taskCreateResult struct{ Task taskFields }

func describeTaskCreate(c *Call) error {
	var in taskCreateInput
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Rest = true, in.Rest
	c.target("subject", string(in.Subject), 160)
	c.given(Section{Shape: Markdown, Text: string(in.Description)})
	var res taskCreateResult
	if c.result(&res) && res.Task.ID != "" {
		c.fact("#" + string(res.Task.ID))
	}
	c.allTasks()
	return nil
}

// allTasks lists the tasks as they are after the call.
func (c *Call) allTasks() {
	state := c.context.Tasks[c.group]
	label := "All tasks, after this"
	if state.Earlier > 0 {
		label += ": " + words.Plural(state.Earlier, "earlier task", "earlier tasks") + ", and"
	}
	c.read(Section{Shape: Items, Items: state.list(), Label: label})
}

type taskUpdateInput struct {
	TaskID, Status, Subject, Description, ActiveForm, Owner fields.Text
	AddBlocks, AddBlockedBy                                 []fields.Text
	fields.Extra
}

func describeTaskUpdate(c *Call) error {
	var in taskUpdateInput
	if err := c.input(&in); err != nil {
		return err
	}
	c.Label, c.Many, c.Prose, c.Rest = "Task #"+words.Line(string(in.TaskID), 40), "Task change", true, in.Rest
	var res struct {
		StatusChange struct{ From, To fields.Text }
		Error        fields.Text
	}
	c.result(&res)
	change := ""
	switch {
	case res.StatusChange.To != "":
		change = statusWords(string(res.StatusChange.From)) + " → " + statusWords(string(res.StatusChange.To))
	case in.Status != "":
		change = statusWords(string(in.Status))
	case in.Subject != "":
		change = "renamed"
	case len(in.AddBlockedBy) > 0:
		change = "waits for " + taskNumbers(in.AddBlockedBy)
	case len(in.AddBlocks) > 0:
		change = "blocks " + taskNumbers(in.AddBlocks)
	case in.Owner != "":
		change = "for " + words.Line(string(in.Owner), 40)
	}
	subject := string(in.Subject)
	if known := c.context.Tasks[c.group].Subject; known != "" {
		subject = known
	}
	if c.Target = words.Line(subject, 160); c.Target == "" {
		c.Target = change
	} else if change != "" {
		c.mark(change, Neutral)
	}
	var list []Field
	if in.Subject != "" {
		list = append(list, Field{Name: "subject", Value: string(in.Subject)})
	}
	if in.Owner != "" && !strings.HasPrefix(change, "for ") {
		c.fact(words.Line(string(in.Owner), 40))
	}
	list = append(list, taskLinks("blocks", in.AddBlocks)...)
	list = append(list, taskLinks("waits for", in.AddBlockedBy)...)
	c.given(Section{Shape: Markdown, Text: string(in.Description)})
	c.given(Section{Shape: Fields, List: list})
	c.read(Section{Shape: Note, Text: string(res.Error)})
	c.allTasks()
	return nil
}

// taskLinks returns a field for each related task.
func taskLinks(name string, ids []fields.Text) []Field {
	var all []Field
	for _, id := range ids {
		all = append(all, Field{Name: name, Value: "#" + string(id)})
	}
	return all
}

func taskNumbers(ids []fields.Text) string {
	var all []string
	for _, id := range ids {
		all = append(all, "#"+words.Line(string(id), 20))
	}
	return words.Line(strings.Join(all, ", "), 80)
}

func statusWords(status string) string {
	switch status {
	case "in_progress":
		return "in progress"
	case "completed":
		return "done"
	case "pending":
		return "open"
	}
	return words.Line(strings.ReplaceAll(status, "_", " "), 40)
}

func describeTaskGet(c *Call) error {
	var in struct {
		TaskID fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Label, c.Many, c.Prose, c.Rest = "Task #"+words.Line(string(in.TaskID), 40), "Task", true, in.Rest
	if c.failed() {
		return nil
	}
	var res struct{ Task taskFields }
	if !c.result(&res) || res.Task.ID == "" && res.Task.Subject == "" {
		if s := c.text(); s != "" {
			c.read(Section{Shape: Fields, List: []Field{{Name: "result", Value: s, Long: true}}})
		}
		return nil
	}
	c.Target = words.Line(string(res.Task.Subject), 160)
	c.fact(statusWords(string(res.Task.Status)))
	c.fact(words.Line(string(res.Task.Owner), 40))
	c.read(Section{Shape: Markdown, Text: string(res.Task.Description)})
	list := append(taskLinks("blocks", res.Task.Blocks), taskLinks("waits for", res.Task.BlockedBy)...)
	c.read(Section{Shape: Fields, List: list})
	return nil
}

func describeTaskList(c *Call) error {
	var in struct{ fields.Extra }
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Rest = true, in.Rest
	var res struct{ Tasks []taskFields }
	if c.failed() || !c.result(&res) {
		if !c.failed() {
			c.read(Section{Text: c.text()})
		}
		return nil
	}
	var items []Item
	for _, t := range res.Tasks {
		what := "#" + string(t.ID) + " " + string(t.Subject)
		if t.Owner != "" {
			what += " · " + string(t.Owner)
		}
		for _, id := range t.BlockedBy {
			what += " · waits for #" + string(id)
		}
		items = append(items, NewItem(what, string(t.Status)))
	}
	c.read(Section{Shape: Items, Items: items})
	c.Target = progress(items)
	return nil
}
