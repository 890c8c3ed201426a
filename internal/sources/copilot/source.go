// Package copilot reads the sessions of Copilot CLI: files of events that contain each call twice and each result up to
// three times. A call is drawn where the model made it, and later events add to it. The package never opens a file.
package copilot

import (
	"maps"
	"path"
	"slices"
	"strings"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the sessions of Copilot CLI.
type Source struct{ sources.Defaults }

var _ sources.Source = Source{}

// Writer reports that the events do not tell what a request contained.
func (Source) Writer() transcript.Writer { return transcript.Writer{Name: "Copilot", NotSent: true} }

// Files of Copilot:
//
//	session-state/<session>/events.jsonl
//	session-state/<session>/workspace.yaml, plan.md, checkpoints/, files/, rewind-snapshots/, session.db
//	session-state/<session>.jsonl                                                          0.0.34x to 0.0.39x
//	history-session-state/session_<session>_<ms>.json                                      before
const (
	documentStart = "session_"
	eventsFile    = "events.jsonl"
	titleFile     = "workspace.yaml"
)

// Wants accepts files of events, the documents of older versions, and files with a title.
func (Source) Wants(p string) bool {
	base := path.Base(p)
	return path.Ext(p) == ".jsonl" || base == titleFile || isDocument(base)
}

func isDocument(base string) bool {
	return strings.HasPrefix(base, documentStart) && path.Ext(base) == ".json"
}

// Arrange returns a session for each folder with events, named after the folder.
func (s Source) Arrange(tree *sources.Tree) []sources.Folder {
	byFolder := make(map[string]*sources.Folder)
	for i, p := range tree.Paths {
		dir, base := path.Split(p)
		named := base == eventsFile || isDocument(base)
		if !named || tree.Taken(i) || tree.Only != "" && p != tree.Only || !tree.Matches(s, p) {
			continue
		}
		dir = strings.TrimSuffix(dir, "/")
		id := tree.NameOf(dir)
		above := path.Dir(dir)
		if isDocument(base) {
			id, above = sources.FirstString(tree.Head(p), "sessionId"), dir
			if id == "" {
				id = sources.Stem(p)
			}
		}
		session := sources.Session{ID: id, Log: i, Path: p}
		for _, beside := range []string{titleFile} {
			if at, ok := tree.Place(path.Join(dir, beside)); ok {
				session.Beside = append(session.Beside, at)
			}
		}
		if byFolder[above] == nil {
			byFolder[above] = &sources.Folder{Name: tree.NameOf(above)}
		}
		byFolder[above].Sessions = append(byFolder[above].Sessions, session)
	}
	var all []sources.Folder
	for _, name := range slices.Sorted(maps.Keys(byFolder)) {
		all = append(all, *byFolder[name])
	}
	for _, i := range tree.Named("config.json") { // the folder may hold credentials
		if tree.Only == "" && path.Base(path.Dir(path.Join(tree.Base, tree.Paths[i]))) == ".copilot" {
			tree.Leave(i)
		}
	}
	return all
}

// Role returns RoleTitle for the file with the title of a session.
func (Source) Role(_, p string) (sources.Role, string) {
	if path.Base(p) == titleFile {
		return sources.RoleTitle, ""
	}
	return sources.RoleOther, ""
}

// Title returns the summary in a workspace.yaml, which is a separate line.
func (Source) Title(data []byte) string {
	for line := range strings.Lines(string(data)) {
		for _, name := range []string{"name:", "summary:"} {
			value, ok := strings.CutPrefix(line, name)
			value = strings.TrimSpace(value)
			if !ok || value == "" || strings.ContainsAny(value[:1], "|>{[&*!") {
				continue
			}
			if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
				if value[0] == '"' {
					return transcript.String([]byte(value))
				}
				return strings.ReplaceAll(value[1:n-1], "''", "'")
			}
			return value
		}
	}
	return ""
}

// kinds are the prefixes of the types of events.
var kinds = []string{
	"session.", "assistant.", "tool.", "hook.", "permission.", "subagent.", "skill.", "system.", "user.",
}

// Match accepts files that begin with an event, which has a type, data, and an id or a time. It also accepts documents
// with the log of a session.
func (Source) Match(head sources.Head) bool {
	kind := ""
	data, envelope, session := false, false, false
	for name, value := range head.Members() {
		switch name {
		case "type":
			kind = transcript.String(value)
		case "data":
			data = true
			if value == nil { // cut off by the end of head
				envelope = true
			}
		case "id", "timestamp", "parentId":
			envelope = true
		case "sessionId", "startTime":
			session = true
		case "chatMessages", "timeline":
			if session {
				return true
			}
		case "payload", "uuid", "message":
			return false
		}
	}
	if session {
		return false
	}
	if kind == "abort" {
		return data && envelope
	}
	return data && envelope && slices.ContainsFunc(kinds, func(k string) bool { return strings.HasPrefix(kind, k) })
}

// Folders returns where Copilot keeps its sessions: below $COPILOT_HOME, or below .copilot in the home folder; for
// older versions, below $XDG_STATE_HOME.
func (Source) Folders(getenv func(string) string, home string) []string {
	var all []string
	if dir := getenv("COPILOT_HOME"); dir != "" {
		return []string{dir + "/session-state", dir + "/history-session-state"}
	}
	if home != "" {
		all = append(all, home+"/.copilot/session-state", home+"/.copilot/history-session-state")
	}
	if dir := getenv("XDG_STATE_HOME"); dir != "" {
		all = append(all, dir+"/.copilot/session-state", dir+"/.copilot/history-session-state")
	}
	return all
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator {
	t := &translator{
		calls: make(map[string]*call), hooks: make(map[string]*hook), parents: make(map[string]string),
		asked: make(map[string]string), agents: make(map[string]string), assets: make(map[string]transcript.Source),
	}
	t.Complete = t.fill
	return t
}
