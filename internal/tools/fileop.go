package tools

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/markup"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// A FileOp is what a call did to one file, for those who follow the texts of files.
type FileOp struct {
	Kind     FileKind
	Path, To string // as the log has them; To of a Rename only

	// Load gives the texts of a ChangeFile or a ReadFile; it is nil for the others. They may be large.
	Load func() FileTexts
}

// A FileKind says what a call does to a file.
type FileKind uint8

const (
	ReadFile   FileKind = iota // the whole of it
	ChangeFile                 // or a part of it
	DeleteFile
	RenameFile
)

// FileTexts are what the log holds of a FileOp.
type FileTexts struct {
	Before *string // the whole file as the call found it; nil when the log does not say
	Absent bool    // there was no file before
	After  *string // the whole file as the call left it
	Edits  []Replacement
	Hunks  []markup.Hunk // of the log, with the numbers of the lines; nil when it has none

	// Proposed is set where the user changed what the call was about to write: what it would have been.
	Proposed []string
}

// A Replacement puts one text in the place of another.
type Replacement struct {
	Old, New string
	All      bool // in each place, else in the only one
}

// FileOps are what a call did to files; none where it did not run, or where its tool does not touch texts.
func FileOps(g *normalize.Group) []FileOp {
	if g.State != normalize.Done || g.Call == nil || g.Result == nil {
		return nil
	}
	tool := find(g.Call)
	if tool == nil || tool.Files == nil {
		return nil
	}
	return tool.Files(g.Call.Block.Input, g.Result.Structured())
}

// MentionedFile is a file that a prompt mentioned and that was read for it.
func MentionedFile(m *normalize.Message) []FileOp {
	if m.Kind != normalize.Attachment || m.Name != "file" || m.Record.Attachment == nil {
		return nil
	}
	return readFiles(nil, transcript.Field(m.Record.Attachment.Raw, "content"))
}

func oneFile(kind FileKind, path string, load func() FileTexts) []FileOp {
	if path == "" {
		return nil
	}
	return []FileOp{{Kind: kind, Path: path, Load: load}}
}

// stringMember is the text of a member, and whether it is one.
func stringMember(v jsontext.Value, names ...string) (string, bool) {
	for _, name := range names {
		if f := transcript.Field(v, name); f.Kind() == '"' {
			return transcript.String(f), true
		}
	}
	return "", false
}

// wholeText is the text of a file, nil where there is none or where it was left out on reading.
func wholeText(v jsontext.Value, names ...string) *string {
	if s, ok := stringMember(v, names...); ok && !transcript.LeftOut(s) {
		return &s
	}
	return nil
}

func isTrue(v jsontext.Value, name string) bool { return string(transcript.Field(v, name)) == "true" }

// lineCount is a number that counts lines.
func lineCount(v jsontext.Value, name string) (int, bool) {
	n, err := strconv.Atoi(string(transcript.Field(v, name)))
	return n, err == nil && n >= 0 && n < 1<<30
}

// readFiles: only the whole of a file tells what is in it.
func readFiles(_, result jsontext.Value) []FileOp {
	file := transcript.Field(result, "file")
	if kind, _ := stringMember(result, "type"); kind != "text" || file == nil {
		return nil
	}
	start, known := lineCount(file, "startLine")
	lines, said := lineCount(file, "numLines")
	total, all := lineCount(file, "totalLines")
	if known && start > 1 || !said || !all || lines != total {
		return nil
	}
	path, _ := stringMember(file, "filePath")
	return oneFile(ReadFile, path, func() FileTexts { return FileTexts{Before: wholeText(file, "content")} })
}

func editFiles(in, result jsontext.Value) []FileOp {
	path, _ := stringMember(in, "file_path", "notebook_path")
	return oneFile(ChangeFile, path, func() FileTexts {
		t := FileTexts{Before: wholeText(result, "originalFile", "originalFileContents"), Hunks: logHunks(result)}
		asked := replacements(in)
		if t.Edits = replacements(result); t.Edits == nil { // what it really replaced, quotes and all
			t.Edits = asked
		}
		t.Proposed = proposed(result, asked)
		return t
	})
}

func writeFiles(in, result jsontext.Value) []FileOp {
	path, _ := stringMember(in, "file_path")
	return oneFile(ChangeFile, path, func() FileTexts {
		t := FileTexts{
			Before: wholeText(result, "originalFile"), After: wholeText(result, "content"), Hunks: logHunks(result),
		}
		asked, _ := stringMember(in, "content")
		if t.After == nil {
			t.After = &asked
		}
		kind, _ := stringMember(result, "type")
		t.Absent = t.Before == nil && kind == "create"
		t.Proposed = proposed(result, []Replacement{{New: asked}})
		return t
	})
}

func notebookFiles(in, result jsontext.Value) []FileOp {
	path, _ := stringMember(in, "notebook_path")
	return oneFile(ChangeFile, path, func() FileTexts {
		return FileTexts{
			Before: wholeText(result, "original_file", "originalFile"),
			After:  wholeText(result, "updated_file", "updatedFile"),
		}
	})
}

// proposed are the new texts where the user changed them before they were written.
func proposed(result jsontext.Value, edits []Replacement) []string {
	if !isTrue(result, "userModified") {
		return nil
	}
	all := make([]string, len(edits))
	for i, e := range edits {
		all[i] = e.New
	}
	return all
}

// replacements are the edits of an input or of a result.
func replacements(v jsontext.Value) []Replacement {
	var edits []Replacement
	add := func(v jsontext.Value) {
		before, known := stringMember(v, "old_string", "oldString", "old_str")
		after, said := stringMember(v, "new_string", "newString", "new_str")
		if known && said {
			edits = append(edits, Replacement{before, after, isTrue(v, "replace_all") || isTrue(v, "replaceAll")})
		}
	}
	list := transcript.Field(v, "edits")
	if list.Kind() != '[' {
		add(v)
		return edits
	}
	for e := range transcript.Elements(list) {
		add(e)
	}
	return edits
}

// logHunks are those of the log.
func logHunks(result jsontext.Value) []markup.Hunk {
	var all []markup.Hunk
	for h := range transcript.Elements(transcript.Field(result, "structuredPatch")) {
		var hunk markup.Hunk
		for l := range transcript.Elements(transcript.Field(h, "lines")) {
			hunk.Lines = append(hunk.Lines, transcript.TextOf(l))
		}
		hunk.OldStart, _ = lineCount(h, "oldStart")
		hunk.NewStart, _ = lineCount(h, "newStart")
		all = append(all, hunk)
	}
	return all
}
