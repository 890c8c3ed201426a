package tools

import (
	"cmp"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
)

// The tools that only Cursor has. The others have names of Claude Code's tools, or of Gemini CLI's.
var (
	_ = foreignShell("Shell")
	_ = register(Tool{
		Name: "StrReplace", Icon: "edit", Label: "Edit", Action: Edit, Describe: describeReplace, Files: replaceFiles,
	})
	_ = register(Tool{
		Name: "ApplyPatch", Icon: "edit", Label: "Patch", Action: Edit, Describe: describeApplyPatch, Files: patchFiles,
	})
	_ = register(Tool{Name: "Delete", Icon: "file", Action: Delete, Describe: describeDelete})

	// of the editor
	_ = foreignShell("run_terminal_cmd")
	_ = foreignShell("run_terminal_command")
	_ = register(Tool{
		Name: "search_replace", Icon: "edit", Label: "Edit", Action: Edit, Describe: describeReplace,
		Files: replaceFiles,
	})
	_ = register(Tool{
		Name: "edit_file", Icon: "edit", Label: "Edit", Action: Edit, Path: "target_file", Describe: describeInsertEdit,
		Files: insertedFiles,
	})
	_ = register(Tool{
		Name: "delete_file", Icon: "file", Label: "Delete", Action: Delete, Describe: describeDelete,
		Files: deletedFiles,
	})
	_ = register(Tool{
		Name: "codebase_search", Icon: "find", Label: "Search", Action: Search, Describe: describeForeignGrep,
	})
	_ = register(Tool{
		Name: "ripgrep_raw_search", Icon: "find", Label: "Grep", Action: Search, Describe: describeForeignGrep,
	})
	_ = register(Tool{
		Name: "glob_file_search", Icon: "find", Label: "Glob", Action: Search, Describe: describeForeignGlob,
	})
	_ = plain("read_lints", "symbol", "Read problems", "paths")
	_ = said("create_plan", "plan", "Plan", "plan", "name")
	_ = plain("SemanticSearch", "find", "Search", "query")
	_ = plain("ReadLints", "symbol", "Read problems", "paths")
	_ = plain("AskQuestion", "question", "Question", "title")
	_ = plain("CallMcpTool", "plug", "Tool of a server", "toolName")
	_ = plain("SwitchMode", "plan", "Mode", "target_mode_id")
	_ = plain("Await", "clock", "Wait", "")
	_ = plain("AwaitShell", "clock", "Wait", "shell_id")
)

func deletedFiles(input, _ jsontext.Value) []FileOp {
	path, _ := stringMember(input, "path", "target_file", "targetFile")
	return oneFile(DeleteFile, path, nil)
}

func describeDelete(c *Call) error {
	var in struct {
		Path, TargetFile, Explanation fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Path, c.Description, c.Rest = string(cmp.Or(in.Path, in.TargetFile)), string(in.Explanation), in.Rest
	c.Changes = append(c.Changes, Change{Path: c.Path, Deleted: true})
	if c.answered() {
		c.read(Section{Text: c.text()})
	}
	return nil
}
