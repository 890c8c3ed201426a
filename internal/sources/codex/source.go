// Package codex reads the sessions of Codex, called rollouts. A rollout holds two logs: response items, which are what
// the model was sent and answered, and events, which are what the screen showed. Items are drawn, and events add to
// them. The package never opens a file.
package codex

import (
	"bytes"
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the sessions of Codex.
type Source struct{ sources.Defaults }

var _ sources.TitleList = Source{}

// Writer reports that rollouts do not tell which items a request contained, and that answers have directives.
func (Source) Writer() transcript.Writer {
	return transcript.Writer{Name: "Codex", NotSent: true, Directs: true}
}

// Wants accepts rollouts, and the documents of older versions.
func (Source) Wants(p string) bool {
	return path.Ext(p) == ".jsonl" || path.Ext(p) == ".json" && strings.HasPrefix(path.Base(p), rollout)
}

// rollout is the prefix of the names of sessions.
const rollout = "rollout-"

// Arrange marks the files that are not sessions, such as lists of prompts and titles. The content of the other files
// tells which are sessions.
func (Source) Arrange(tree *sources.Tree) []sources.Folder {
	if tree.Only != "" {
		return nil
	}
	homes := make(map[string]bool) // that hold sessions
	for _, p := range tree.Paths {
		if !strings.HasPrefix(path.Base(p), rollout) {
			continue
		}
		for _, folder := range []string{"/sessions/", "/archived_sessions/"} {
			if home, _, ok := strings.Cut("/"+p, folder); ok {
				homes[strings.TrimPrefix(home, "/")] = true
			}
		}
	}
	for _, i := range tree.Named("history.jsonl", titlesFile) {
		if dir, _ := path.Split(tree.Paths[i]); homes[strings.TrimSuffix(dir, "/")] {
			tree.Leave(i)
		}
	}
	return nil
}

// titlesFile lists the titles of sessions, one {"id","thread_name","updated_at"} a line. Newer versions keep them in a
// database.
const titlesFile = "session_index.jsonl"

// TitlesFile returns the path of that list, which is next to the folder with sessions.
func (Source) TitlesFile(folder string) string {
	if folder == "sessions" || folder == "archived_sessions" {
		return "../" + titlesFile
	}
	return titlesFile
}

// TitlesIn returns the last title of each session.
func (Source) TitlesIn(data []byte) map[string]string {
	titles := make(map[string]string)
	var p sources.Object
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		if v := jsontext.Value(line); len(line) > 0 && line[0] == '{' && transcript.Valid(v) {
			p.Read(v)
			if id := p.Text("id"); id != "" {
				titles[id] = p.Text("thread_name")
			}
		}
	}
	return titles
}

// documentKind is the type given to a session that is one document, as written until the summer of 2025.
const documentKind = "document"

// Match accepts files that begin with an envelope, with the head or an item of a session of 2025, which have none, or
// with an event of codex exec --json. It also accepts documents with the items of a session.
func (Source) Match(head sources.Head) bool {
	var kind string
	var payload, id, instructions, stamp bool
	for name, value := range head.Members() {
		switch name {
		case "type":
			kind = transcript.String(value)
		case "payload":
			payload = true
		case "id":
			id = true
		case "instructions", "git":
			instructions = true
		case "timestamp":
			stamp = true
		case "thread_id":
			if kind == "thread.started" {
				return true
			}
		case "session": // of a document, whose head other members may follow
			if value == nil || transcript.Field(value, "id") != nil {
				kind = documentKind
			}
		case "items":
			if kind == documentKind {
				return true
			}
		case "record_type":
			return transcript.String(value) == "state"
		case "uuid", "sessionId", "message", "parentUuid", "parentId":
			return false
		}
	}
	switch {
	case kind == documentKind:
		return sources.FirstString(head.Data, "timestamp") != "" && !head.Contains(`"messages"`)
	case payload:
		return envelopes[kind]
	case kind == "":
		return id && stamp && instructions
	}
	return bareItem(kind, head) || execTypes[kind]
}

// envelopes are the types of lines with an envelope.
var envelopes = map[string]bool{
	"session_meta": true, "turn_context": true, "response_item": true, "event_msg": true, "compacted": true,
	"world_state": true, "inter_agent_communication": true, "inter_agent_communication_metadata": true,
	"token_usage_record": true, "retained_context": true, "security_risk_score": true, "realtime_item": true,
}

// execTypes are the types of lines that codex exec --json prints.
var execTypes = map[string]bool{
	"thread.started": true, "turn.started": true, "turn.completed": true, "turn.failed": true, "item.started": true,
	"item.updated": true, "item.completed": true,
}

// bareItem reports whether a file begins with an item of a kind that no other writer has.
func bareItem(kind string, head sources.Head) bool {
	switch kind {
	case "function_call", "function_call_output", "local_shell_call":
		return sources.FirstString(head.Data, "call_id") != ""
	case "message":
		kind := sources.FirstString(head.Data, "role") != ""
		return kind && (head.Contains(`"input_text"`) || head.Contains(`"output_text"`))
	}
	return false
}

// Folders returns where Codex keeps its sessions: below $CODEX_HOME, or below .codex in the home folder.
func (Source) Folders(getenv func(string) string, home string) []string {
	dir := getenv("CODEX_HOME")
	if dir == "" {
		if home == "" {
			return nil
		}
		dir = home + "/.codex"
	}
	return []string{dir + "/sessions", dir + "/archived_sessions"}
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator {
	t := &translator{calls: make(map[string]*call)}
	t.Complete = t.fill
	return t
}
