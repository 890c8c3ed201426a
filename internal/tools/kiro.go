package tools

// Tools of Kiro's command line.
var (
	_ = register(Tool{
		Name: "fs_write", Has: "old_str", Icon: "edit", Label: "Edit", Action: Edit,
		Describe: describeEdit, Files: editFiles,
	})
	_ = register(Tool{
		Name: "fs_write", Has: "file_text", Icon: "write", Label: "Write", Action: Write,
		Describe: describeWrite, Files: writeFiles,
	})
	_ = plain("fs_write", "write", "Write", "path")
	_ = plain("fs_read", "file", "Read", "path")
)
