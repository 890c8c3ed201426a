// Package grok reads the sessions of Grok Build: one message a line. It never opens a file.
package grok

import (
	"path"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the sessions of Grok Build.
type Source struct{ sources.Defaults }

var _ sources.Source = Source{}

// Writer reports that the logs do not contain the tools that the model was given.
func (Source) Writer() transcript.Writer { return transcript.Writer{Name: "Grok", NotSent: true} }

var _ sources.Joiner = Source{}

// Wants accepts JSONL, and the summary of a session.
func (Source) Wants(p string) bool { return path.Ext(p) == ".jsonl" || path.Base(p) == summary }

// Arrange returns a session for each folder with messages. Other files next to them add nothing, see Join.
func (s Source) Arrange(tree *sources.Tree) []sources.Folder {
	if tree.Only != "" {
		return nil
	}
	var folders []sources.Folder
	for _, i := range tree.Named(file) {
		p := tree.Paths[i]
		if tree.Taken(i) || !tree.Matches(s, p) {
			continue
		}
		dir := path.Dir(p)
		session := sources.Session{ID: tree.NameOf(dir), Log: i, Path: p}
		for _, other := range []string{summary, updates, "events.jsonl", "signals.json"} {
			if n, ok := tree.Place(path.Join(dir, other)); ok {
				tree.Leave(n)
			}
		}
		folders = append(folders, sources.Folder{
			Name: tree.NameOf(path.Dir(dir)), OfPath: true, Sessions: []sources.Session{session},
		})
	}
	return folders
}

// Match accepts files that begin with a system prompt, or with a line that only this program writes.
func (Source) Match(head sources.Head) bool {
	kind, role, known, content := "", "", false, false
	for name, value := range head.Members() {
		switch name {
		case "type":
			kind = transcript.String(value)
		case "role":
			role = transcript.String(value)
		case "content":
			content = value == nil || transcript.Kind(value) == '"' || transcript.Kind(value) == '['
		case "prompt_index", "synthetic_reason", "model_fingerprint", "tool_call_id":
			known = true
		case "uuid", "sessionId", "session_id", "timestamp", "message", "subtype", "id", "cwd":
			return false
		}
	}
	if role != "" { // of the first version
		return content && kind == "" && head.Contains(`"model_id":`)
	}
	return content && (kind == "system" || known && (kind == "user" || kind == "assistant" || kind == "tool_result"))
}

// FolderOf returns the folder in the summary of the session, or the one that the program named to the model.
func (Source) FolderOf(head []byte) string {
	for name, value := range sources.HeadMembers(head) {
		if name == sessionMember {
			return transcript.String(transcript.Field(value, "cwd"))
		}
	}
	return workspaceOf(string(head), `\n`)
}

// Folders returns the folder below $GROK_HOME, or below .grok in the home folder.
func (Source) Folders(getenv func(string) string, home string) []string {
	if dir := getenv("GROK_HOME"); dir != "" {
		return []string{dir + "/sessions"}
	}
	if home == "" {
		return nil
	}
	return []string{home + "/.grok/sessions"}
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator { return new(translator) }
