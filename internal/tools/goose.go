package tools

import (
	"slices"
	"strings"

	"viewer/internal/fields"
	"viewer/internal/words"
	"viewer/normalize"
)

// Tools of Goose. Its reader gives those of the extension for developers the names that older versions have.
var (
	_ = register(Tool{
		Name: "developer__shell", Icon: "term", Label: "Bash", Action: Run, Command: "command",
		Template: "bash", Detail: Bash{}, Describe: describePiBash,
	})
	_ = register(Tool{
		Name: "developer__text_editor", Has: "old_str", Icon: "edit", Label: "Edit", Action: Edit,
		Describe: describeEdit, Files: editFiles,
	})
	_ = register(Tool{
		Name: "developer__text_editor", Has: "file_text", Icon: "write", Label: "Write", Action: Write,
		Describe: describeWrite, Files: writeFiles,
	})
	_ = register(Tool{
		Name: "developer__text_editor", Has: "diff", Icon: "edit", Label: "Patch", Action: Edit,
		Describe: describeListedFile,
	})
	_ = register(Tool{
		Name: "developer__text_editor", Has: "insert_line", Icon: "edit", Label: "Insert", Action: Edit,
		Describe: describeListedFile,
	})
	_ = register(Tool{
		Name: "developer__text_editor", Has: "view_range", Icon: "file", Label: "Read", Action: Read,
		Describe: describeEditorView,
	})
	_ = register(Tool{
		Name: "developer__text_editor", Icon: "file", Label: "Text editor", Action: Read, Describe: describeEditorView,
	})
	_ = register(Tool{
		Name: "developer__edit", Icon: "edit", Label: "Edit", Action: Edit, Describe: describeEdit, Files: editFiles,
	})
	_ = register(Tool{
		Name: "developer__write", Icon: "write", Label: "Write", Action: Write, Describe: describeWrite,
		Files: writeFiles,
	})
	_ = register(Tool{
		Name: "developer__tree", Icon: "folder", Label: "Tree", Action: Read, Describe: describeListFolder,
	})
	_ = register(Tool{
		Name: "developer__image_processor", Icon: "image", Label: "Image", Action: Read, Path: "path",
		Describe: describeViewImage,
	})
	_ = register(Tool{
		Name: "developer__read_image", Icon: "image", Label: "Image", Action: Read, Path: "path",
		Describe: describeViewImage,
	})
	_ = register(Tool{
		Name: "todo__todo_write", Icon: "todo", Label: "Todos", Action: Plan, Describe: describeTodoText,
	})
	_ = register(Tool{
		Name: "delegate", Icon: "agent", Label: "Agent", Action: Delegate, Describe: describeDelegate,
	})
	_ = register(Tool{
		Name: "subagent", Has: "instructions", Icon: "agent", Label: "Agent", Action: Delegate,
		Describe: describeDelegate,
	})
	_ = register(Tool{
		Name: "execute_typescript", Icon: "term", Label: "Script", Action: Run, Describe: describeScript,
	})
	_ = register(Tool{Name: "execute_code", Icon: "term", Label: "Script", Action: Run, Describe: describeScript})
	_ = plain("developer__analyze", "symbol", "Analyze", "path")
	_ = plain("developer__screen_capture", "image", "Screenshot", "window_title")
	_ = plain("todo__todo_read", "todo", "Todos", "")
	_ = plain("load", "skill", "Load", "source")
	_ = register(Tool{Name: "load_skill", Icon: "skill", Label: "Skill", Skill: "name", Describe: describeNamedSkill})
	_ = register(Tool{Name: "loadSkill", Icon: "skill", Label: "Skill", Skill: "name", Describe: describeNamedSkill})
	_ = plain("list_functions", "gear", "List functions", "")
	_ = plain("get_function_details", "gear", "Function details", "")
	_ = plain("developer__list_windows", "image", "List windows", "")
	_ = final("recipe__final_output", "Final output", "summary")
)

// describeListedFile describes a change of a file that is not followed.
func describeListedFile(c *Call) error {
	c.listed("path")
	return nil
}

// describeEditorView describes a read: the result has the file as Markdown for the model. The editor can also take back
// its last change.
func describeEditorView(c *Call) error {
	var in struct {
		Command, Path fields.Text
		ViewRange     []fields.Number
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Path, c.Rest, c.Media = string(in.Path), in.Rest, true
	if len(in.ViewRange) == 2 {
		c.Part = "from line " + words.Count(int(in.ViewRange[0]))
		if in.ViewRange[1] > 0 {
			c.Part = "lines " + words.Count(int(in.ViewRange[0])) + "–" + words.Count(int(in.ViewRange[1]))
		}
	}
	switch in.Command {
	case "view":
		c.Label = "Read"
	case "undo_edit":
		c.Label, c.Action = "Undo", Edit
	default:
		c.fact(words.Line(string(in.Command), 40))
	}
	if !c.answered() || c.failed() {
		return nil
	}
	text := c.text()
	if in.Command == "view" {
		if first, code := NumberedLines(fenced(text)); first > 0 {
			c.source(code, first, 0)
			return nil
		}
	}
	c.read(Section{Text: text})
	return nil
}

// fenced returns the text between the fences of a result like "### /w/a.go\n```go\n1: package a\n```", and other
// results unchanged.
func fenced(text string) string {
	head, rest, ok := strings.Cut(text, "\n")
	fence, body, opened := strings.Cut(rest, "\n")
	if !ok || !opened || !strings.HasPrefix(head, "### ") || !strings.HasPrefix(fence, "```") {
		return text
	}
	if at := strings.LastIndex(body, "\n```"); at >= 0 {
		return body[:at]
	}
	return body
}

// describeTodoText describes a list in Markdown: "- [x] Mend the roof". Other lines are notes.
func describeTodoText(c *Call) error {
	var in struct {
		Content fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Rest = true, in.Rest
	var items []Item
	var notes []string
	for line := range strings.Lines(string(in.Content)) {
		item, ok := checked(strings.TrimSpace(line))
		if ok {
			items = append(items, item)
			continue
		}
		notes = append(notes, line)
	}
	c.given(Section{Shape: Markdown, Text: strings.TrimSpace(strings.Join(notes, ""))})
	if c.Target = firstLine(strings.TrimLeft(string(in.Content), "# \n")); len(items) > 0 {
		c.given(Section{Shape: Items, Items: items})
		c.Target = progress(items)
	}
	return nil
}

// checked returns the item of a line with a box to check.
func checked(line string) (Item, bool) {
	rest := strings.TrimLeft(line, "-*+ ")
	if len(rest) < len("[ ] a") || rest[0] != '[' || rest[2] != ']' || rest == line {
		return Item{}, false
	}
	status := ""
	switch rest[1] {
	case 'x', 'X':
		status = "completed"
	case '-', '/', '~':
		status = "in_progress"
	case ' ':
	default:
		return Item{}, false
	}
	return NewItem(strings.TrimSpace(rest[3:]), status), true
}

// describeDelegate describes a call that starts an agent with a task, or with a recipe.
func describeDelegate(c *Call) error {
	var in struct {
		Instructions, Source fields.Text
		Async                fields.Bool
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	task := string(in.Instructions)
	c.Prose, c.Rest = true, in.Rest
	c.Target = words.Line(strings.Join(words.NonEmpty(string(in.Source), firstLine(task)), ": "), 160)
	if !slices.ContainsFunc(c.group.Agents, func(a *normalize.Agent) bool { return begins(a, task) }) {
		c.given(Section{Shape: Prose, Text: task, Label: "Task", Name: "p"})
	}
	if in.Async {
		c.Background = true
		c.mark("in background", Neutral)
	}
	if !c.answered() || c.failed() {
		return nil
	}
	var started struct{ AnswersLater fields.Bool }
	if c.result(&started); bool(in.Async || started.AnswersLater) { // in a message
		c.read(Section{Text: c.text()})
		return nil
	}
	c.read(Section{Shape: Prose, Text: c.text(), Label: "Answer", Name: "a"})
	return nil
}
