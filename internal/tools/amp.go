package tools

// The tools of Amp whose name or input differs from those of others.
var (
	_ = register(Tool{
		Name: "Bash", Has: "cmd", Icon: "term", Label: "Bash", Action: Run, Command: "cmd",
		Template: "bash", Detail: Bash{}, Describe: describeExecCommand,
	})
	_ = register(Tool{
		Name: "edit_file", Has: "old_str", Icon: "edit", Label: "Edit", Action: Edit,
		Describe: describeReplace, Files: replaceFiles,
	})
	_ = register(Tool{
		Name: "read_web_page", Icon: "globe", Label: "WebFetch", Action: Fetch,
		Template: "webfetch", Detail: WebFetch{}, Describe: describeWebFetch,
	})
	_ = said("oracle", "agent", "Oracle", "task", "")
	_ = said("finder", "find", "Search", "query", "")
	_ = said("librarian", "agent", "Librarian", "query", "")
	_ = said("handoff", "agent", "Hand off", "goal", "")
	_ = plain("look_at", "image", "Look", "path")
	_ = plain("undo_edit", "edit", "Undo", "path")
	_ = plain("mermaid", "symbol", "Diagram", "")
	_ = plain("todo_read", "todo", "Todos", "")
)
