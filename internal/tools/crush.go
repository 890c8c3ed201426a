package tools

// The tools of Crush whose name or input differs from those of other tools.
var (
	_ = register(Tool{
		Name: "view", Has: "file_path", Icon: "file", Label: "Read", Action: Read, Describe: describeReadFile,
	})
	_ = register(Tool{
		Name: "fetch", Icon: "globe", Label: "WebFetch", Action: Fetch,
		Template: "webfetch", Detail: WebFetch{}, Describe: describeWebFetch,
	})
	_ = register(Tool{
		Name: "agentic_fetch", Icon: "globe", Label: "WebFetch", Action: Fetch,
		Template: "webfetch", Detail: WebFetch{}, Describe: describeWebFetch,
	})
	_ = register(Tool{Name: "todos", Icon: "todo", Label: "Todos", Action: Plan, Describe: describeTodoWrite})
	_ = plain("sourcegraph", "find", "Sourcegraph", "query")
	_ = plain("download", "globe", "Download", "url")
	_ = plain("job_output", "term", "Output", "shell_id")
	_ = plain("job_kill", "stop", "Stop", "shell_id")
	_ = plain("diagnostics", "symbol", "Diagnostics", "file_path")
	_ = plain("lsp_diagnostics", "symbol", "Diagnostics", "file_path")
	_ = plain("lsp_references", "symbol", "References", "symbol")
)
