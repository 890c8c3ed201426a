package tools

import (
	"cmp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/markup"
	"viewer/internal/transcript"
)

// A textEdit replaces one text by another. It has all names that the members had.
type textEdit struct {
	OldString, NewString *fields.Text
	OldStr, NewStr       *fields.Text // written by some models, and by Copilot
	Old, New             *fields.Text // of Kimi
	Before, After        *fields.Text // of Goose
	ReplaceAll           fields.Bool
	ChangeAll            fields.Bool // the same, of Droid
}

// An editInput is the input of the tools that replace texts in a file: one replacement, or a list.
type editInput struct {
	fileName
	textEdit
	Edits   fields.List[textEdit]
	Changes fields.List[textEdit] // the same, of Droid
	Edit    someEdits             // the same, of Kimi
	fields.Extra
}

// someEdits is one replacement, or a list.
type someEdits []textEdit

func (e *someEdits) UnmarshalJSON(v []byte) error {
	if transcript.Kind(v) == '{' {
		v = slices.Concat([]byte{'['}, v, []byte{']'})
	}
	return (*fields.List[textEdit])(e).UnmarshalJSON(v)
}

// A fileName is the path of a file, with all names of the member.
type fileName struct{ FilePath, Path fields.Text }

func (n fileName) file() string { return cmp.Or(string(n.FilePath), string(n.Path)) }

// A writeInput is the input of the tool that writes a whole file.
type writeInput struct {
	fileName
	Content, FileText, Contents fields.Text
	fields.Extra
}

// An editResult has the common members of results of these tools, except the texts of whole files.
type editResult struct {
	Type            fields.Text // "create" where there was no file
	StructuredPatch []patchHunk
	UserModified    fields.Bool // before it was made
	textEdit
	Edits fields.List[textEdit]
}

// A patchHunk is a hunk of structuredPatch.
type patchHunk struct {
	OldStart, NewStart fields.Number
	Lines              []fields.Text
}

// edits returns the requested replacements.
func (in *editInput) edits() []textEdit {
	all := in.Edits
	if len(all) == 0 {
		all = in.Changes
	}
	if len(all) == 0 {
		all = fields.List[textEdit](in.Edit)
	}
	if in.textEdit == (textEdit{}) {
		return all
	}
	return append([]textEdit{in.textEdit}, all...)
}

// edits returns the replacements that were made.
func (r *editResult) edits() []textEdit {
	if r.textEdit == (textEdit{}) {
		return r.Edits
	}
	return append([]textEdit{r.textEdit}, r.Edits...)
}

// texts returns both texts of an edit, and whether it has both.
func (e textEdit) texts() (before, after string, both bool) {
	before, known := firstText(e.OldString, e.OldStr, e.Old, e.Before)
	after, said := firstText(e.NewString, e.NewStr, e.New, e.After)
	return before, after, known && said
}

func firstText(all ...*fields.Text) (s string, ok bool) {
	for _, t := range all {
		if t != nil {
			return string(*t), true
		}
	}
	return "", false
}

// replacements returns the edits that have both texts; others cannot have been made.
func replacements(edits []textEdit) []Replacement {
	var all []Replacement
	for _, e := range edits {
		if before, after, both := e.texts(); both {
			all = append(all, Replacement{before, after, bool(e.ReplaceAll || e.ChangeAll)})
		}
	}
	return all
}

// hunks returns the patch of the log, which has the real line numbers.
func (r *editResult) hunks() []markup.Hunk { return hunksOf(r.StructuredPatch) }

func hunksOf(patch []patchHunk) []markup.Hunk {
	var all []markup.Hunk
	for _, p := range patch {
		h := markup.Hunk{OldStart: int(p.OldStart), NewStart: int(p.NewStart), Lines: make([]string, len(p.Lines))}
		for i, l := range p.Lines {
			h.Lines[i] = string(l)
		}
		all = append(all, h)
	}
	return all
}

// decodeEdit reads an input and a result. Members may be missing or of another type.
func decodeEdit(input, result jsontext.Value) (in editInput, r editResult, err error) {
	err = fields.Decode(input, &in)
	return in, decodeEditResult(result), err
}

// decodeEditResult reads the facts about the change from a result, without the texts of whole files.
func decodeEditResult(result jsontext.Value) (r editResult) {
	if fields.Decode(transcript.WithoutLong(result, "originalFile", "originalFileContents", "content"), &r) != nil {
		return editResult{}
	}
	return r
}
