package tools

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/markup"
	"viewer/internal/transcript"
	"viewer/internal/words"
)

// kiroPurpose is a member that calls of Kiro's second engine have: why the model makes the call.
const kiroPurpose = "__tool_use_purpose"

// Tools of Kiro's command line, whose engines name them differently.
var (
	_ = kiroEdit("fs_write", "old_str", "Edit")
	_ = kiroEdit("fs_write", "insert_line", "Insert")
	_ = kiroWrite("fs_write", "")
	_ = plain("fs_read", "file", "Read", "path")

	// of the second engine
	_ = kiroEdit("write", "oldStr", "Edit")
	_ = kiroEdit("write", "insertLine", "Insert")
	_ = kiroWrite("write", "command")
	_ = register(Tool{
		Name: "read", Has: "operations", Icon: "file", Label: "Read", Action: Read, Describe: describeKiroRead,
	})
	_ = register(Tool{
		Name: "grep", Has: kiroPurpose, Icon: "find", Label: "Grep", Action: Search, Describe: describeKiroGrep,
	})
	_ = register(Tool{
		Name: "glob", Has: kiroPurpose, Icon: "find", Label: "Glob", Action: Search, Describe: describeKiroGlob,
	})
	_ = register(Tool{
		Name: "subagent", Has: "stages", Icon: "agent", Label: "Agents", Action: Delegate, Describe: describeStages,
	})
	_ = register(Tool{Name: "todo_list", Icon: "todo", Label: "Todos", Action: Plan, Describe: describeKiroTodos})
	_ = kiroPlain("web_search", "globe", "Web search", Fetch, "query")
	_ = kiroPlain("code", "symbol", "Code", Search, "operation")
	_ = kiroPlain("use_aws", "gear", "AWS", Other, "service_name")

	// of the third engine
	_ = kiroEdit("str_replace", "", "Edit")
	_ = kiroEdit("fs_append", "", "Append")
	_ = foreignShell("execute_pwsh")
	_ = register(Tool{
		Name: "invoke_sub_agent", Icon: "agent", Label: "Agent", Action: Delegate, Describe: describeInvoke,
	})
)

func kiroEdit(name, has, label string) struct{} {
	return register(Tool{
		Name: name, Has: has, Icon: "edit", Label: label, Action: Edit, Describe: describeKiroWrite,
		Files: kiroFiles(name),
	})
}

func kiroWrite(name, has string) struct{} {
	return register(Tool{
		Name: name, Has: has, Icon: "write", Label: "Write", Action: Write, Describe: describeKiroWrite,
		Files: kiroFiles(name),
	})
}

// kiroPlain registers a tool that is listed, with its purpose.
func kiroPlain(name, icon, label string, action Action, target string) struct{} {
	return register(Tool{
		Name: name, Has: kiroPurpose, Icon: icon, Label: label, Action: action, Describe: func(c *Call) error {
			c.listed(target)
			c.Content[0].Without = kiroPurpose
			c.Description = transcript.String(transcript.Field(c.group.Call.Block.Input, kiroPurpose))
			return nil
		},
	})
}

// A kiroInput changes a file: it replaces a text, inserts one, or writes the whole file.
type kiroInput struct {
	Command, Path           fields.Text
	Content, FileText, Text fields.Text
	OldStr, NewStr          *fields.Text
	InsertLine              fields.Text
	Explanation             fields.Text
	ToolUsePurpose          fields.Text
	fields.Extra
}

// replaces returns the replacement, and whether the call makes one.
func (in *kiroInput) replaces() (r Replacement, ok bool) {
	if in.OldStr == nil || in.NewStr == nil {
		return r, false
	}
	return Replacement{Old: string(*in.OldStr), New: string(*in.NewStr)}, true
}

// text returns the new text.
func (in *kiroInput) text() string {
	text, _ := firstText(in.NewStr)
	return cmp.Or(string(in.Content), string(in.FileText), string(in.Text), text)
}

// isWhole reports whether the call of a tool writes a whole file.
func (in *kiroInput) isWhole(tool string) bool {
	return tool != "fs_append" && (in.Command == "create" || in.Command == "") && in.InsertLine == ""
}

func describeKiroWrite(c *Call) error {
	var in kiroInput
	if err := c.input(&in); err != nil {
		return err
	}
	c.Path, c.Rest, c.Description = string(in.Path), in.Rest, string(cmp.Or(in.ToolUsePurpose, in.Explanation))
	r, replaces := in.replaces()
	if !replaces && in.isWhole(c.Tool) {
		c.wrote(Change{Path: c.Path, Content: in.text()})
		return nil
	}
	if !replaces {
		r = Replacement{New: in.text()}
	}
	if overlong(r.Old, r.New) {
		return fields.ErrCrowded
	}
	ch := Change{Path: c.Path, Hunks: markup.Edits(r.Old, r.New)}
	c.changed(ch)
	if in.InsertLine != "" {
		c.fact("after line " + words.Line(string(in.InsertLine), 20))
	}
	c.given(Section{Shape: Diff, Hunks: ch.Hunks, Lang: c.Path})
	return nil
}

// kiroFiles returns what a call of a tool did to a file. Where a text was inserted is not known.
func kiroFiles(tool string) func(input, _ jsontext.Value) []FileOp {
	return func(input, _ jsontext.Value) []FileOp {
		var in kiroInput
		if fields.Decode(input, &in) != nil {
			return nil
		}
		return oneFile(ChangeFile, string(in.Path), func() FileTexts {
			if r, ok := in.replaces(); ok {
				return FileTexts{Edits: []Replacement{r}}
			}
			if !in.isWhole(tool) {
				return FileTexts{}
			}
			text := in.text()
			return FileTexts{After: &text}
		})
	}
}

// describeKiroRead describes files, folders and pictures to read.
func describeKiroRead(c *Call) error {
	var in struct {
		Operations fields.List[struct {
			Mode, Path    fields.Text
			ImagePaths    []fields.Text
			Offset, Limit fields.Number
		}]
		ToolUsePurpose fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Description, c.Rest, c.Media = string(in.ToolUsePurpose), in.Rest, true
	var all []string
	for _, op := range in.Operations {
		for _, p := range append(op.ImagePaths, op.Path) {
			if p != "" {
				all = append(all, c.Short(string(p)))
			}
		}
	}
	whole := false
	if len(all) == 1 && len(in.Operations) == 1 && in.Operations[0].Path != "" {
		op := in.Operations[0]
		c.Path, whole = string(op.Path), op.Mode != "Directory" && op.Offset == 0
		if c.Part = partOf(0, int(op.Limit)); op.Offset > 0 {
			c.Part = strings.TrimPrefix(c.Part, "first ") + " from " + words.Count(int(op.Offset))
		}
	} else {
		c.target("files", strings.Join(all, ", "), 200)
	}
	if !c.answered() {
		return nil
	}
	c.images(media(c.group.Result.Block.Content))
	switch text := c.text(); {
	case text == "":
	case whole:
		c.source(text, 1, 0)
	default:
		c.read(Section{Text: text})
	}
	return nil
}

// resultIn decodes the text of a result, which is JSON.
func (c *Call) resultIn(to any) bool {
	v := jsontext.Value(c.text())
	return transcript.Valid(v) && fields.Decode(v, to) == nil
}

func describeKiroGrep(c *Call) error {
	var in struct {
		Pattern, Path, Include, ToolUsePurpose fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.searched(in.Pattern, in.Path, in.Include)
	c.Description, c.Rest = string(in.ToolUsePurpose), in.Rest
	var res struct {
		NumMatches, NumFiles fields.Number
		Truncated            fields.Bool
		Results              fields.List[struct {
			File    fields.Text
			Count   fields.Number
			Matches []fields.Text
		}]
	}
	switch {
	case !c.answered():
	case !c.resultIn(&res):
		c.read(Section{Text: c.text()})
	case len(res.Results) == 0:
		c.fact("no matches")
	default:
		var lines []string
		for _, f := range res.Results {
			name := c.Short(string(f.File))
			for _, m := range f.Matches {
				lines = append(lines, name+":"+string(m))
			}
			if len(f.Matches) == 0 {
				lines = append(lines, name)
			}
		}
		c.read(Section{Text: strings.Join(lines, "\n")})
		c.fact(words.Plural(int(res.NumMatches), "match", "matches"))
		c.fact(words.Plural(len(res.Results), "file", "files"))
		if bool(res.Truncated) {
			c.fact("cut off")
		}
	}
	return nil
}

func describeKiroGlob(c *Call) error {
	var in struct {
		Pattern, Path, ToolUsePurpose fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.searched(in.Pattern, in.Path, "")
	c.Description, c.Rest = string(in.ToolUsePurpose), in.Rest
	var res struct {
		FilePaths []fields.Text
		Truncated fields.Bool
	}
	switch {
	case !c.answered():
	case !c.resultIn(&res):
		c.read(Section{Text: c.text()})
	case len(res.FilePaths) == 0:
		c.fact("no files")
	default:
		c.files(res.FilePaths)
		c.fact(words.Plural(len(res.FilePaths), "file", "files"))
		if bool(res.Truncated) {
			c.fact("cut off")
		}
	}
	return nil
}

// searched sets the target of a search.
func (c *Call) searched(pattern, dir, include fields.Text) {
	target := string(pattern)
	if where := words.NonEmpty(c.Short(string(dir)), string(include)); len(where) > 0 {
		target += " in " + strings.Join(where, " ")
	}
	c.target("pattern", target, 200)
}

// describeStages describes agents that work one after the other, or at the same time.
func describeStages(c *Call) error {
	var in struct {
		Task, Mode, ToolUsePurpose fields.Text
		Stages                     fields.List[struct {
			Name, Role, PromptTemplate fields.Text
			DependsOn                  []fields.Text
		}]
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Rest = true, in.Rest
	c.target("task", string(cmp.Or(in.Task, in.ToolUsePurpose)), 160)
	c.fact(words.Plural(len(in.Stages), "agent", "agents"))
	if in.Mode != "" && in.Mode != "blocking" {
		c.fact(words.Line(string(in.Mode), 40))
	}
	for _, s := range in.Stages {
		label := string(s.Name)
		if s.Role != "" {
			label += ", " + string(s.Role)
		}
		for i, other := range s.DependsOn {
			label += [...]string{" after ", ", "}[min(i, 1)] + string(other)
		}
		c.given(Section{Shape: Prose, Text: string(s.PromptTemplate), Label: label})
	}
	if c.answered() {
		c.read(Section{Shape: Prose, Text: c.text()})
	}
	return nil
}

// describeInvoke describes the start of an agent of the third engine, whose log has no task.
func describeInvoke(c *Call) error {
	var in struct {
		Name, Prompt, Explanation fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Rest = true, in.Rest
	c.target("explanation", string(cmp.Or(in.Explanation, in.Prompt)), 160)
	if in.Name != "" {
		c.Target = string(in.Name) + ": " + c.Target
	}
	c.given(Section{Shape: Prose, Text: string(in.Prompt), Label: "Task", Name: "p"})
	if c.answered() {
		c.read(Section{Shape: Prose, Text: c.text()})
	}
	return nil
}

// describeKiroTodos describes a change of the list of tasks, and all tasks after it.
func describeKiroTodos(c *Call) error {
	type task struct {
		TaskDescription fields.Text
		Completed       fields.Bool
	}
	var in struct {
		Command, TaskListDescription, ContextUpdate, ToolUsePurpose fields.Text
		Tasks                                                       jsontext.Value
		CompletedTaskIDs, RemoveTaskIDs                             []fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Rest = true, in.Rest
	var res struct{ Tasks fields.List[task] }
	var items []Item
	if c.answered() && c.resultIn(&res) {
		for _, t := range res.Tasks {
			status := "pending"
			if bool(t.Completed) {
				status = "completed"
			}
			items = append(items, NewItem(string(t.TaskDescription), status))
		}
	} else {
		for _, t := range listedTasks(in.Tasks) {
			items = append(items, NewItem(t, "pending"))
		}
	}
	switch {
	case len(items) > 0:
		c.Target = progress(items)
	case len(in.CompletedTaskIDs) > 0: // the program empties a list of which all is done
		c.Target = "done: " + taskNumbers(in.CompletedTaskIDs)
	default:
		c.Target = words.Line(string(cmp.Or(in.TaskListDescription, in.ToolUsePurpose, in.Command)), 160)
	}
	c.given(Section{Shape: Items, Items: items})
	c.given(Section{Shape: Note, Text: string(in.ContextUpdate)})
	return nil
}

// listedTasks returns the tasks of an input: a list, or an object.
func listedTasks(v jsontext.Value) (all []string) {
	add := func(t jsontext.Value) {
		all = append(all, words.NonEmpty(transcript.String(transcript.Field(t, "task_description")))...)
	}
	for e := range transcript.Elements(v) {
		add(e)
	}
	for _, e := range transcript.Members(v) {
		add(e)
	}
	return all
}
