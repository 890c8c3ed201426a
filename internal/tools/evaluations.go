package tools

import (
	"strings"

	"viewer/internal/fields"
	"viewer/internal/markup"
	"viewer/internal/words"
)

// Tools of agents that programs for evaluations run: OpenHands, Terminus, SWE-agent, and those of Inspect.
var (
	_ = foreignShell("execute_bash")
	_ = register(Tool{
		Name: "bash_command", Icon: "term", Label: "Bash", Action: Run, Command: "keystrokes",
		Template: "bash", Detail: Bash{}, Describe: describeKeystrokes,
	})
	_ = register(Tool{
		Name: "bash", Has: "cmd", Icon: "term", Label: "Bash", Action: Run, Command: "cmd",
		Template: "bash", Detail: Bash{}, Describe: describeCmd,
	})
	_ = register(Tool{Name: "python", Icon: "term", Label: "Python", Action: Run, Describe: describePython})
	_ = register(Tool{
		Name: "str_replace_editor", Has: "old_str", Icon: "edit", Label: "Edit", Action: Edit,
		Describe: describeEdit, Files: editFiles,
	})
	_ = register(Tool{
		Name: "str_replace_editor", Has: "file_text", Icon: "write", Label: "Write", Action: Write,
		Describe: describeWrite, Files: writeFiles,
	})
	_ = register(Tool{
		Name: "str_replace_editor", Has: "insert_line", Icon: "edit", Label: "Insert", Action: Edit,
		Describe: func(c *Call) error {
			c.listed("path")
			return nil
		},
	})
	_ = register(Tool{
		Name: "str_replace_editor", Icon: "file", Label: "Read", Action: Read, Describe: describeView,
	})
	_ = plain("find_file", "find", "Find", "file_name")
	_ = plain("search_dir", "find", "Search", "search_term")
	_ = plain("search_file", "find", "Search", "search_term")
	_ = plain("open", "file", "Open", "path")
	_ = plain("goto", "file", "Go to line", "line_number")
	_ = plain("scroll_up", "file", "Scroll up", "")
	_ = plain("scroll_down", "file", "Scroll down", "")
	_ = plain("insert", "edit", "Insert", "text")
	_ = register(Tool{
		Name: "edit", Has: "search", Icon: "edit", Label: "Edit", Action: Edit, Describe: describeSearchReplace,
	})
	_ = final("mark_task_complete", "Task complete", "")
	_ = final("finish", "Finish", "message")
	_ = final("submit", "Submit", "answer")
	_ = said("think", "plan", "Thought", "thought thoughts", "") // the second of VS Code
)

// describeSearchReplace replaces a text in the file that is open, which the input does not name.
func describeSearchReplace(c *Call) error {
	var in struct {
		Search, Replace fields.Text
		ReplaceAll      fields.Bool `json:"replace-all"`
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	if overlong(string(in.Search), string(in.Replace)) {
		return fields.ErrCrowded
	}
	c.Target, c.Rest = "the open file", in.Rest
	if in.ReplaceAll {
		c.fact("everywhere")
	}
	c.given(Section{Shape: Diff, Hunks: markup.Edits(string(in.Search), string(in.Replace))})
	c.read(Section{Text: c.text()})
	return nil
}

// describeKeystrokes describes typing into a terminal: the result is the screen after it.
func describeKeystrokes(c *Call) error {
	var in struct {
		Keystrokes fields.Text
		Duration   fields.Ignored // how long to wait before the next screen
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Command, c.Rest = strings.TrimSuffix(string(in.Keystrokes), "\n"), in.Rest
	c.Target, c.Failure = words.Line(c.Command, 160), true
	c.commandEnd()
	return nil
}

// describeCmd describes a command of Inspect.
func describeCmd(c *Call) error {
	var in struct {
		Cmd fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Command, c.Rest = string(in.Cmd), in.Rest
	c.Target, c.Failure = words.Line(c.Command, 160), true
	c.commandEnd()
	return nil
}

// describePython describes running code.
func describePython(c *Call) error {
	var in struct {
		Code fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Target, c.Rest, c.Failure = words.Line(string(in.Code), 160), in.Rest, true
	c.given(Section{Shape: Code, Text: string(in.Code), Lang: "python"})
	c.read(Section{Text: c.text()})
	return nil
}
