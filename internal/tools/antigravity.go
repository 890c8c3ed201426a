package tools

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/markup"
	"viewer/internal/words"
)

// The tools that only Antigravity has. It runs commands and searches as Gemini CLI does.
var (
	_ = register(Tool{
		Name: "view_file", Icon: "file", Label: "Read", Action: Read, Path: "AbsolutePath", Describe: describeViewFile,
	})
	_ = register(Tool{
		Name: "view_file_outline", Icon: "file", Label: "Outline", Action: Read, Path: "AbsolutePath",
		Describe: describeViewFile,
	})
	_ = register(Tool{
		Name: "write_to_file", Icon: "write", Label: "Write", Action: Write, Path: "TargetFile",
		Describe: describeWriteTo, Files: writtenTo,
	})
	_ = replaceContent("replace_file_content")
	_ = replaceContent("multi_replace_file_content")
	_ = register(Tool{Name: "list_dir", Icon: "folder", Label: "List", Action: Read, Describe: describeListFolder})
	_ = register(Tool{
		Name: "find_by_name", Icon: "find", Label: "Find", Action: Search, Describe: describeFindByName,
	})
	_ = register(Tool{
		Name: "search_web", Icon: "globe", Label: "Web search", Action: Fetch, Describe: describeGoogleSearch,
	})
	_ = register(Tool{
		Name: "read_url_content", Icon: "globe", Label: "Web page", Action: Fetch, Describe: describeFetchPrompt,
	})
	_ = register(Tool{Name: "task_boundary", Icon: "plan", Label: "Task", Action: Plan, Describe: describeTaskBoundary})
	_ = register(notification())
	_ = plain("command_status", "term", "Output", "CommandId")
	_ = plain("send_command_input", "term", "Input of a command", "Input")
	_ = plain("view_code_item", "symbol", "Code item", "NodePaths")
	_ = plain("view_content_chunk", "file", "Part of a page", "document_id")
	_ = said("browser_subagent", "agent", "Browser", "Task", "TaskName")
	_ = said("generate_image", "image", "Picture", "Prompt", "ImageName")
)

// notification is the call that hands the work over: the model says nothing after it.
func notification() Tool {
	t := prose("notify_user", "message", "Message to the user", "Message", "")
	t.Final, t.LastWords = true, "Message"
	return t
}

// A caption is the description that Antigravity logs with every call.
type caption struct{ ToolSummary, ToolAction fields.Text }

func (in caption) words() string { return string(cmp.Or(in.ToolSummary, in.ToolAction)) }

// cutOff marks a result of which the log has only a part.
func (c *Call) cutOff() {
	var res struct{ Cut fields.Bool }
	if c.result(&res) && bool(res.Cut) {
		c.fact("cut off in the log")
	}
}

func describeViewFile(c *Call) error {
	var in struct {
		AbsolutePath, File, Path            fields.Text
		StartLine, EndLine                  fields.Number
		IsSkillFile, ItemOffset             fields.Ignored
		IncludeSummaryOfOtherLines, Toolbox fields.Ignored
		caption
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Path, c.Rest = string(cmp.Or(in.AbsolutePath, in.File, in.Path)), in.Rest
	c.Description = in.words()
	if in.StartLine > 0 && in.EndLine > 0 {
		c.Part = linesOf(int(in.StartLine), int(in.EndLine))
	}
	if !c.answered() {
		return nil
	}
	c.cutOff()
	note, code, first := viewed(c.text())
	c.read(Section{Shape: Note, Text: note})
	if code != "" || note == "" {
		c.source(code, first, 0)
	}
	return nil
}

// viewed splits the result of a read into the note and the numbered lines of the file; first is 0 if there are none.
func viewed(text string) (note, code string, first int) {
	var notes, lines []string
	for line := range strings.Lines(text) {
		number, rest, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		n := 0
		for _, digit := range number {
			if digit < '0' || digit > '9' || n > 1e8 {
				ok = false
			}
			n = n*10 + int(digit-'0')
		}
		ok = ok && number != "" && (first == 0 || n == first+len(lines))
		switch {
		case ok:
			first = cmp.Or(first, n)
			lines = append(lines, strings.TrimPrefix(rest, " "))
		case first == 0 && strings.HasPrefix(line, "File Path: "):
		default:
			notes = append(notes, strings.TrimRight(line, "\r\n"))
		}
	}
	if first == 0 {
		return "", text, 0
	}
	return strings.TrimSpace(strings.Join(notes, "\n")), strings.Join(lines, "\n"), first
}

type writeToInput struct {
	TargetFile, AbsolutePath, Path fields.Text
	CodeContent                    *fields.Text
	Description, Instruction       fields.Text
	Overwrite, EmptyFile           fields.Ignored
	Complexity                     fields.Ignored
	caption
	fields.Extra
}

func (in *writeToInput) path() string { return string(cmp.Or(in.TargetFile, in.AbsolutePath, in.Path)) }

func describeWriteTo(c *Call) error {
	var in writeToInput
	if err := c.input(&in); err != nil {
		return err
	}
	c.Path, c.Rest = in.path(), in.Rest
	c.Description = string(cmp.Or(in.Description, in.Instruction, fields.Text(in.words())))
	result := diffIn(c.structured())
	ch := Change{Path: c.Path, Created: result.Type == "create"}
	if in.CodeContent != nil {
		ch.Content = string(*in.CodeContent)
		lines := markup.Lines(ch.Content)
		if ch.Created {
			ch.Added = lines
			c.lines(lines, 0)
		} else {
			c.fact(words.Plural(lines, "line", "lines"))
		}
		c.given(Section{Shape: Code, Text: ch.Content, Lang: c.Path, First: 1})
	}
	if ch.Created {
		c.fact("new file")
	}
	c.Changes = append(c.Changes, ch)
	if c.answered() && in.CodeContent == nil {
		c.read(Section{Text: c.text()})
	}
	return nil
}

func writtenTo(input, result jsontext.Value) []FileOp {
	var in writeToInput
	if fields.Decode(input, &in) != nil || in.CodeContent == nil {
		return nil
	}
	return oneFile(ChangeFile, in.path(), func() FileTexts {
		after := string(*in.CodeContent)
		return FileTexts{After: &after, Absent: diffIn(result).Type == "create"}
	})
}

func replaceContent(name string) struct{} {
	return register(Tool{
		Name: name, Icon: "edit", Label: "Edit", Action: Edit, Path: "TargetFile", Describe: describeReplaceContent,
		Files: replacedContent,
	})
}

// A contentChunk is a replacement of one text.
type contentChunk struct {
	TargetContent, ReplacementContent *fields.Text
	AllowMultiple                     fields.Bool
	StartLine, EndLine                fields.Ignored
}

type replaceContentInput struct {
	TargetFile, Instruction, Description     fields.Text
	CodeMarkdownLanguage, TargetLintErrorIds fields.Ignored
	Complexity                               fields.Ignored
	ReplacementChunks                        fields.List[contentChunk]
	contentChunk
	caption
	fields.Extra
}

func (in *replaceContentInput) replacements() []Replacement {
	var all []Replacement
	for _, e := range append([]contentChunk{in.contentChunk}, in.ReplacementChunks...) {
		if e.TargetContent != nil && e.ReplacementContent != nil {
			r := Replacement{Old: string(*e.TargetContent), New: string(*e.ReplacementContent)}
			r.All = bool(e.AllowMultiple)
			all = append(all, r)
		}
	}
	return all
}

func describeReplaceContent(c *Call) error {
	var in replaceContentInput
	if err := c.input(&in); err != nil {
		return err
	}
	c.Path, c.Rest = string(in.TargetFile), in.Rest
	c.Description = string(cmp.Or(in.Description, in.Instruction, fields.Text(in.words())))
	ch := Change{Path: c.Path, Hunks: diffIn(c.structured()).hunks()}
	if len(ch.Hunks) == 0 {
		for _, r := range in.replacements() {
			if overlong(r.Old, r.New) {
				return fields.ErrCrowded
			}
			ch.Hunks = append(ch.Hunks, markup.Edits(r.Old, r.New)...)
		}
	}
	c.changed(ch)
	c.given(Section{Shape: Diff, Hunks: ch.Hunks, Lang: c.Path})
	return nil
}

func replacedContent(input, result jsontext.Value) []FileOp {
	var in replaceContentInput
	if fields.Decode(input, &in) != nil {
		return nil
	}
	return oneFile(ChangeFile, string(in.TargetFile), func() FileTexts {
		return FileTexts{Hunks: diffIn(result).hunks(), Edits: in.replacements()}
	})
}

func describeFindByName(c *Call) error {
	var in struct {
		Pattern, SearchDirectory fields.Text
		caption
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Target, c.Rest = string(in.Pattern), in.Rest
	c.Description = in.words()
	if in.SearchDirectory != "" {
		c.Target += " in " + c.Short(string(in.SearchDirectory))
	}
	if c.answered() {
		c.cutOff()
		c.countFound()
		c.read(Section{Text: c.text()})
	}
	return nil
}

// describeTaskBoundary describes the subject of the next part of the session.
func describeTaskBoundary(c *Call) error {
	var in struct {
		TaskName, TaskStatus, TaskSummary, Mode fields.Text
		PredictedTaskSize                       fields.Ignored
		caption
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Rest = true, in.Rest
	c.target("TaskName", string(in.TaskName), 160)
	c.fact(words.Line(strings.ToLower(string(in.Mode)), 30))
	c.given(Section{Shape: Prose, Text: string(in.TaskSummary)})
	c.given(Section{Shape: Fields, List: []Field{{Name: "status", Value: string(in.TaskStatus), Long: true}}})
	return nil
}
