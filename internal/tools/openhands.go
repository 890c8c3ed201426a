package tools

import (
	"viewer/internal/fields"
)

// The tools of OpenHands since version 1. Its shell is called terminal, as in Hermes Agent.
var (
	_ = register(Tool{
		Name: "file_editor", Has: "old_str", Icon: "edit", Label: "Edit", Action: Edit, Describe: describeEdit,
		Files: editFiles,
	})
	_ = register(Tool{
		Name: "file_editor", Has: "file_text", Icon: "write", Label: "Write", Action: Write, Describe: describeWrite,
		Files: writeFiles,
	})
	_ = register(Tool{
		Name: "file_editor", Has: "insert_line", Icon: "edit", Label: "Insert", Action: Edit,
		Describe: describeEditorPatch, Files: editorPatchFiles,
	})
	_ = register(Tool{Name: "file_editor", Icon: "file", Label: "Read", Action: Read, Describe: describeEditorView})
	_ = register(Tool{
		Name: "task_tracker", Icon: "todo", Label: "Todos", Action: Plan, Describe: describeTaskTracker,
	})
)

// describeTaskTracker describes a list of things to do.
func describeTaskTracker(c *Call) error {
	var in struct {
		Command  fields.Ignored
		TaskList fields.List[struct{ Title, Notes, Status fields.Text }]
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	if len(in.TaskList) == 0 {
		c.listed("command")
		return nil
	}
	c.Prose, c.Rest = true, in.Rest
	var items []Item
	for _, t := range in.TaskList {
		what := string(t.Title)
		if t.Notes != "" {
			what += ": " + string(t.Notes)
		}
		items = append(items, NewItem(what, string(t.Status)))
	}
	c.given(Section{Shape: Items, Items: items})
	c.Target = progress(items)
	return nil
}
