package render

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/transcript"
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
	v := attached{line: quiet("memory", "Memories recalled")}
	n := 0
	for m := range transcript.Elements(in.Memories) {
		n++
		s := transcript.String(m)
		if s == "" {
			s = strings.Join(nonEmpty(transcript.String(transcript.Field(m, "path")), transcript.String(transcript.Field(m, "content"))), "\n")
		}
		v.Blocks = append(v.Blocks, e.d.plain(s))
	}
	v.Text += " · " + count(n)
	return v, nil
}

func viewInstructions(e event) (attached, error) {
	var in struct{ Files jsontext.Value }
	if err := e.decode(&in); err != nil {
		return attached{}, err
	}
	v := attached{line: quiet("memory", "Instructions"), Rows: e.rest("files")}
	n := 0
	for f := range transcript.Elements(in.Files) {
		n++
		name, body := transcript.String(f), ""
		if name == "" {
			name, body = transcript.String(transcript.Field(f, "path")), transcript.String(transcript.Field(f, "content"))
		}
		v.Rows = append(v.Rows, field{Name: "file", Value: e.d.path(name)})
		v.Blocks = append(v.Blocks, e.d.plain(body))
	}
	v.Text += " · " + plural(n, "file", "files")
	return v, nil
}
