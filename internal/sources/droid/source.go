// Package droid reads the sessions of Droid, the agent of Factory: messages with blocks of the Anthropic API, and what
// "droid exec -o stream-json" prints. It never opens a file.
package droid

import (
	"bytes"
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the sessions of Droid.
type Source struct{ sources.Defaults }

var _ sources.Source = Source{}

// Writer reports that the logs do not tell what the model was sent.
func (Source) Writer() transcript.Writer { return transcript.Writer{Name: "Droid", NotSent: true} }

// Wants accepts JSONL.
func (Source) Wants(p string) bool { return path.Ext(p) == ".jsonl" }

// Arrange marks settings files as not being sessions. The content of the other files tells which are sessions.
func (Source) Arrange(tree *sources.Tree) []sources.Folder {
	for i, p := range tree.Paths {
		if strings.HasSuffix(p, ".settings.json") && tree.Only == "" {
			tree.Leave(i)
		}
	}
	return nil
}

// Match accepts files that begin with the start of a session, one of its messages, or a line of the stream.
func (Source) Match(head []byte) bool {
	has := make(map[string]jsontext.Value)
	for name, value := range sources.HeadMembers(head) {
		switch name {
		case "uuid", "parentUuid", "payload":
			return false
		}
		if value == nil { // cut off
			value = jsontext.Value("null")
		}
		has[name] = bytes.Clone(value)
	}
	switch transcript.String(has["type"]) {
	case "session_start":
		return has["id"] != nil && (has["cwd"] != nil || has["title"] != nil || has["owner"] != nil)
	case "message":
		if has["role"] != nil {
			return has["text"] != nil && inStream(has)
		}
		return has["id"] != nil && transcript.Field(has["message"], "role") != nil
	case "system":
		return inStream(has) && has["model"] != nil && has["cwd"] != nil
	case "tool_call":
		return inStream(has) && has["toolName"] != nil
	}
	return false
}

// inStream reports whether a line names its session and its time.
func inStream(has map[string]jsontext.Value) bool {
	return has["timestamp"] != nil && (has["session_id"] != nil || has["sessionId"] != nil)
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
				facts.SessionID = id
			}
			if facts.CWD == "" {
				facts.CWD = p.Text("cwd")
			}
		}
		return facts.SessionID != "" && facts.CWD != ""
	})
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator { return new(translator) }
