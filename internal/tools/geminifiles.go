package tools

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/markup"
	"viewer/internal/words"
)

// The files that Gemini CLI, its forks and Cursor read and write.
var (
	_ = register(Tool{
		Name: "replace", Icon: "edit", Label: "Edit", Action: Edit, Describe: describeReplace, Files: replaceFiles,
	})
	_ = register(Tool{
		Name: "edit", Has: "old_string", Icon: "edit", Label: "Edit", Action: Edit, Describe: describeReplace,
		Files: replaceFiles,
	})
	_ = register(Tool{
		Name: "write_file", Icon: "write", Label: "Write", Action: Write, Describe: describeWriteFile,
		Files: writtenFiles,
	})
	_ = register(Tool{Name: "read_file", Icon: "file", Label: "Read", Action: Read, Describe: describeReadFile})
	_ = register(Tool{
		Name: "read_many_files", Icon: "file", Label: "Read", Action: Read, Describe: describeReadMany,
	})
	_ = register(Tool{
		Name: "list_directory", Icon: "folder", Label: "List", Action: Read, Describe: describeListFolder,
	})
)

// A replaceInput is a replacement of one text in a file.
type replaceInput struct {
	FilePath, Path, Instruction, Description, Explanation fields.Text
	OldString, NewString                                  *fields.Text
	OldStr, NewStr                                        *fields.Text // of Amp
	AllowMultiple, ReplaceAll                             fields.Bool
	ExpectedReplacements                                  fields.Number
	Mode                                                  fields.Ignored // of Hermes, the label tells
	fields.Extra
}

func (in *replaceInput) path() string { return string(cmp.Or(in.FilePath, in.Path)) }

func (in *replaceInput) replacement() (r Replacement, both bool) {
	before, known := firstText(in.OldString, in.OldStr)
	after, said := firstText(in.NewString, in.NewStr)
	if !known || !said {
		return r, false
	}
	all := bool(in.AllowMultiple || in.ReplaceAll) || in.ExpectedReplacements > 1
	return Replacement{Old: before, New: after, All: all}, true
}

// A diffResult has the facts of a result about the change of a file.
type diffResult struct {
	Type     fields.Text // "create" where there was no file
	FileDiff fields.Text // unified
}

// hunks returns the hunks of the diff in the log, with line numbers.
func (r diffResult) hunks() []markup.Hunk {
	if overlong(string(r.FileDiff)) {
		return nil
	}
	var f patchFile
	f.numbered(string(r.FileDiff))
	return f.drawn()
}

// diffIn returns the facts of a structured result about the change of a file.
func diffIn(result jsontext.Value) diffResult {
	var r diffResult
	if result == nil || fields.Decode(result, &r) != nil {
		return diffResult{}
	}
	return r
}

func describeReplace(c *Call) error {
	var in replaceInput
	if err := c.input(&in); err != nil {
		return err
	}
	c.Path, c.Rest = in.path(), in.Rest
	c.Description = string(cmp.Or(in.Instruction, in.Description, in.Explanation))
	result := diffIn(c.structured())
	ch := Change{Path: c.Path, Created: result.Type == "create", Hunks: result.hunks()}
	r, both := in.replacement()
	if len(ch.Hunks) == 0 && both {
		if overlong(r.Old, r.New) {
			return fields.ErrCrowded
		}
		ch.Hunks = markup.Edits(r.Old, r.New)
	}
	c.changed(ch)
	if ch.Created {
		c.fact("new file")
	}
	if r.All {
		c.fact("everywhere")
	}
	c.given(Section{Shape: Diff, Hunks: ch.Hunks, Lang: c.Path})
	return nil
}

func replaceFiles(input, result jsontext.Value) []FileOp {
	var in replaceInput
	if fields.Decode(input, &in) != nil {
		return nil
	}
	return oneFile(ChangeFile, in.path(), func() FileTexts {
		made := diffIn(result)
		t := FileTexts{
			Before: wholeText(result, "originalFile"), After: wholeText(result, "newFile"), // of Crush
			Hunks: made.hunks(), Absent: made.Type == "create", Proposed: proposedIn(input),
		}
		if r, both := in.replacement(); both {
			t.Edits = []Replacement{r}
		}
		return t
	})
}

// proposedIn returns what the model proposed if the user changed it before it was written.
func proposedIn(input jsontext.Value) []string {
	var in struct {
		ModifiedByUser    fields.Bool
		AiProposedContent *fields.Text // the whole file
	}
	if fields.Decode(input, &in) != nil || !bool(in.ModifiedByUser) || in.AiProposedContent == nil {
		return nil
	}
	return []string{string(*in.AiProposedContent)}
}

// A writeFileInput is a whole file.
type writeFileInput struct {
	FilePath, Path, TargetFile fields.Text
	Content, Contents          *fields.Text
	caption
	fields.Extra
}

func (in *writeFileInput) path() string { return string(cmp.Or(in.FilePath, in.Path, in.TargetFile)) }

func (in *writeFileInput) text() string {
	text, _ := firstText(in.Content, in.Contents)
	return text
}

func describeWriteFile(c *Call) error {
	var in writeFileInput
	if err := c.input(&in); err != nil {
		return err
	}
	c.Path, c.Rest = in.path(), in.Rest
	c.Description = in.words()
	result := diffIn(c.structured())
	ch := Change{Path: c.Path, Created: result.Type == "create"}
	if !ch.Created {
		ch.Hunks = result.hunks()
	}
	if len(ch.Hunks) > 0 {
		c.changed(ch)
		c.given(Section{Shape: Diff, Hunks: ch.Hunks, Lang: c.Path})
		return nil
	}
	ch.Content = in.text()
	c.wrote(ch)
	return nil
}

func writtenFiles(input, result jsontext.Value) []FileOp {
	var in writeFileInput
	if fields.Decode(input, &in) != nil {
		return nil
	}
	return oneFile(ChangeFile, in.path(), func() FileTexts {
		made, after := diffIn(result), in.text()
		return FileTexts{After: &after, Hunks: made.hunks(), Absent: made.Type == "create", Proposed: proposedIn(input)}
	})
}

func describeReadFile(c *Call) error {
	var in struct {
		FilePath, AbsolutePath, Path, TargetFile fields.Text
		StartLine, EndLine, Offset, Limit        fields.Number
		LineOffset, NLines                       fields.Number // of Kimi
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Path = string(cmp.Or(in.FilePath, in.AbsolutePath, in.Path, in.TargetFile))
	c.Rest, c.Media = in.Rest, true
	in.StartLine, in.Limit = max(in.StartLine, in.LineOffset), max(in.Limit, in.NLines)
	first := max(1, int(in.StartLine), int(in.Offset)+1)
	switch {
	case in.StartLine > 0 && in.EndLine > 0:
		c.Part = linesOf(int(in.StartLine), int(in.EndLine))
	case in.StartLine > 0 || in.Offset > 0:
		c.Part = linesOf(first, 0)
	case in.EndLine > 0:
		c.Part = "up to line " + words.Count(int(in.EndLine))
	case in.Limit > 0:
		c.Part = "first " + words.Count(int(in.Limit)) + " lines"
	}
	if !c.answered() {
		return nil
	}
	if pictures := media(c.group.Result.Block.Content); len(pictures) > 0 {
		c.images(pictures)
		return nil
	}
	if c.numbered() {
		return nil
	}
	note, text := cutNote(c.text())
	if note != "" {
		c.fact("cut off")
		c.read(Section{Shape: Note, Text: note})
	}
	c.source(text, first, 0)
	if note == "" && first == 1 && isWholeOfGemini(text) && (in.FilePath != "" || in.AbsolutePath != "") {
		c.shown.Before = &text
	}
	return nil
}

// numbered describes the lines of a file if the structured result says where they are, and reports whether it does.
func (c *Call) numbered() bool {
	var place struct {
		StartLine, NumLines, TotalLines fields.Number
		Note                            fields.Text // beside the lines
	}
	if !c.result(&place) || place.StartLine <= 0 || place.NumLines <= 0 {
		return false
	}
	text := c.text()
	c.Part = ""
	if place.StartLine > 1 || place.NumLines < place.TotalLines {
		c.Part = linesOf(int(place.StartLine), int(place.StartLine+place.NumLines-1))
	}
	c.source(text, int(place.StartLine), int(place.TotalLines))
	if place.Note != "" {
		c.read(Section{Text: string(place.Note)})
	}
	if c.Part == "" && place.NumLines == place.TotalLines {
		c.shown = FileTexts{Before: &text, EndUnknown: true}
	}
	return true
}

// isWholeOfGemini reports whether the result of a read without a note before it is the whole file. Qwen Code's note is
// in brackets, and Gemini CLI adds instructions that it finds beside the file.
func isWholeOfGemini(text string) bool {
	return text != "" && !strings.HasPrefix(text, "[File content truncated") &&
		!strings.HasPrefix(text, "Showing lines ") &&
		!strings.Contains(text, "\n--- Newly Discovered Project Context ---")
}

// cutNote removes the note before a part of a file.
func cutNote(text string) (note, rest string) {
	const mark = "--- FILE CONTENT (truncated) ---\n"
	before, after, ok := strings.Cut(text, mark)
	if !ok || !strings.HasPrefix(strings.TrimSpace(text), "IMPORTANT:") {
		return "", text
	}
	for line := range strings.Lines(before) {
		if s, ok := strings.CutPrefix(strings.TrimSpace(line), "Status: "); ok {
			return s, after
		}
	}
	return "The tool gave a part of the file.", after
}

func describeReadMany(c *Call) error {
	var in struct {
		Paths, Include []fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	var all []string
	for _, p := range append(in.Paths, in.Include...) {
		all = append(all, c.Short(string(p)))
	}
	c.Rest = in.Rest
	c.target("paths", strings.Join(all, ", "), 200)
	if c.answered() {
		c.read(Section{Text: c.text()})
	}
	return nil
}

func describeListFolder(c *Call) error {
	var in struct {
		DirPath, Path, DirectoryPath, TargetDirectory, RelativeWorkspacePath fields.Text
		caption
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Target = c.Short(string(cmp.Or(
		in.DirPath, in.Path, in.DirectoryPath, in.TargetDirectory, in.RelativeWorkspacePath)))
	c.Description, c.Rest = in.words(), in.Rest
	if !c.answered() {
		return nil
	}
	c.cutOff()
	var result struct{ Files []fields.Text }
	if c.result(&result) && len(result.Files) > 0 {
		c.fact(words.Plural(len(result.Files), "entry", "entries"))
	}
	c.read(Section{Text: c.text()})
	return nil
}
