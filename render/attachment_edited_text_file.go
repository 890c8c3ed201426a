package render

import (
	"viewer/internal/markup"
	"viewer/internal/tools"
)

var _ = register(attachments, "edited_text_file", "edited_text_file", viewEditedTextFile)

type editedTextFile struct {
	line
	Snippet *output
}

func viewEditedTextFile(e event) (editedTextFile, error) {
	var in struct{ Filename, Snippet text }
	if err := e.decode(&in); err != nil {
		return editedTextFile{}, err
	}
	v := editedTextFile{line: line{Icon: "file", Name: e.d.path(string(in.Filename)), Text: "changed on disk",
		Level: atEverything}}
	first, code := tools.NumberedLines(string(in.Snippet))
	if code == "" {
		return v, nil
	}
	v.Text += dot + plural(markup.Lines(code), "line", "lines")
	if first == 0 { // it had no numbers
		v.Snippet = e.d.code(code, string(in.Filename))
	} else {
		v.Snippet = e.d.numbered(code, string(in.Filename), first)
	}
	return v, nil
}
