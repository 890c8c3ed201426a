package tools

import (
	"cmp"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/markup"
	"viewer/internal/words"
)

// The tools of chats in VS Code and in Visual Studio. Many have names of tools of other agents.
var (
	_ = register(Tool{
		Name: "replace_string_in_file", Icon: "edit", Label: "Edit", Action: Edit, Describe: describeReplace,
		Files: replaceFiles,
	})
	_ = register(Tool{
		Name: "multi_replace_string_in_file", Icon: "edit", Label: "Edits", Action: Edit,
		Describe: describeManyReplaces, Files: manyReplaces,
	})
	_ = register(Tool{
		Name: "create_file", Icon: "write", Label: "Write", Action: Write, Describe: describeWriteFile,
		Files: writtenFiles,
	})
	_ = register(Tool{
		Name: "insert_edit_into_file", Icon: "edit", Label: "Edit", Action: Edit, Describe: describeInsertEdit,
		Files: insertedFiles,
	})
	_ = register(Tool{
		Name: "textEditGroup", Icon: "edit", Label: "Edit", Action: Edit, Path: "filePath", Describe: describeTextEdits,
		Files: insertedFiles,
	})
	_ = foreignShell("run_in_terminal")
	_ = foreignShell("run_command_in_terminal")
	_ = register(Tool{
		Name: "manage_todo_list", Icon: "todo", Label: "Todos", Action: Plan, Describe: describeForeignTodos,
	})
	_ = register(Tool{
		Name: "fetch_webpage", Icon: "globe", Label: "Web page", Action: Fetch, Describe: describeFetchPrompt,
	})
	_ = foreignAgent("runSubagent")
	_ = register(Tool{Name: "file_search", Icon: "find", Label: "Find", Action: Search, Describe: describeForeignGrep})
	_ = register(Tool{
		Name: "semantic_search", Icon: "find", Label: "Search", Action: Search, Describe: describeForeignGrep,
	})
	_ = register(Tool{
		Name: "code_search", Icon: "find", Label: "Search", Action: Search, Describe: describeForeignGrep,
	})
	_ = register(Tool{Name: "get_file", Icon: "file", Label: "Read", Action: Read, Describe: describeReadFile})
	_ = plain("run_build", "term", "Build", "configuration")
	_ = plain("get_terminal_output", "term", "Output", "id")
	_ = plain("get_errors", "symbol", "Read problems", "filePaths")
	_ = plain("get_changed_files", "edit", "Changed files", "")
	_ = plain("create_directory", "folder", "New folder", "dirPath")
	_ = plain("list_code_usages", "symbol", "Usages", "symbolName")
	_ = plain("test_failure", "symbol", "Failed tests", "")
	_ = plain("test_search", "find", "Find tests", "filePaths")
	_ = plain("github_repo", "find", "Search a repository", "query")
	_ = plain("open_simple_browser", "globe", "Browser", "url")
	_ = plain("read_project_structure", "folder", "Project", "")
)

type manyReplacesInput struct {
	Explanation  fields.Text
	Replacements fields.List[replaceInput]
	fields.Extra
}

func describeManyReplaces(c *Call) error {
	var in manyReplacesInput
	if err := c.input(&in); err != nil {
		return err
	}
	c.Description, c.Rest = string(in.Explanation), in.Rest
	byPath := make(map[string]int) // in changes
	for i := range in.Replacements {
		one := &in.Replacements[i]
		r, both := one.replacement()
		if !both {
			continue
		}
		if overlong(r.Old, r.New) {
			return fields.ErrCrowded
		}
		at, known := byPath[one.path()]
		if !known {
			at = len(c.Changes)
			byPath[one.path()] = at
			c.Changes = append(c.Changes, Change{Path: one.path()})
		}
		c.Changes[at].Hunks = append(c.Changes[at].Hunks, markup.Edits(r.Old, r.New)...)
	}
	added, removed := 0, 0
	for i := range c.Changes {
		ch := &c.Changes[i]
		ch.count()
		added, removed = added+ch.Added, removed+ch.Removed
		c.given(Section{Shape: Diff, Hunks: ch.Hunks, Lang: ch.Path, Label: c.Short(ch.Path)})
	}
	c.lines(added, removed)
	if n := len(c.Changes); n > 1 {
		c.fact(words.Plural(n, "file", "files"))
	}
	return nil
}

func manyReplaces(input, _ jsontext.Value) []FileOp {
	var in manyReplacesInput
	if fields.Decode(input, &in) != nil {
		return nil
	}
	var all []FileOp
	for i := range in.Replacements {
		one := &in.Replacements[i]
		all = append(all, oneFile(ChangeFile, one.path(), func() FileTexts {
			var t FileTexts
			if r, both := one.replacement(); both {
				t.Edits = []Replacement{r}
			}
			return t
		})...)
	}
	return all
}

// insertedFiles returns the file of edits that lack the old text. Without a diff in the result, it is unknown which
// lines changed.
func insertedFiles(input, result jsontext.Value) []FileOp {
	path, _ := stringMember(input, "filePath", "target_file")
	return oneFile(ChangeFile, path, func() FileTexts { return FileTexts{Hunks: diffIn(result).hunks()} })
}

// describeInsertEdit describes an edit given as the whole file, in which comments replace unchanged parts.
func describeInsertEdit(c *Call) error {
	var in struct {
		FilePath, Explanation, Code        fields.Text
		TargetFile, Instructions, CodeEdit fields.Text // of Cursor
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Path, c.Rest = string(cmp.Or(in.FilePath, in.TargetFile)), in.Rest
	c.Description = string(cmp.Or(in.Explanation, in.Instructions))
	change := Change{Path: c.Path, Hunks: diffIn(c.structured()).hunks()}
	if len(change.Hunks) > 0 { // the log has the result
		c.changed(change)
		c.given(Section{Shape: Diff, Hunks: change.Hunks, Lang: c.Path})
		return nil
	}
	c.Changes = append(c.Changes, change)
	c.given(Section{Shape: Code, Text: string(cmp.Or(in.Code, in.CodeEdit)), Lang: c.Path})
	if c.failed() || !c.answered() {
		return nil
	}
	c.read(Section{Text: c.text()})
	return nil
}

// describeTextEdits describes new texts of an answer in a file, without the old ones.
func describeTextEdits(c *Call) error {
	var in struct {
		FilePath fields.Text
		Edits    fields.List[struct{ Lines, Text fields.Text }]
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Path, c.Rest = string(in.FilePath), in.Rest
	c.Changes = append(c.Changes, Change{Path: c.Path})
	c.fact(words.Plural(len(in.Edits), "edit", "edits"))
	for _, e := range in.Edits {
		label := "lines " + string(cmp.Or(e.Lines, "unknown"))
		if e.Text == "" {
			c.given(Section{Shape: Note, Text: label + " deleted"})
			continue
		}
		c.given(Section{Shape: Code, Text: string(e.Text), Lang: c.Path, Label: label})
	}
	return nil
}
