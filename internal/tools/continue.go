package tools

// The tools of Continue whose name or input differs from those of others.
var (
	_ = register(Tool{
		Name: "Read", Has: "filepath", Icon: "file", Label: "Read", Action: Read, Path: "filepath",
		Describe: describeReadFile,
	})
	_ = register(Tool{
		Name: "Write", Has: "filepath", Icon: "write", Label: "Write", Action: Write, Path: "filepath",
		Describe: describeWriteFile, Files: writtenFiles,
	})
	_ = register(Tool{
		Name: "create_new_file", Icon: "write", Label: "Write", Action: Write, Path: "filepath",
		Describe: describeWriteFile, Files: writtenFiles,
	})
	_ = register(Tool{
		Name: "single_find_and_replace", Icon: "edit", Label: "Edit", Action: Edit, Path: "filepath",
		Describe: describeReplace, Files: replaceFiles,
	})
	_ = register(Tool{Name: "List", Icon: "folder", Label: "LS", Action: Read, Describe: describeListFolder})
	_ = register(Tool{Name: "Search", Icon: "find", Label: "Grep", Action: Search, Describe: describeGrep})
	_ = register(Tool{
		Name: "Fetch", Icon: "globe", Label: "WebFetch", Action: Fetch,
		Template: "webfetch", Detail: WebFetch{}, Describe: describeWebFetch,
	})
	_ = register(Tool{
		Name: "fetch_url_content", Icon: "globe", Label: "WebFetch", Action: Fetch,
		Template: "webfetch", Detail: WebFetch{}, Describe: describeWebFetch,
	})
	_ = register(Tool{Name: "Checklist", Icon: "todo", Label: "Todos", Action: Plan, Describe: describeChecklist})
	_ = plain("edit_existing_file", "edit", "Edit", "filepath")
	_ = plain("file_glob_search", "find", "Glob", "pattern")
	_ = plain("view_diff", "git", "Diff", "")
	_ = plain("read_currently_open_file", "file", "Open file", "")
	_ = plain("codebase", "find", "Search", "query")
	_ = plain("create_rule_block", "skill", "Rule", "name")
	_ = plain("request_rule", "skill", "Rule", "name")
	_ = plain("view_repo_map", "symbol", "Map", "")
	_ = plain("view_subdirectory", "folder", "Folder", "directory_path")
)
