package tools

import (
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// usualPaths are the usual names of the member with the file or folder of a call. The first that has a text counts.
var usualPaths = []string{"file_path", "filePath", "notebook_path", "absolute_path", "target_file", "path"}

// PathOf returns the path that a call is about without decoding the rest of the input, "" for none.
func PathOf(tool string, input jsontext.Value) string {
	if t := toolOf(tool, input); t != nil && t.Path != "" {
		return transcript.String(transcript.Field(input, t.Path))
	}
	path, before := "", len(usualPaths)
	for quoted, v := range transcript.QuotedMembers(input) {
		name := quoted[1 : len(quoted)-1]
		for i, usual := range usualPaths[:before] {
			if string(name) != usual {
				continue
			}
			if s := transcript.String(v); s != "" {
				path, before = s, i
			}
			break
		}
	}
	return path
}
