package tools

import (
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// usualPaths are the usual names of the member with the file or folder of a call.
var usualPaths = []string{"file_path", "notebook_path", "path"}

// PathOf returns the path that a call is about without decoding the rest of the input, "" for none.
func PathOf(tool string, input jsontext.Value) string {
	if t := toolOf(tool, input); t != nil && t.Path != "" {
		return transcript.String(transcript.Field(input, t.Path))
	}
	for _, name := range usualPaths {
		if p := transcript.String(transcript.Field(input, name)); p != "" {
			return p
		}
	}
	return ""
}
