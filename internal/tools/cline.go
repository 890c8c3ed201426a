package tools

import (
	"strings"

	"viewer/internal/fields"
	"viewer/internal/words"
)

// The tools of Cline and Roo Code whose name or input differs from those of others.
var (
	_ = foreignShell("execute_command")
	_ = register(Tool{
		Name: "write_to_file", Has: "content", Icon: "write", Label: "Write", Action: Write,
		Describe: describeWriteFile, Files: writtenFiles,
	})
	_ = register(Tool{Name: "list_files", Icon: "folder", Label: "List", Action: Read, Describe: describeListFolder})
	_ = register(Tool{Name: "search_files", Icon: "find", Label: "Grep", Action: Search, Describe: describeSearchFiles})
	_ = register(Tool{
		Name: "update_todo_list", Icon: "todo", Label: "Todos", Action: Plan, Describe: describeChecklist,
	})
	_ = plain("list_code_definition_names", "symbol", "Definitions", "path")
	_ = plain("insert_content", "edit", "Insert", "path")
	_ = plain("search_and_replace", "edit", "Replace", "path")
	_ = plain("use_mcp_tool", "plug", "Tool of a server", "tool_name")
	_ = plain("access_mcp_resource", "plug", "Read resource", "uri")
	_ = plain("browser_action", "globe", "Browser", "action")
	_ = plain("switch_mode", "plan", "Mode", "mode_slug")
	_ = plain("fetch_instructions", "skill", "Instructions", "task")
	_ = final("attempt_completion", "Task complete", "result")
	_ = asks("ask_followup_question")
	_ = said("plan_mode_respond", "plan", "Plan", "response", "")
	_ = said("new_task", "agent", "New task", "message", "mode")
	_ = said("condense", "compact", "Condense", "context", "")
)

func describeSearchFiles(c *Call) error {
	var in struct {
		Path, Regex, FilePattern fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	target := string(in.Regex)
	if where := words.NonEmpty(c.Short(string(in.Path)), string(in.FilePattern)); len(where) > 0 {
		target += " in " + strings.Join(where, " ")
	}
	c.Rest = in.Rest
	c.target("regex", target, 200)
	if c.answered() {
		c.read(Section{Text: c.text()})
	}
	return nil
}

// describeChecklist describes a list of things to do in Markdown: "[x] Look", "[-] Mend", "[ ] Fire".
func describeChecklist(c *Call) error {
	var in struct {
		Todos, Checklist fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Rest = true, in.Rest
	var items []Item
	for line := range strings.Lines(string(in.Todos + in.Checklist)) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "- ")
		status := ""
		switch {
		case strings.HasPrefix(line, "[x]"), strings.HasPrefix(line, "[X]"):
			status = "completed"
		case strings.HasPrefix(line, "[-]"), strings.HasPrefix(line, "[~]"):
			status = "in_progress"
		}
		if at := strings.IndexByte(line, ']'); at == 2 && line[0] == '[' {
			line = strings.TrimSpace(line[3:])
		}
		if line != "" {
			items = append(items, NewItem(words.Line(line, 400), status))
		}
	}
	c.given(Section{Shape: Items, Items: items})
	c.Target = progress(items)
	return nil
}
