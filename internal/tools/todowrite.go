package tools

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/transcript"
	"viewer/internal/words"
)

var _ = register(Tool{Name: "TodoWrite", Icon: "todo", Label: "Todos", Action: Plan, Describe: describeTodoWrite})

func describeTodoWrite(c *Call) error {
	text := transcript.String(transcript.Field(c.group.Call.Block.Input, "todos"))
	if text != "" && !jsontext.Value(text).IsValid() {
		return describeTodoLines(c, text)
	}
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

// describeTodoLines describes a list given as text, as in Droid: "1. [in_progress] Mend the roof".
func describeTodoLines(c *Call, text string) error {
	var in struct {
		Todos fields.Ignored
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Rest = true, in.Rest
	var items []Item
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if number, rest, ok := strings.Cut(line, ". "); ok && strings.Trim(number, "0123456789") == "" {
			line = rest
		}
		status := ""
		if rest, ok := strings.CutPrefix(line, "["); ok {
			if in, what, closed := strings.Cut(rest, "]"); closed {
				status, line = in, strings.TrimSpace(what)
			}
		}
		if line != "" {
			items = append(items, NewItem(line, status))
		}
	}
	c.given(Section{Shape: Items, Items: items})
	c.Target = progress(items)
	return nil
}

// NewItem returns an item for a status as logs name it.
func NewItem(what, status string) Item {
	switch status {
	case "completed", "done":
		return Item{what, ItemDone}
	case "in_progress":
		return Item{what, ItemActive}
	case "deleted":
		return Item{what, ItemDeleted}
	}
	return Item{Text: what}
}

// progress returns how much of a list is done, in words.
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
