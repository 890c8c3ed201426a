// Package hermes reads the sessions of Hermes Agent: from its database, from the JSON documents and JSONL files that
// came before it, and from what "hermes sessions export" prints. It never opens a file.
package hermes

import (
	"path"
	"strings"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the sessions of Hermes Agent.
type Source struct{ sources.Defaults }

var _ sources.Splitter = Source{}

// Writer reports that the logs do not tell which messages a request had.
func (Source) Writer() transcript.Writer { return transcript.Writer{Name: "Hermes", NotSent: true} }

// database is the name of the file with all sessions.
const database = "state.db"

// rowHead is the first member of a session from the database: its id. The other columns of the row follow. Its messages
// are on the lines after it.
const rowHead = "hermesSession"

// Match accepts descriptions of sessions, and files that begin with what the program noted about a session.
func (Source) Match(head sources.Head) bool {
	switch {
	case head.Has(rowHead), transcript.String(head.Value("role")) == metaRole:
		return true
	case head.Has("type", "uuid", "sessionId"):
		return false
	case head.Has("id") && head.Has("source") && head.Has("user_id") && head.Has("model_config"): // of an export
		return true
	}
	return head.Has("session_id") && head.Has("session_start") && head.Has("platform")
}

// Folders returns the database below $HERMES_HOME, or below .hermes in the home folder, and the one of Windows. The
// documents of earlier versions are copies of sessions in it.
func (Source) Folders(getenv func(string) string, home string) []string {
	if dir := getenv("HERMES_HOME"); transcript.IsAbsolute(dir) {
		return []string{strings.TrimRight(dir, `/\`) + "/" + database}
	}
	var all []string
	if home != "" {
		all = append(all, home+"/.hermes/"+database)
	}
	if dir := getenv("LOCALAPPDATA"); dir != "" {
		all = append(all, dir+"/hermes/"+database)
	}
	return all
}

// Arrange leaves out files whose sessions are in the database: ID.jsonl and session_ID.json below sessions.
func (Source) Arrange(tree *sources.Tree) []sources.Folder {
	if tree.Only != "" || len(tree.Parts) == 0 {
		return nil
	}
	for i, p := range tree.Paths {
		dir := path.Dir(p)
		if tree.Parts[p] != nil || path.Base(dir) != "sessions" {
			continue
		}
		copied := sources.PartPath(path.Join(path.Dir(dir), database), strings.TrimPrefix(sources.Stem(p), "session_"))
		if by, ok := tree.Parts[copied]; ok && by.Writer().Name == (Source{}).Writer().Name {
			tree.Leave(i)
		}
	}
	return nil
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator { return new(translator) }
