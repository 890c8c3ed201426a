package tools

// The tools of Kimi Code and kimi-cli whose name or input differs from those of others.
var (
	_ = register(Tool{Name: "ReadFile", Icon: "file", Label: "Read", Action: Read, Describe: describeReadFile})
	_ = register(Tool{Name: "ReadMediaFile", Icon: "image", Label: "Read", Action: Read, Describe: describeReadFile})
	_ = register(Tool{
		Name: "WriteFile", Icon: "write", Label: "Write", Action: Write, Describe: describeWriteFile,
		Files: writtenFiles,
	})
	_ = register(Tool{
		Name: "StrReplaceFile", Icon: "edit", Label: "Edit", Action: Edit, Describe: describeEdit, Files: editFiles,
	})
	_ = register(Tool{Name: "TodoList", Icon: "todo", Label: "Todos", Action: Plan, Describe: describeForeignTodos})
	_ = register(Tool{Name: "SetTodoList", Icon: "todo", Label: "Todos", Action: Plan, Describe: describeForeignTodos})
	_ = register(Tool{
		Name: "FetchURL", Icon: "globe", Label: "WebFetch", Action: Fetch,
		Template: "webfetch", Detail: WebFetch{}, Describe: describeWebFetch,
	})
	_ = register(Tool{
		Name: "SearchWeb", Icon: "globe", Label: "WebSearch", Action: Fetch, Describe: describePiWebSearch,
	})
	_ = said("AgentSwarm", "agent", "Agents", "prompt_template", "description")
	_ = said("Think", "message", "Thought", "thought", "")
	_ = said("SendDMail", "message", "Message to the past", "message", "")
	_ = plain("CreateSubagent", "agent", "New agent", "name")
	_ = plain("CreateGoal", "plan", "Goal", "objective")
	_ = plain("GetGoal", "plan", "Goal", "")
	_ = plain("UpdateGoal", "plan", "Goal", "status")
	_ = plain("SetGoalBudget", "plan", "Budget of the goal", "")
)
