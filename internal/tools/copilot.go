package tools

import (
	"strings"

	"viewer/internal/fields"
	"viewer/internal/words"
)

// The tools of Copilot whose name or input differs from those of others.
var (
	_ = register(Tool{Name: "view", Icon: "file", Label: "Read", Action: Read, Describe: describeView})
	_ = register(Tool{
		Name: "ask_user", Has: "question", Icon: "question", Label: "Question", Action: Ask,
		Template: "askuserquestion", Detail: Questions{}, Describe: describeAskUser,
	})
	_ = register(Tool{
		Name: "bash", Has: "description", Icon: "term", Label: "Bash", Action: Run, Command: "command",
		Template: "bash", Detail: Bash{}, Describe: describeExecCommand, PrintsAll: true,
	})
	_ = register(Tool{
		Name: "edit", Has: "old_str", Icon: "edit", Label: "Edit", Action: Edit,
		Describe: describeEdit, Files: editFiles,
	})
	_ = register(Tool{
		Name: "grep", Has: "output_mode", Icon: "find", Label: "Grep", Action: Search, Describe: describeGrep,
	})
	_ = register(Tool{
		Name: "web_fetch", Has: "url", Icon: "globe", Label: "WebFetch", Action: Fetch,
		Template: "webfetch", Detail: WebFetch{}, Describe: describeWebFetch,
	})
	_ = shellSession("read_bash", "Output")
	_ = shellSession("read_powershell", "Output")
	_ = shellSession("write_bash", "Input")
	_ = shellSession("write_powershell", "Input")
	_ = shellSession("stop_bash", "Stop")
	_ = shellSession("stop_powershell", "Stop")
	_ = plain("list_bash", "term", "Shells", "")
	_ = plain("list_powershell", "term", "Shells", "")
	_ = final("task_complete", "Task complete", "summary")
	_ = plain("read_agent", "agent", "Agent output", "agent_id")
	_ = said("write_agent", "message", "Message to agent", "message", "agent_id")
	_ = plain("store_memory", "file", "Memory", "fact")
	_ = plain("fetch_copilot_cli_documentation", "file", "Documentation", "")
	_ = query("sql")
	_ = query("session_store_sql")
)

// describeView describes reading a file, a folder or a picture.
func describeView(c *Call) error {
	var in struct {
		Path             fields.Text
		ViewRange        []fields.Number
		ForceReadLarge   fields.Ignored `json:"forceReadLargeFiles"`
		IncludeLineCount fields.Ignored
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Path, c.Rest, c.Media = string(in.Path), in.Rest, true
	if len(in.ViewRange) == 2 {
		c.Part = linesOf(int(in.ViewRange[0]), int(in.ViewRange[1]))
	}
	if !c.answered() {
		return nil
	}
	images := media(c.group.Result.Block.Content)
	if len(images) > 0 {
		c.fact("image")
		c.images(images)
		return nil
	}
	text := c.text()
	first, code := dottedLines(text)
	c.source(code, first, 0)
	if in.ViewRange == nil && first <= 1 && text != "" {
		c.shown.Before = &code
	}
	return nil
}

// dottedLines removes the line numbers that Copilot writes for the model: "12. text".
func dottedLines(s string) (first int, code string) {
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	for i, l := range lines {
		n := 0
		end := 0
		for end < len(l) && end < 9 && '0' <= l[end] && l[end] <= '9' {
			n, end = n*10+int(l[end]-'0'), end+1
		}
		rest, ok := strings.CutPrefix(l[end:], ".")
		if end == 0 || !ok || i > 0 && n != first+i || rest != "" && rest[0] != ' ' {
			return NumberedLines(s)
		}
		if i == 0 {
			first = n
		}
		lines[i] = strings.TrimPrefix(rest, " ")
	}
	return first, strings.Join(lines, "\n")
}

// describeAskUser describes one question; the answer is the result.
func describeAskUser(c *Call) error {
	var in struct {
		Question      fields.Text
		Choices       fields.List[fields.Text]
		AllowFreeform fields.Ignored
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Open, c.Rest = true, true, in.Rest
	c.Target = words.Line(string(in.Question), 160)
	q := Question{Text: string(in.Question)}
	for _, choice := range in.Choices {
		q.Options = append(q.Options, Option{Label: string(choice)})
	}
	if c.answered() {
		answer := c.text()
		for _, begin := range []string{"User selected: ", "User responded: "} {
			answer = strings.TrimPrefix(answer, begin)
		}
		if answer = strings.TrimSpace(answer); answer != "" {
			q.answer([]string{answer})
		}
	}
	c.given(Section{Shape: Text, Drawn: true, Text: q.Text})
	c.given(Section{Shape: Items, Drawn: true, Items: q.items()})
	c.Detail = Questions{Asked: []Question{q}}
	return nil
}

// shellSession registers a tool that continues a running command.
func shellSession(name, label string) struct{} {
	return register(Tool{
		Name: name, Icon: "term", Label: label, Action: Run, Template: "bash", Detail: Bash{},
		Describe: func(c *Call) error {
			var in struct {
				ShellID, Input fields.Text
				Delay          fields.Number
				fields.Extra
			}
			if err := c.input(&in); err != nil {
				return err
			}
			c.Target, c.Rest, c.Failure = words.Line(string(in.ShellID), 60), in.Rest, true
			if in.Input != "" {
				c.Target += ": " + words.Line(string(in.Input), 120)
				c.given(Section{Shape: Fields, List: []Field{{Name: "typed", Value: string(in.Input), Long: true}}})
			}
			c.commandEnd()
			return nil
		},
	})
}

// query registers a tool that queries a database of Copilot, such as its list of things to do.
func query(name string) struct{} {
	return register(Tool{Name: name, Icon: "table", Label: "SQL", Describe: func(c *Call) error {
		var in struct {
			Query, Description, Database fields.Text
			fields.Extra
		}
		if err := c.input(&in); err != nil {
			return err
		}
		c.Description, c.Rest = string(in.Description), in.Rest
		c.target("description", c.Description, 160)
		c.Prose = c.Description != ""
		if c.Target == "" {
			c.Target = words.Line(string(in.Query), 160)
		}
		if in.Database != "" {
			c.fact(words.Line(string(in.Database), 40))
		}
		c.given(Section{Shape: Code, Text: string(in.Query), Lang: "sql"})
		if !c.failed() { // otherwise the result is the reason
			c.read(Section{Shape: Any, Text: c.text()})
		}
		if todos, ok := c.context.Tasks[c.group]; ok { // it changed the list
			c.Label, c.Icon = "Todos", "todo"
			if c.Description == "" && todos.Subject != "" {
				c.Target, c.Prose = words.Line(todos.Subject, 160), true
			}
			c.fact(progress(todos.list()))
			c.allTasks()
		}
		return nil
	}})
}
