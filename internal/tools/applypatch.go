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
)

var _ = register(Tool{
	Name: "apply_patch", Icon: "edit", Label: "Patch", Action: Edit, Describe: describeApplyPatch, Files: patchFiles,
})

func describeApplyPatch(c *Call) error {
	input := c.group.Call.Block.Input
	text := patchText(input)
	if overlong(text) {
		return fields.ErrCrowded
	}
	switch transcript.Kind(input) {
	case '"':
	case '{':
		var in struct {
			Input, PatchText, Patch jsontext.Value
			Justification           fields.Text
			fields.Extra
		}
		if err := c.input(&in); err != nil {
			return err
		}
		if text == "" && transcript.Or(in.Input, in.PatchText, in.Patch) != nil {
			return errUnknown
		}
		c.Description, c.Rest = string(in.Justification), in.Rest
	default:
		return errUnknown
	}
	files := parsePatch(text, patchFolder(input))
	if noted := notedPatch(c.structured()); len(noted) > 0 { // it has the line numbers
		files = noted
	}
	if len(files) == 0 {
		c.given(Section{Shape: Any, Text: text})
		return nil
	}
	added, removed := 0, 0
	for _, f := range files {
		ch := Change{
			Path: f.path, Created: f.kind == patchAdd, Deleted: f.kind == patchDelete, Hunks: f.drawn(),
		}
		if f.to != "" {
			ch.Path, ch.OldPath = f.to, f.path
		}
		ch.count()
		c.Changes = append(c.Changes, ch)
		added, removed = added+ch.Added, removed+ch.Removed
		c.given(c.diffOf(ch))
	}
	c.lines(added, removed)
	if n := len(files); n > 1 {
		c.fact(words.Plural(n, "file", "files"))
	}
	return nil
}

// patchText returns the patch in an input: the input itself, or a member of it.
func patchText(in jsontext.Value) string {
	if in.Kind() == '"' {
		return transcript.String(in)
	}
	text, _ := stringMember(in, "input", "patchText", "patch")
	return text
}

// patchFolder returns the folder of relative paths in a patch that a command applied, "" for that of the session.
func patchFolder(in jsontext.Value) string {
	folder, _ := stringMember(in, "workdir")
	return folder
}

// A patchKind is the effect of a part of a patch on its file.
type patchKind uint8

const (
	patchUpdate patchKind = iota
	patchAdd
	patchDelete
)

// A patchFile is the part of a patch that is about one file.
type patchFile struct {
	kind     patchKind
	path, to string // to is the new path if the file is renamed, otherwise ""
	hunks    [][]string
	starts   [][2]int // first lines of the hunks, before and after, if the log has them
	unknown  bool     // the log does not say what was changed
	deleted  *string  // the text of a deleted file, nil if the log does not have it
}

// parsePatch reads the format of apply_patch, in which hunks have no numbers. Relative paths are below folder.
func parsePatch(text, folder string) []*patchFile {
	below := func(path string) string {
		path = strings.TrimSpace(path)
		if folder == "" || transcript.IsAbsolute(path) {
			return path
		}
		return strings.TrimSuffix(folder, "/") + "/" + path
	}
	var files []*patchFile
	var now *patchFile
	open := func(kind patchKind, path string) {
		now = &patchFile{kind: kind, path: below(path)}
		files = append(files, now)
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if path, ok := strings.CutPrefix(line, "*** Add File: "); ok {
			open(patchAdd, path)
		} else if path, ok := strings.CutPrefix(line, "*** Delete File: "); ok {
			open(patchDelete, path)
		} else if path, ok := strings.CutPrefix(line, "*** Update File: "); ok {
			open(patchUpdate, path)
		} else if path, ok := strings.CutPrefix(line, "*** Move to: "); ok && now != nil {
			now.to = below(path)
		} else if now != nil && !strings.HasPrefix(line, "*** ") {
			now.add(line)
		}
	}
	return files
}

// add adds a line of a hunk, or the line that begins one.
func (f *patchFile) add(line string) {
	if strings.HasPrefix(line, "@@") {
		f.hunks = append(f.hunks, nil)
		return
	}
	if len(f.hunks) == 0 {
		f.hunks = append(f.hunks, nil)
	}
	line = cmp.Or(line, " ")
	if strings.IndexByte(" +-", line[0]) >= 0 {
		last := &f.hunks[len(f.hunks)-1]
		*last = append(*last, line)
	}
}

// drawn returns the hunks as pages draw them.
func (f *patchFile) drawn() []markup.Hunk {
	var all []markup.Hunk
	for i, lines := range f.hunks {
		if len(lines) > 0 {
			at := [2]int{1, 1}
			if i < len(f.starts) {
				at = f.starts[i]
			}
			all = append(all, markup.Hunk{OldStart: at[0], NewStart: at[1], Lines: lines})
		}
	}
	return all
}

// texts returns both sides of a hunk.
func (f *patchFile) texts(hunk []string) (before, after string) {
	var from, to strings.Builder
	for _, l := range hunk {
		if l[0] != '+' {
			from.WriteString(l[1:] + "\n")
		}
		if l[0] != '-' {
			to.WriteString(l[1:] + "\n")
		}
	}
	return from.String(), to.String()
}

// patchFiles returns the effects of a patch on files.
func patchFiles(in, result jsontext.Value) []FileOp {
	files := notedPatch(result)
	if len(files) == 0 {
		files = parsePatch(patchText(in), patchFolder(in))
	}
	var ops []FileOp
	for _, f := range files {
		switch f.kind {
		case patchDelete:
			op := FileOp{Kind: DeleteFile, Path: f.path}
			if f.deleted != nil {
				op.Load = func() FileTexts { return FileTexts{Before: f.deleted} }
			}
			ops = append(ops, op)
		case patchAdd:
			if f.unknown {
				continue
			}
			ops = append(ops, FileOp{Kind: ChangeFile, Path: f.path, Load: func() FileTexts {
				var b strings.Builder
				for _, h := range f.hunks {
					_, text := f.texts(h)
					b.WriteString(text)
				}
				after := b.String()
				return FileTexts{Absent: true, After: &after}
			}})
		case patchUpdate:
			if len(f.hunks) > 0 {
				ops = append(ops, FileOp{Kind: ChangeFile, Path: f.path, Load: f.edits})
			}
		}
		if f.to != "" {
			ops = append(ops, FileOp{Kind: RenameFile, Path: f.path, To: f.to})
		}
	}
	return ops
}

// edits returns the hunks as replacements of texts.
func (f *patchFile) edits() FileTexts {
	var t FileTexts
	if f.starts != nil {
		t.Hunks = f.drawn()
		return t
	}
	for _, h := range f.hunks {
		if before, after := f.texts(h); before != after {
			t.Edits = append(t.Edits, Replacement{Old: before, New: after})
		}
	}
	return t
}

// notedPatch reads the changes of a patch from a result, by path in the order of the log:
// {"changes":{"a.go":{"type":"update","unified_diff":"@@ -1 +1 @@\n…"}}}.
func notedPatch(result jsontext.Value) []*patchFile {
	var files []*patchFile
	for path, v := range transcript.Members(transcript.Field(result, "changes")) {
		f := &patchFile{path: path}
		content, _ := stringMember(v, "content")
		kind, _ := stringMember(v, "type")
		for name, inner := range transcript.Members(v) { // {"add":{"content":"…"}} of 2025
			if kind == "" && transcript.Kind(inner) == '{' {
				kind, v = name, inner
				content, _ = stringMember(v, "content")
			}
		}
		switch kind {
		case "add":
			f.kind = patchAdd
			f.whole(content, "+")
		case "delete":
			f.kind, f.deleted = patchDelete, wholeText(v, "content")
			f.whole(content, "-")
		default:
			diff, _ := stringMember(v, "unified_diff")
			if overlong(diff) {
				return nil
			}
			f.to, _ = stringMember(v, "move_path")
			f.numbered(diff)
		}
		f.unknown = content == "" && len(f.hunks) == 0 && transcript.Field(v, "content") == nil
		files = append(files, f)
	}
	return files
}

// whole makes a hunk of all lines of a file.
func (f *patchFile) whole(content, sign string) {
	if content == "" || overlong(content) {
		return
	}
	var lines []string
	for l := range strings.Lines(content) {
		lines = append(lines, sign+strings.TrimRight(l, "\r\n"))
	}
	f.hunks = [][]string{lines}
}

// numbered reads hunks with the numbers of their lines.
func (f *patchFile) numbered(diff string) {
	f.starts = make([][2]int, 0, 1)
	for line := range strings.Lines(diff) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "@@"):
			f.hunks = append(f.hunks, nil)
			f.starts = append(f.starts, hunkStarts(line))
		case len(f.hunks) == 0, strings.HasPrefix(line, `\`): // names of files, "No newline at end of file"
		default:
			f.add(line)
		}
	}
}

// hunkStarts returns the first line numbers of a hunk, given its header: "@@ -27,3 +27,3 @@".
func hunkStarts(head string) [2]int {
	at := [2]int{1, 1}
	for word := range strings.FieldsSeq(head) {
		for i, sign := range []string{"-", "+"} {
			if number, ok := strings.CutPrefix(word, sign); ok {
				number, _, _ = strings.Cut(number, ",")
				if n, err := strconv.Atoi(number); err == nil && n >= 0 {
					at[i] = n
				}
			}
		}
	}
	return at
}
