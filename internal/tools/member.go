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

// CommandOf returns the command that a call gives to a shell without decoding the rest of the input. ok is false for
// other tools.
func CommandOf(tool string, input jsontext.Value) (command string, ok bool) {
	t := toolOf(tool, input)
	if t == nil || t.Command == "" {
		return "", false
	}
	return commandText(transcript.Field(input, t.Command)), true
}

// ScriptOf returns the commands that a call gives to shells in a script, nil for other tools. What the call prints may
// be of any of them, and how it ends says nothing about them.
func ScriptOf(tool string, input jsontext.Value) []string {
	if t := toolOf(tool, input); t != nil && t.Script != nil {
		return t.Script(input)
	}
	return nil
}

// Continued returns the id of the command that a call continues or waits for, "" for other tools.
func Continued(tool string, input jsontext.Value) string {
	if t := toolOf(tool, input); t != nil && t.Continue != "" {
		return transcript.TextOf(transcript.Field(input, t.Continue))
	}
	return ""
}

// Running returns the id of the command that still runs after a call, given the structured result of the call; "" for
// none.
func Running(result jsontext.Value) string {
	for _, name := range []string{"session", "cell"} {
		if id := transcript.TextOf(transcript.Field(result, name)); id != "" {
			return id
		}
	}
	return ""
}
