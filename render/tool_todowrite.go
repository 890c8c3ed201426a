package render

var _ = register(tools, "TodoWrite", "todowrite", viewTodoWrite)

type todoWrite struct {
	row
	Todos []todo
}

// A todo is one line of a list of things to do.
type todo struct {
	Text  string
	State string // done, now, or "" for open
	Words string // the same for those who do not see the sign
}

func newTodo(what, status string) todo {
	switch status {
	case "completed":
		return todo{what, "done", "done"}
	case "in_progress":
		return todo{what, "now", "in progress"}
	case "deleted":
		return todo{what, "done", "deleted"}
	}
	return todo{Text: what}
}

func viewTodoWrite(c call) (todoWrite, error) {
	var in struct {
		Todos list[struct{ Content, Status, ActiveForm text }]
		extra
	}
	if err := c.input(&in); err != nil {
		return todoWrite{}, err
	}
	v := todoWrite{row: row{Icon: "todo", Label: "Todos", Prose: true, More: c.d.fields(in.Rest)}}
	done := 0
	for _, t := range in.Todos {
		what := string(t.Content)
		if t.Status == "in_progress" && t.ActiveForm != "" {
			what = string(t.ActiveForm)
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

func doneOf(done, all int) string {
	if all == 0 {
		return "none"
	}
	return count(done) + " of " + count(all) + " done"
}
