// Package goose reads the sessions of Goose: from its database, from the JSONL files that came before it, and from what
// "goose session export --format json" and "goose run --output-format json" or "stream-json" print. It never opens a
// file.
package goose

import (
	"path"
	"strings"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the sessions of Goose.
type Source struct{ sources.Defaults }

var _ sources.Splitter = Source{}

// Writer reports that the logs do not tell all that the model was sent: instructions and lists of tools are missing.
func (Source) Writer() transcript.Writer { return transcript.Writer{Name: "Goose", NotSent: true} }

// database is the name of the file with all sessions, since version 1.10.
const database = "sessions.db"

// rowHead is the first member of a session from the database: its id. The other columns of the row follow. Its messages
// are on the lines after it, as in a JSONL file.
const rowHead = "gooseSession"

// Match accepts descriptions of sessions, files that begin with a message because they have no description, and the
// output of a run.
func (Source) Match(head sources.Head) bool {
	switch {
	case head.Has(rowHead):
		return true
	case head.Has("messages") && !head.Has("id", "model", "info", "sessionId", "type", "uuid"):
		return head.Contains(`"created"`) && head.Contains(`"role"`)
	case head.Has("type") && isEvent(head):
		return true
	case head.Has("type", "uuid", "sessionId", "messages"):
		return false
	case head.Has("working_dir"):
		return head.Has("description", "user_set_name", "extension_data", "message_count")
	case head.Has("message_count"):
		return head.Has("description") && head.Has("total_tokens")
	}
	return head.Has("role") && transcript.Kind(head.Value("created")) == '0' && isParts(head)
}

// isEvent reports whether a file begins with a line of the stream of a run.
func isEvent(head sources.Head) bool {
	switch transcript.String(head.Value("type")) {
	case "message":
		message := head.Value("message")
		if message == nil {
			return head.Contains(`"created":`) && head.Contains(`"content":`) && !head.Has("id", "timestamp", "uuid")
		}
		created := transcript.Field(message, "created")
		return transcript.Kind(created) == '0' && transcript.Field(message, "content") != nil
	case "notification":
		return head.Has("extension_id")
	case "model_change":
		return head.Has("model") && head.Has("mode")
	}
	return false
}

// isParts reports whether the content of a message has parts as Goose writes them.
func isParts(head sources.Head) bool {
	content := head.Value("content")
	if content == nil {
		return head.Has("content") && head.Contains(`"content":[{"type":"`)
	}
	for part := range transcript.Elements(content) {
		return transcript.Field(part, "type") != nil
	}
	return false
}

// FolderOf returns the working directory.
func (Source) FolderOf(head []byte) string { return sources.FirstString(head, "working_dir") }

// Folders returns the folder below $XDG_DATA_HOME, or below .local/share in the home folder, also on macOS, the one of
// Windows, and the one below $GOOSE_PATH_ROOT.
func (Source) Folders(getenv func(string) string, home string) []string {
	var all []string
	data := getenv("XDG_DATA_HOME")
	if data == "" && home != "" {
		data = home + "/.local/share"
	}
	if data != "" {
		all = append(all, data+"/goose/sessions")
	}
	if dir := getenv("APPDATA"); dir != "" {
		all = append(all, dir+"/Block/goose/data/sessions")
	}
	if root := getenv("GOOSE_PATH_ROOT"); transcript.IsAbsolute(root) {
		all = append(all, strings.TrimRight(root, `/\`)+"/data/sessions")
	}
	return all
}

// Arrange leaves out JSONL files whose sessions are in the database beside them: Goose imported them into it.
func (Source) Arrange(tree *sources.Tree) []sources.Folder {
	if tree.Only != "" || len(tree.Parts) == 0 {
		return nil
	}
	for i, p := range tree.Paths {
		if tree.Parts[p] != nil || !sources.IsLog(p) {
			continue
		}
		imported := sources.PartPath(path.Join(path.Dir(p), database), sources.Stem(p))
		if by, ok := tree.Parts[imported]; ok && by.Writer().Name == (Source{}).Writer().Name {
			tree.Leave(i)
		}
	}
	return nil
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator { return new(translator) }
