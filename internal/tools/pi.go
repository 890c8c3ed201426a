package tools

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/markup"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// The tools of Pi and of its family. They draw as those of Claude Code do.
var (
	_ = register(Tool{
		Name: "bash", Icon: "term", Label: "Bash", Action: Run, Command: "command",
		Template: "bash", Detail: Bash{}, Describe: describePiBash, PrintsAll: true,
	})
	_ = register(Tool{Name: "read", Icon: "file", Label: "Read", Action: Read, Describe: describePiRead})
	_ = register(Tool{
		Name: "edit", Icon: "edit", Label: "Edit", Action: Edit, Describe: describePiEdit, Files: piEditFiles,
	})
	_ = register(Tool{
		Name: "write", Icon: "write", Label: "Write", Action: Write, Describe: describePiWrite, Files: piWriteFiles,
	})
	_ = register(Tool{Name: "ls", Icon: "folder", Label: "LS", Action: Read, Describe: describeLS})
	_ = register(Tool{Name: "find", Icon: "find", Label: "Find", Action: Search, Describe: describePiSearch})
	_ = register(Tool{Name: "grep", Icon: "find", Label: "Grep", Action: Search, Describe: describePiSearch})

	// of common extensions
	_ = register(Tool{
		Name: "webfetch", Icon: "globe", Label: "WebFetch", Action: Fetch,
		Template: "webfetch", Detail: WebFetch{}, Describe: describeWebFetch,
	})
	_ = register(Tool{
		Name: "searxng_search", Icon: "globe", Label: "WebSearch", Action: Fetch, Describe: describePiWebSearch,
	})
	_ = register(Tool{
		Name: "subagent", Icon: "agent", Label: "Agent", Action: Delegate, Describe: describeSubagent,
	})
	_ = said("subagent_supervisor", "message", "Answer to an agent", "message", "action")
	_ = said("contact_supervisor", "message", "Question to the supervisor", "message", "reason")
)

// piDetails are the structured results of these tools.
type piDetails struct {
	Diff, Patch    fields.Text
	FullOutputPath fields.Text
	Truncation     struct{ TotalLines, OutputLines fields.Number }
}

// piCut marks a result that has only a part of the output.
func (c *Call) piCut() (note string) {
	var res piDetails
	if !c.result(&res) {
		return ""
	}
	if total := int(res.Truncation.TotalLines); total > int(res.Truncation.OutputLines) {
		return "The log has " + words.Count(int(res.Truncation.OutputLines)) + " of " +
			words.Plural(total, "line", "lines") + "."
	}
	return ""
}

// timeout notes after how many seconds a command would have been stopped.
func (c *Call) timeout(seconds fields.Number) {
	if seconds > 0 {
		most := words.Milliseconds(float64(seconds) * 1000)
		c.given(Section{Shape: Fields, List: []Field{{Name: "timeout", Value: most}}})
	}
}

func describePiBash(c *Call) error {
	var in struct {
		Command, Description fields.Text
		Timeout, TimeoutSecs fields.Number // the second of Goose
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Command, c.Description, c.Rest = string(in.Command), string(in.Description), in.Rest
	c.Target, c.Failure = words.Line(c.Command, 160), true
	c.timeout(max(in.Timeout, in.TimeoutSecs))
	b := Bash{Stdout: c.text(), Note: c.piCut()}
	if c.group.State == normalize.Failed {
		code, rest := cutLastExit(b.Stdout)
		var end struct{ ExitCode fields.Text } // of OpenCode
		if code == "" && c.result(&end) && end.ExitCode != "" && end.ExitCode != "0" {
			code = words.Line(string(end.ExitCode), 20)
		}
		switch {
		case code != "":
			c.Exit, b.Stdout = code, rest
			c.mark("exit "+code, Bad)
		case strings.Contains(rest, "Command timed out after "):
			c.mark("timed out", Warning)
		}
	}
	if !c.failed() && markup.Lines(trimmed(b.Stdout)) > 1 {
		c.fact(words.Plural(markup.Lines(strings.TrimSpace(b.Stdout)), "line", "lines"))
	}
	c.Detail = b
	return nil
}

// cutLastExit cuts "Command exited with code 1" from the end of an error.
func cutLastExit(s string) (code, rest string) {
	const mark = "Command exited with code "
	trimmed := strings.TrimRight(s, " \t\r\n")
	at := strings.LastIndex(trimmed, mark)
	if at < 0 || at > 0 && trimmed[at-1] != '\n' {
		return "", s
	}
	code = trimmed[at+len(mark):]
	if code == "" || strings.Trim(code, "0123456789") != "" {
		return "", s
	}
	return code, strings.TrimRight(trimmed[:at], "\n")
}

// A piFile has the common members of inputs of tools for one file.
type piFile struct {
	Path, FilePath fields.Text
}

func (f piFile) path() string { return cmp.Or(string(f.Path), string(f.FilePath)) }

func describePiRead(c *Call) error {
	var in struct {
		piFile
		Offset, Limit fields.Number
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Path, c.Rest, c.Media = in.path(), in.Rest, true
	c.Part = partOf(int(in.Offset), int(in.Limit))
	if !c.answered() || c.failed() {
		return nil
	}
	if images := media(c.group.Result.Block.Content); len(images) > 0 {
		c.fact("image")
		c.images(images)
		return nil
	}
	text := c.text()
	if first, code := numberedPage(text); first > 0 {
		c.source(code, first, 0)
		return nil
	}
	c.source(text, max(1, int(in.Offset)), 0)
	if in.Offset <= 1 && isWholeOfPi(text) {
		c.shown.Before = &text
	}
	return nil
}

// isWholeOfPi reports whether the result of a read from the first line on is the whole file. Otherwise a last line says
// how to read on: "[126 more lines in file. Use offset=440 to continue.]". Oh My Pi numbers lines.
func isWholeOfPi(text string) bool {
	last := text[strings.LastIndexByte(strings.TrimRight(text, "\n"), '\n')+1:]
	return text != "" && !strings.Contains(last, "Use offset=") && !strings.HasPrefix(text, "[Line 1 is ") &&
		!strings.HasPrefix(strings.TrimLeft(text, " "), "1")
}

// numberedPage returns lines of a file as OpenCode writes them for the model since its second version, and the number
// of the first, 0 for other texts: "Read file a.go, lines 1-2\n1: package a\n2: \n[Output truncated. …]".
func numberedPage(text string) (first int, code string) {
	head, body, ok := strings.Cut(text, "\n")
	if !ok || !strings.HasPrefix(head, "Read file ") {
		return 0, ""
	}
	if at := strings.LastIndex(body, "\n[Output truncated."); at >= 0 {
		body = body[:at]
	}
	return NumberedLines(body)
}

// A piEdit replaces one text by another.
type piEdit struct {
	OldText, NewText     *fields.Text
	OldString, NewString *fields.Text // of other programs
}

func (e piEdit) texts() (before, after string, both bool) {
	before, known := firstText(e.OldText, e.OldString)
	after, said := firstText(e.NewText, e.NewString)
	return before, after, known && said
}

type piEditInput struct {
	piFile
	piEdit
	Edits   fields.List[piEdit]
	Content *fields.Text // of other programs: the whole file
	fields.Extra
}

// all returns the requested replacements.
func (in *piEditInput) all() []piEdit {
	if in.piEdit == (piEdit{}) {
		return in.Edits
	}
	return append([]piEdit{in.piEdit}, in.Edits...)
}

func describePiEdit(c *Call) error {
	var in piEditInput
	if err := c.input(&in); err != nil {
		return err
	}
	var texts []string
	for _, e := range in.all() {
		before, after, _ := e.texts()
		texts = append(texts, before, after)
	}
	if in.Content != nil {
		texts = append(texts, "", string(*in.Content))
	}
	if overlong(texts...) {
		return fields.ErrCrowded
	}
	c.Path, c.Rest = in.path(), in.Rest
	ch := Change{Path: c.Path}
	var res piDetails
	if c.result(&res) && !c.failed() {
		ch.Hunks = piHunks(string(res.Patch), string(res.Diff))
	}
	if len(ch.Hunks) == 0 {
		for at := 0; at < len(texts); at += 2 {
			ch.Hunks = append(ch.Hunks, markup.Edits(texts[at], texts[at+1])...)
		}
	}
	c.changed(ch)
	c.given(Section{Shape: Diff, Hunks: ch.Hunks, Lang: c.Path})
	if n := len(in.all()); n > 1 {
		c.fact(words.Plural(n, "edit", "edits"))
	}
	return nil
}

// piHunks returns the hunks of a unified diff, or of the older form, in which each line has its number.
func piHunks(patch, diff string) []markup.Hunk {
	if overlong(patch, diff) {
		return nil
	}
	if all := unifiedHunks(patch); len(all) > 0 {
		return all
	}
	return numberedHunks(diff)
}

// unifiedHunks reads the hunks of a unified diff of one file.
func unifiedHunks(patch string) []markup.Hunk {
	var all []markup.Hunk
	for line := range strings.Lines(patch) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "@@ "):
			h := markup.Hunk{OldStart: 1, NewStart: 1}
			for _, word := range strings.Fields(line)[1:] {
				start, _, _ := strings.Cut(strings.TrimLeft(word, "+-"), ",")
				n, err := strconv.Atoi(start)
				switch {
				case err != nil || n < 0:
				case word[0] == '-':
					h.OldStart = n
				case word[0] == '+':
					h.NewStart = n
				}
				if word == "@@" {
					break
				}
			}
			all = append(all, h)
		case len(all) > 0 && line != "" && strings.IndexByte(" +-", line[0]) >= 0:
			h := &all[len(all)-1]
			h.Lines = append(h.Lines, line)
		}
	}
	return all
}

// numberedHunks reads a diff of lines like "-12 old", "+12 new", " 13 same"; "..." stands for omitted lines. Equal
// lines have their old number.
func numberedHunks(diff string) []markup.Hunk {
	var all []markup.Hunk
	open := false
	shift := 0 // difference of the number of lines so far
	for line := range strings.Lines(diff) {
		line = strings.TrimRight(line, "\r\n")
		sign, number, text, ok := numberedLine(line)
		if !ok {
			open = false
			continue
		}
		if !open {
			h := markup.Hunk{OldStart: number, NewStart: number + shift}
			if sign == '+' {
				h = markup.Hunk{OldStart: max(1, number-shift), NewStart: number}
			}
			all = append(all, h)
			open = true
		}
		h := &all[len(all)-1]
		h.Lines = append(h.Lines, string(sign)+text)
		switch sign {
		case '+':
			shift++
		case '-':
			shift--
		}
	}
	return all
}

// numberedLine parses a line of such a diff.
func numberedLine(line string) (sign byte, number int, text string, ok bool) {
	if line == "" || strings.IndexByte(" +-", line[0]) < 0 {
		return 0, 0, "", false
	}
	rest := strings.TrimLeft(line[1:], " ")
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	if digits == 0 || digits > 9 || len(rest) > digits && rest[digits] != ' ' {
		return 0, 0, "", false
	}
	number, _ = strconv.Atoi(rest[:digits])
	return line[0], number, strings.TrimPrefix(rest[digits:], " "), true
}

func describePiWrite(c *Call) error {
	var in struct {
		piFile
		Content fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Path, c.Rest = in.path(), in.Rest
	created := decodeEditResult(c.structured()).Type == "create"
	c.wrote(Change{Path: c.Path, Content: string(in.Content), Created: created})
	return nil
}

func describePiSearch(c *Call) error {
	var in struct {
		Pattern, Path, Glob fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	target := string(in.Pattern)
	if where := strings.Join(words.NonEmpty(c.Short(string(in.Path)), string(in.Glob)), " "); where != "" {
		target += " in " + where
	}
	c.target("pattern", target, 200)
	c.Rest = in.Rest
	if c.failed() {
		return nil
	}
	text := c.text()
	c.read(Section{Text: text})
	if note := c.piCut(); note != "" {
		c.read(Section{Shape: Note, Text: note})
	}
	if shown := trimmed(text); shown != "" && !strings.HasPrefix(shown, "No ") {
		c.fact(words.Plural(markup.Lines(shown), "line", "lines"))
	}
	return nil
}

// piPath returns the path of the file that an input names.
func piPath(input jsontext.Value) string {
	path, _ := stringMember(input, "path", "file_path", "filePath")
	return path
}

func piEditFiles(input, result jsontext.Value) []FileOp {
	return oneFile(ChangeFile, piPath(input), func() FileTexts {
		var in piEditInput
		if fields.Decode(input, &in) != nil {
			return FileTexts{}
		}
		patch, _ := stringMember(result, "patch")
		diff, _ := stringMember(result, "diff")
		t := FileTexts{Hunks: piHunks(patch, diff)}
		for _, e := range in.all() {
			if before, after, both := e.texts(); both {
				t.Edits = append(t.Edits, Replacement{Old: before, New: after})
			}
		}
		return t
	})
}

func piWriteFiles(input, result jsontext.Value) []FileOp {
	return oneFile(ChangeFile, piPath(input), func() FileTexts {
		content := transcript.String(transcript.Field(input, "content"))
		return FileTexts{After: &content, Absent: decodeEditResult(result).Type == "create"}
	})
}

func describePiWebSearch(c *Call) error {
	var in struct {
		Query fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Prose, c.Rest = true, in.Rest
	c.target("query", string(in.Query), 160)
	if c.answered() && !c.failed() {
		c.read(Section{Text: c.text()})
	}
	return nil
}

// describeSubagent describes an agent with a task, several of them, or a script that starts them.
func describeSubagent(c *Call) error {
	var in struct {
		Agent, Task, Action, WorkflowScript fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Rest = in.Rest
	switch {
	case in.Agent != "" && in.Task != "":
		c.Target = words.Line(string(in.Agent)+": "+string(in.Task), 160)
	case in.WorkflowScript != "":
		c.Target = "script"
	default:
		c.Target = words.Line(string(in.Agent+in.Action), 160)
	}
	c.Prose = true
	c.given(Section{Shape: Prose, Text: string(in.Task)})
	if in.WorkflowScript != "" {
		c.given(Section{Shape: Code, Text: string(in.WorkflowScript), Lang: "js", First: 1})
	}
	if in.Action != "" && c.Target != words.Line(string(in.Action), 160) {
		c.fact(words.Line(string(in.Action), 40))
	}
	c.anyOutput()
	return nil
}
