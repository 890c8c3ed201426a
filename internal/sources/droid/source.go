// Package droid reads the sessions of Droid, the agent of Factory: messages with blocks of the Anthropic API, and what
// "droid exec -o stream-json" prints. It never opens a file.
package droid

import (
	"cmp"
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the sessions of Droid.
type Source struct{ sources.Defaults }

var _ sources.Joiner = Source{}

// Writer reports that the logs do not tell what the model was sent.
func (Source) Writer() transcript.Writer { return transcript.Writer{Name: "Droid", NotSent: true} }

// settings ends the name of the file next to a session that has its model and its tokens.
const settings = ".settings.json"

// Wants accepts JSONL, and the settings of a session.
func (Source) Wants(p string) bool { return path.Ext(p) == ".jsonl" || strings.HasSuffix(p, settings) }

// Arrange marks settings without a session as not being one. The content of the other files tells which are sessions.
func (Source) Arrange(tree *sources.Tree) []sources.Folder {
	for i, p := range tree.Paths {
		if strings.HasSuffix(p, settings) && tree.Only == "" {
			tree.Leave(i)
		}
	}
	return nil
}

// Match accepts files that begin with the start of a session, one of its messages, or a line of the stream.
func (Source) Match(head sources.Head) bool {
	if head.Has("uuid", "parentUuid", "payload") {
		return false
	}
	switch transcript.String(head.Value("type")) {
	case "session_start":
		return head.Has("id") && head.Has("cwd", "title", "owner")
	case "message":
		if head.Has("role") {
			return head.Has("text") && inStream(head)
		}
		return head.Has("id") && transcript.Field(head.Value("message"), "role") != nil
	case "system":
		return inStream(head) && head.Has("model") && head.Has("cwd")
	case "tool_call":
		return inStream(head) && head.Has("toolName")
	}
	return false
}

// inStream reports whether a line names its session and its time.
func inStream(head sources.Head) bool {
	return head.Has("timestamp") && head.Has("session_id", "sessionId")
}

// Folders returns the folder below .factory in the home folder.
func (Source) Folders(_ func(string) string, home string) []string {
	if home == "" {
		return nil
	}
	return []string{home + "/.factory/sessions"}
}

// NewScan looks for the facts of a file in the start of the session.
func (s Source) NewScan() sources.Scan {
	return sources.ScanLines(s, func(line []byte, facts *sources.Facts) bool {
		if v := jsontext.Value(line); transcript.Valid(v) {
			var p sources.Object
			p.Read(v)
			if id := sessionOf(p); facts.SessionID == "" {
				facts.SessionID, facts.Parent = id, callerOf(p)
			}
			facts.CWD = cmp.Or(facts.CWD, p.Text("cwd"))
		}
		return facts.SessionID != "" && facts.CWD != ""
	})
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator { return new(translator) }
