package tools

import (
	"viewer/internal/fields"
	"viewer/internal/words"
)

var _ = register(Tool{Name: "TodoWrite", Icon: "todo", Label: "Todos", Action: Plan, Describe: describeTodoWrite})

func describeTodoWrite(c *Call) error {
	var in struct {
		Todos fields.List[struct{ Content, Status, ActiveForm fields.Text }]
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Rest = true, in.Rest
	var items []Item
	for _, t := range in.Todos {
		what := string(t.Content)
		if t.Status == "in_progress" && t.ActiveForm != "" {
			what = string(t.ActiveForm)
		}
		items = append(items, NewItem(what, string(t.Status)))
	}
	c.given(Section{Shape: Items, Items: items})
	c.Target = progress(items)
	return nil
}

// NewItem is a thing to do with its status as logs have it.
func NewItem(what, status string) Item {
	switch status {
	case "completed":
		return Item{what, ItemDone}
	case "in_progress":
		return Item{what, ItemActive}
	case "deleted":
		return Item{what, ItemDeleted}
	}
	return Item{Text: what}
}

// progress says how much of a list is done.
func progress(items []Item) string {
	if len(items) == 0 {
		return "none"
	}
	done := 0
	for _, item := range items {
		if item.State == ItemDone || item.State == ItemDeleted {
			done++
		}
	}
	return words.Count(done) + " of " + words.Count(len(items)) + " done"
}
