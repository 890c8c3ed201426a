package tools

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/markup"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// A FileOp is what a call did to one file. It is used to follow the texts of files.
type FileOp struct {
	Kind     FileKind
	Path, To string // as the log has them; To of a RenameFile only
	IfKnown  bool   // it matters only for files that other calls touched
	Formats  bool   // an AlterFile only formats
	Ending   string // of the names of the files that an AlterFile changes, "" for any

	// Load returns the texts of a ChangeFile or a ReadFile, which may be large. It is nil for a RenameFile, and for a
	// DeleteFile whose text is not in the log.
	Load func() FileTexts
}

// A FileKind is the kind of a FileOp.
type FileKind uint8

const (
	ReadFile   FileKind = iota // the whole of it, or lines of it
	ChangeFile                 // or a part of it
	DeleteFile                 // or the files in a folder
	RenameFile
	RestoreFile // to its last commit, or the files in a folder
	AlterFile   // or the files in a folder, perhaps, by a command that does not tell how
)

// FileTexts has the texts of a FileOp in the log.
type FileTexts struct {
	Before *string // the whole file before the call; nil if unknown
	Absent bool    // there was no file before
	After  *string // the whole file after the call; nil if unknown
	Part   *string // lines of the file that the call read, from the line First on; nil for none
	First  int
	Edits  []Replacement
	Hunks  []markup.Hunk // of the log, with line numbers; nil for none

	// EndUnknown means that Before lacks the end of its last line, because the log does not tell whether it has one.
	EndUnknown bool

	// Proposed has the new texts of the call if the user changed them before they were written.
	Proposed []string
}

// A Replacement replaces one text by another.
type Replacement struct {
	Old, New string
	All      bool // replaces all occurrences, otherwise the only one
}

// IsSameChange reports whether two operations change the same file by the same texts. It is false for those without.
func (op FileOp) IsSameChange(other FileOp) bool {
	if op.Kind != ChangeFile || other.Kind != ChangeFile || op.Path != other.Path {
		return false
	}
	a, b := op.Load(), other.Load()
	same := a.After == b.After || a.After != nil && b.After != nil && *a.After == *b.After
	return same && slices.Equal(a.Edits, b.Edits)
}

// FileOps returns what a call did to files; nothing if it did not run, or if its tool changes no texts. A command that
// failed or was stopped may have changed some.
func FileOps(g *normalize.Group) []FileOp {
	if g.Call == nil || g.Result == nil {
		return nil
	}
	tool := find(g.Call)
	if g.State != normalize.Done {
		if tool != nil && tool.Action == Run && (g.State == normalize.Failed || g.State == normalize.Stopped) {
			return commandFiles(g, tool)
		}
		return nil
	}
	switch {
	case tool == nil:
		return nil
	case tool.Files != nil:
		if ops := tool.Files(g.Call.Block.Input, structuredOf(g)); ops != nil {
			return ops
		}
	case tool.Action == Read:
		return shownFile(g, tool)
	}
	if tool.Action == Run {
		return commandFiles(g, tool)
	}
	return nil
}

// shownFile returns the read of a whole file whose text is only in the result for the model.
func shownFile(g *normalize.Group, tool *Tool) []FileOp {
	return oneFile(ReadFile, PathOf(g.Call.Name, g.Call.Block.Input), func() FileTexts {
		c := newCall(g, Context{})
		if tool.Describe(c) != nil {
			return FileTexts{}
		}
		return c.shown
	})
}

// MentionedFile returns the file that a prompt mentioned and that was read for it.
func MentionedFile(m *normalize.Message) []FileOp {
	if path, ok := taggedPath(m.Text); ok && m.Kind == normalize.Injected {
		return oneFile(ReadFile, path, func() FileTexts { return taggedFile(m.Text) })
	}
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

// stringMember returns the text of the first member that is a string. ok is false if there is none.
func stringMember(v jsontext.Value, names ...string) (string, bool) {
	for _, name := range names {
		if f := transcript.Field(v, name); f.Kind() == '"' {
			return transcript.String(f), true
		}
	}
	return "", false
}

// wholeText returns the text of a file, nil if there is none or if it was left out on reading.
func wholeText(v jsontext.Value, names ...string) *string {
	if s, ok := stringMember(v, names...); ok && !transcript.LeftOut(s) {
		return &s
	}
	return nil
}

// lineCount returns a number of lines. ok is false if the member is not one.
func lineCount(v jsontext.Value, name string) (int, bool) {
	n, err := strconv.Atoi(string(transcript.Field(v, name)))
	return n, err == nil && n >= 0 && n < 1<<30
}

// readFiles returns the read of a file, or of lines of it.
func readFiles(_, result jsontext.Value) []FileOp {
	file := transcript.Field(result, "file")
	if kind, _ := stringMember(result, "type"); kind != "text" || file == nil {
		return nil
	}
	start, known := lineCount(file, "startLine")
	lines, said := lineCount(file, "numLines")
	total, all := lineCount(file, "totalLines")
	path, _ := stringMember(file, "filePath")
	return oneFile(ReadFile, path, func() FileTexts {
		switch text := wholeText(file, "content"); {
		case (!known || start <= 1) && said && all && lines == total:
			return FileTexts{Before: text}
		case known && start >= 1:
			return FileTexts{Part: text, First: start}
		}
		return FileTexts{}
	})
}

func editFiles(input, result jsontext.Value) []FileOp {
	return oneFile(ChangeFile, pathIn(input), func() FileTexts {
		in, r, err := decodeEdit(input, result)
		if err != nil {
			return FileTexts{}
		}
		t := FileTexts{Before: wholeText(result, "originalFile", "originalFileContents"), Hunks: r.hunks()}
		asked := replacements(in.edits())
		if t.Edits = replacements(r.edits()); t.Edits == nil { // what it really replaced, including quotes
			t.Edits = asked
		}
		t.Proposed = r.proposed(asked)
		return t
	})
}

func writeFiles(input, result jsontext.Value) []FileOp {
	return oneFile(ChangeFile, pathIn(input), func() FileTexts {
		var in writeInput
		_, r, _ := decodeEdit(nil, result)
		if fields.Decode(input, &in) != nil {
			return FileTexts{}
		}
		t := FileTexts{Before: wholeText(result, "originalFile"), After: wholeText(result, "content"), Hunks: r.hunks()}
		asked := string(in.Content + in.FileText + in.Contents)
		if t.After == nil {
			t.After = &asked
		}
		t.Absent = t.Before == nil && r.Type == "create"
		t.Proposed = r.proposed([]Replacement{{New: asked}})
		return t
	})
}

// pathIn returns the path of the file that an input names.
func pathIn(input jsontext.Value) string {
	var in struct{ FilePath, NotebookPath, Path fields.Text }
	if fields.Decode(input, &in) != nil {
		return ""
	}
	return cmp.Or(string(in.FilePath), string(in.NotebookPath), string(in.Path))
}

func notebookFiles(input, result jsontext.Value) []FileOp {
	return oneFile(ChangeFile, pathIn(input), func() FileTexts {
		return FileTexts{
			Before: wholeText(result, "original_file", "originalFile"),
			After:  wholeText(result, "updated_file", "updatedFile"),
		}
	})
}

// proposed returns the new texts of the call if the user changed them before they were written.
func (r *editResult) proposed(edits []Replacement) []string {
	if !r.UserModified {
		return nil
	}
	all := make([]string, len(edits))
	for i, e := range edits {
		all[i] = e.New
	}
	return all
}
