package tools

import (
	"cmp"

	"viewer/internal/fields"
	"viewer/internal/words"
)

// Plans, questions, memories and agents of Gemini CLI.
var (
	_ = register(Tool{Name: "write_todos", Icon: "todo", Label: "Todos", Action: Plan, Describe: describeForeignTodos})
	_ = register(Tool{Name: "todo_write", Icon: "todo", Label: "Todos", Action: Plan, Describe: describeForeignTodos})
	_ = register(Tool{Name: "update_topic", Icon: "plan", Label: "Topic", Action: Plan, Describe: describeTopic})
	_ = register(Tool{
		Name: "ask_user", Icon: "question", Label: "Question", Action: Ask,
		Template: "askuserquestion", Detail: Questions{}, Describe: describeAskUserQuestion,
	})
	_ = register(Tool{
		Name: "ask_user_question", Icon: "question", Label: "Question", Action: Ask,
		Template: "askuserquestion", Detail: Questions{}, Describe: describeAskUserQuestion,
	})
	_ = plain("save_memory", "file", "Remember", "fact")
	_ = plain("activate_skill", "skill", "Skill", "name")
	_ = plain("enter_plan_mode", "plan", "Plan mode", "reason")
	_ = foreignAgent("codebase_investigator")
	_ = foreignAgent("delegate_to_agent")
	_ = foreignAgent("invoke_agent")
)

func describeForeignTodos(c *Call) error {
	var in struct {
		Todos, TodoList fields.List[struct{ Title, Description, Content, Status fields.Text }]
		Operation       fields.Ignored
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Rest = true, in.Rest
	var items []Item
	for _, t := range append(in.Todos, in.TodoList...) {
		status := string(t.Status)
		switch status {
		case "cancelled":
			status = "deleted"
		case "not-started":
			status = "pending"
		case "in-progress":
			status = "in_progress"
		}
		items = append(items, NewItem(string(cmp.Or(t.Title, t.Description, t.Content)), status))
	}
	c.given(Section{Shape: Items, Items: items})
	c.Target = progress(items)
	return nil
}

// describeTopic describes the topic of the next part of the session, like the title of a chapter.
func describeTopic(c *Call) error {
	var in struct {
		Title, Summary, StrategicIntent fields.Text
		WaitForPrevious                 fields.Ignored
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Rest = true, in.Rest
	c.target("title", string(cmp.Or(in.Title, in.StrategicIntent)), 160)
	c.given(Section{Shape: Prose, Text: string(in.Summary)})
	if in.Title != "" && in.StrategicIntent != "" {
		c.given(Section{Shape: Fields, List: []Field{{Name: "intent", Value: string(in.StrategicIntent), Long: true}}})
	}
	return nil
}

func foreignAgent(name string) struct{} {
	return register(Tool{Name: name, Icon: "agent", Label: "Agent", Action: Delegate, Describe: describeForeignAgent})
}

func describeForeignAgent(c *Call) error {
	var in struct {
		AgentName, Objective, Prompt, Request, Task, Question, Description fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Rest = true, in.Rest
	task := string(cmp.Or(in.Objective, in.Prompt, in.Request, in.Task, in.Question))
	name := cmp.Or(string(in.AgentName), c.Tool)
	c.Target = words.Line(name+": "+firstLine(string(cmp.Or(in.Description, fields.Text(task)))), 160)
	c.given(Section{Shape: Prose, Text: task, Name: "p"})
	if c.answered() {
		c.read(Section{Shape: Prose, Text: c.text()})
	}
	return nil
}
