package tools

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/markup"
	"viewer/internal/transcript"
	"viewer/internal/words"
)

// A bashDiff has the changes of files that the program found after a command, since 2.1.269.
type bashDiff struct {
	Files        fields.List[bashFile]
	MoreFiles    fields.Number            // whose diffs it left out
	ChangedFiles fields.List[fields.Text] // the paths of all
}

type bashFile struct {
	FilePath         fields.Text
	Hunks            fields.List[patchHunk]
	Created, Deleted fields.Bool
}

func (f *bashFile) change() Change {
	return Change{
		Path: string(f.FilePath), Created: bool(f.Created), Deleted: bool(f.Deleted), Hunks: hunksOf(f.Hunks),
	}
}

// changedByCommand adds the changes of files that a command made.
func (c *Call) changedByCommand(diff jsontext.Value) {
	var d bashDiff
	if diff == nil || fields.Decode(diff, &d) != nil {
		return
	}
	added, removed := 0, 0
	shown := make(map[string]bool)
	for i := range d.Files {
		ch := d.Files[i].change()
		ch.count()
		added, removed = added+ch.Added, removed+ch.Removed
		shown[ch.Path] = true
		c.Changes = append(c.Changes, ch)
		c.read(c.diffOf(ch))
	}
	if added+removed > 0 {
		c.lines(added, removed)
	}
	var rest []string
	for _, path := range d.ChangedFiles {
		if !shown[string(path)] {
			rest = append(rest, c.Short(string(path)))
		}
	}
	label := "changed files"
	if len(d.Files) > 0 {
		label = "also changed"
	}
	switch n := int(d.MoreFiles); {
	case len(rest) > 0:
		c.read(Section{Shape: Text, Label: label, Text: strings.Join(rest, "\n")})
	case n > 0:
		c.read(Section{Shape: Note, Text: "It changed " + words.Plural(n, "more file", "more files") + "."})
	}
}

// bashFiles returns what a command did to files. A diff that the program left out is unknown.
func bashFiles(_, result jsontext.Value) []FileOp {
	var d bashDiff
	if !bytes.Contains(result, []byte(`"bashEditDiff"`)) ||
		fields.Decode(transcript.Field(result, "bashEditDiff"), &d) != nil {
		return nil
	}
	var ops []FileOp
	for i := range d.Files {
		f := &d.Files[i]
		switch hunks := hunksOf(f.Hunks); {
		case f.FilePath == "":
		case bool(f.Deleted):
			ops = append(ops, FileOp{Kind: DeleteFile, Path: string(f.FilePath)})
		case len(hunks) > 0:
			ops = append(ops, FileOp{Kind: ChangeFile, Path: string(f.FilePath), Load: func() FileTexts {
				if bool(f.Created) {
					text := addedText(hunks)
					return FileTexts{Absent: true, After: &text}
				}
				return FileTexts{Hunks: hunks}
			}})
		}
	}
	return ops
}

// addedText returns the text of a new file.
func addedText(hunks []markup.Hunk) string {
	var b strings.Builder
	for _, h := range hunks {
		for i, l := range h.Lines {
			if line, ok := strings.CutPrefix(l, "+"); ok {
				b.WriteString(line)
				if i+1 == len(h.Lines) || !strings.HasPrefix(h.Lines[i+1], `\`) {
					b.WriteByte('\n')
				}
			}
		}
	}
	return b.String()
}
