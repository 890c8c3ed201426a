package render

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
	"viewer/internal/words"
)

var (
	_ = register(attachments, "relevant_memories", "attached", viewMemories)
	_ = register(attachments, "instructions", "attached", viewInstructions)
)

func viewMemories(e event) (attached, error) {
	var in struct{ Memories jsontext.Value }
	if err := e.decode(&in); err != nil {
		return attached{}, err
	}
	v := attached{line: quiet("memory", "Memories recalled"), Rows: e.rest("memories")}
	for _, m := range texts(in.Memories) {
		path, content := transcript.String(transcript.Field(jsontext.Value(m), "path")),
			transcript.String(transcript.Field(jsontext.Value(m), "content"))
		if path+content != "" {
			m = strings.Join(words.NonEmpty(e.d.path(path), content), "\n")
		}
		v.Blocks = append(v.Blocks, e.d.plain(m))
	}
	if n := len(v.Blocks); n > 0 {
		v.Text = also(v.Text, count(n))
	}
	return v, nil
}

func viewInstructions(e event) (attached, error) {
	var in struct{ Files jsontext.Value }
	if err := e.decode(&in); err != nil {
		return attached{}, err
	}
	v := attached{line: quiet("memory", "Instructions"), Rows: e.rest("files")}
	files := texts(in.Files)
	for _, f := range files {
		name, body := f, ""
		if path := transcript.String(transcript.Field(jsontext.Value(f), "path")); path != "" {
			name, body = path, transcript.String(transcript.Field(jsontext.Value(f), "content"))
		}
		v.Rows = append(v.Rows, field{Name: "file", Value: e.d.path(name)})
		v.Blocks = append(v.Blocks, e.d.plain(body))
	}
	if n := len(files); n > 0 {
		v.Text = also(v.Text, plural(n, "file", "files"))
	}
	return v, nil
}
