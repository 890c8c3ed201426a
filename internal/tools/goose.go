package tools

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/markup"
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
		Describe: describeEditorPatch, Files: editorPatchFiles,
	})
	_ = register(Tool{
		Name: "developer__text_editor", Has: "insert_line", Icon: "edit", Label: "Insert", Action: Edit,
		Describe: describeEditorPatch, Files: editorPatchFiles,
	})
	_ = register(Tool{
		Name: "developer__text_editor", Icon: "file", Label: "Read", Action: Read, Describe: describeEditorView,
	})
	_ = register(Tool{
		Name: "developer__undo_edit", Icon: "edit", Label: "Undo", Action: Edit, Describe: describeUndo,
		Files: undoneFiles,
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

// An editorPatch changes a file by a unified diff, or puts lines after one.
type editorPatch struct {
	Path, Diff, NewStr fields.Text
	InsertLine         fields.Number
	Command            fields.Ignored // the label tells
	fields.Extra
}

// hunks returns what the patch changes, nil if that is not known: a diff may be of several files, and lines may be
// inserted at the end, which is line -1.
func (p editorPatch) hunks() []markup.Hunk {
	if overlong(string(p.Diff), string(p.NewStr)) || strings.Count("\n"+string(p.Diff), "\n+++ ") > 1 {
		return nil
	}
	if p.Diff != "" {
		return unifiedHunks(string(p.Diff))
	}
	if p.InsertLine < 0 || p.InsertLine > 1<<30 || p.NewStr == "" {
		return nil
	}
	h := markup.Hunk{OldStart: int(p.InsertLine), NewStart: int(p.InsertLine) + 1}
	for line := range strings.Lines(string(p.NewStr)) {
		h.Lines = append(h.Lines, "+"+strings.TrimSuffix(line, "\n"))
	}
	return []markup.Hunk{h}
}

func describeEditorPatch(c *Call) error {
	var in editorPatch
	if err := c.input(&in); err != nil {
		return err
	}
	ch := Change{Path: string(in.Path), Hunks: in.hunks()}
	if len(ch.Hunks) == 0 {
		c.listed("path")
		return nil
	}
	c.Path, c.Rest = ch.Path, in.Rest
	c.changed(ch)
	c.given(Section{Shape: Diff, Hunks: ch.Hunks, Lang: c.Path})
	return nil
}

func editorPatchFiles(input, _ jsontext.Value) []FileOp {
	var in editorPatch
	if fields.Decode(input, &in) != nil {
		return nil
	}
	return oneFile(ChangeFile, string(in.Path), func() FileTexts { return FileTexts{Hunks: in.hunks()} })
}

// describeEditorView describes a read: the result has the file as Markdown for the model.
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
		c.Part = linesOf(int(in.ViewRange[0]), int(in.ViewRange[1]))
	}
	if in.Command != "view" {
		c.fact(words.Line(string(in.Command), 40))
	}
	if !c.answered() || c.failed() {
		return nil
	}
	text := c.text()
	first, code := NumberedLines(fenced(text))
	if first == 0 || in.Command != "view" {
		c.read(Section{Text: text})
		return nil
	}
	c.source(code, first, 0)
	if first == 1 && len(in.ViewRange) == 0 && !strings.Contains(text, "\n[Showing lines ") {
		c.shown = FileTexts{Before: &code, EndUnknown: true}
	}
	return nil
}

func describeUndo(c *Call) error {
	var in struct {
		Path    fields.Text
		Command fields.Ignored // the label tells
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Path, c.Rest = string(in.Path), in.Rest
	c.read(Section{Text: c.text()})
	return nil
}

// undoneFiles returns a change without texts for a call that takes back the last change of a file.
func undoneFiles(input, _ jsontext.Value) []FileOp {
	path, _ := stringMember(input, "path")
	return oneFile(ChangeFile, path, func() FileTexts { return FileTexts{} })
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
