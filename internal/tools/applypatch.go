package tools

import (
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
	text := patchText(c.group.Call.Block.Input)
	if overlong(text) {
		return fields.ErrCrowded
	}
	files := parsePatch(text)
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
		label := c.Short(ch.Path)
		switch {
		case ch.OldPath != "":
			label = c.Short(ch.OldPath) + " → " + label
		case ch.Created:
			label += ", new"
		case ch.Deleted:
			label += ", deleted"
		}
		if len(ch.Hunks) == 0 {
			c.given(Section{Shape: Note, Text: label})
			continue
		}
		c.given(Section{Shape: Diff, Hunks: ch.Hunks, Lang: ch.Path, Label: label})
	}
	c.lines(added, removed)
	if n := len(files); n > 1 {
		c.fact(words.Plural(n, "file", "files"))
	}
	return nil
}

// patchText is the patch in an input: the input itself, or a member of it.
func patchText(in jsontext.Value) string {
	if in.Kind() == '"' {
		return transcript.String(in)
	}
	text, _ := stringMember(in, "input", "patchText", "patch")
	return text
}

// A patchKind is what a part of a patch does to its file.
type patchKind uint8

const (
	patchUpdate patchKind = iota
	patchAdd
	patchDelete
)

// A patchFile is the part of a patch that is about one file.
type patchFile struct {
	kind     patchKind
	path, to string // to where the file is renamed, else ""
	hunks    [][]string
}

// parsePatch reads the format of apply_patch, in which hunks have no numbers.
func parsePatch(text string) []*patchFile {
	var files []*patchFile
	var now *patchFile
	open := func(kind patchKind, path string) {
		now = &patchFile{kind: kind, path: strings.TrimSpace(path)}
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
			now.to = strings.TrimSpace(path)
		} else if now != nil && !strings.HasPrefix(line, "*** ") {
			now.add(line)
		}
	}
	return files
}

// add takes a line of a hunk, or the line that begins one.
func (f *patchFile) add(line string) {
	if strings.HasPrefix(line, "@@") {
		f.hunks = append(f.hunks, nil)
		return
	}
	if len(f.hunks) == 0 {
		f.hunks = append(f.hunks, nil)
	}
	if line == "" {
		line = " "
	}
	if strings.IndexByte(" +-", line[0]) >= 0 {
		last := &f.hunks[len(f.hunks)-1]
		*last = append(*last, line)
	}
}

// drawn are the hunks as pages draw them.
func (f *patchFile) drawn() []markup.Hunk {
	var all []markup.Hunk
	for _, lines := range f.hunks {
		if len(lines) > 0 {
			all = append(all, markup.Hunk{OldStart: 1, NewStart: 1, Lines: lines})
		}
	}
	return all
}

// texts are both sides of a hunk.
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

// patchFiles are what a patch does to its files.
func patchFiles(in, _ jsontext.Value) []FileOp {
	var ops []FileOp
	for _, f := range parsePatch(patchText(in)) {
		switch f.kind {
		case patchDelete:
			ops = append(ops, FileOp{Kind: DeleteFile, Path: f.path})
		case patchAdd:
			ops = append(ops, FileOp{Kind: ChangeFile, Path: f.path, Load: func() FileTexts {
				after := ""
				for _, h := range f.hunks {
					_, text := f.texts(h)
					after += text
				}
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

// edits are the hunks as replacements of one text by another.
func (f *patchFile) edits() FileTexts {
	var t FileTexts
	for _, h := range f.hunks {
		if before, after := f.texts(h); before != after {
			t.Edits = append(t.Edits, Replacement{Old: before, New: after})
		}
	}
	return t
}
