// Package gemini reads the sessions of Gemini CLI and of Qwen Code. A session of Gemini CLI is one JSON document, or a
// log of messages and patches in which a message is repeated when it has gained calls or tokens. The package never
// opens a file.
package gemini

import (
	"path"
	"strings"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the sessions of Gemini CLI.
type Source struct{ sources.Defaults }

var _ sources.Source = Source{}

// Writer reports that the logs do not tell which messages a request contained.
func (Source) Writer() transcript.Writer { return transcript.Writer{Name: "Gemini CLI", NotSent: true} }

// beside are files of the program that are not sessions. They are never opened; some hold credentials.
var beside = []string{
	"oauth_creds.json", "google_accounts.json", "gemini-credentials.json", "logs.json", "mcp-oauth-tokens.json",
	"mcp-oauth-tokens-v2.json", "projects.json",
}

// Arrange returns the files in folders named "chats": sessions, and agents in a folder named after the session that
// started them. The folder around "chats" names the project, by the hash of a path or by a short name.
func (s Source) Arrange(tree *sources.Tree) []sources.Folder {
	if tree.Only == "" {
		tree.LeaveNamed(beside...)
	}
	var folders []sources.Folder
	places := make(map[string]int)     // indexes of folders, by the path of "chats"
	owners := make(map[string][2]int)  // of the folder and the session, by the path of "chats" and the start of the id
	agents := make(map[string][]agent) // by the same
	for i, p := range tree.Paths {
		dir, base := path.Split(p)
		chats := strings.TrimSuffix(dir, "/")
		ext := path.Ext(p)
		if tree.Taken(i) || ext != ".json" && ext != ".jsonl" {
			continue
		}
		if up, parent := path.Split(chats); path.Base(up) == "chats" && len(parent) >= 8 && tree.Only == "" {
			if tree.Matches(s, p) {
				key := strings.TrimSuffix(up, "/") + "\x00" + parent[:8]
				agents[key] = append(agents[key], agent{i, sources.Stem(p)})
			}
			continue
		}
		if chats != "chats" && !strings.HasSuffix(chats, "/chats") && (tree.Base != "chats" || dir != "") ||
			!strings.HasPrefix(base, "session-") {
			continue
		}
		if _, both := tree.Place(p + "l"); both && ext == ".json" && tree.Only == "" { // the .jsonl file replaced it
			tree.Leave(i)
			continue
		}
		head := tree.Head(p)
		if !s.Match(sources.NewHead(head)) {
			continue
		}
		at, ok := places[chats]
		if !ok {
			at = len(folders)
			places[chats] = at
			folders = append(folders, sources.Folder{Name: projectOf(tree, chats, head), OfPath: true})
		}
		stem := sources.Stem(p)
		key := chats + "\x00" + stem[max(0, len(stem)-8):]
		owners[key] = [2]int{at, len(folders[at].Sessions)}
		folders[at].Sessions = append(folders[at].Sessions, sources.Session{ID: stem, Log: i, Path: p})
	}
	for key, list := range agents {
		at, ok := owners[key]
		if !ok {
			continue // a separate session
		}
		session := &folders[at[0]].Sessions[at[1]]
		for _, a := range list {
			session.Agents = append(session.Agents, sources.Agent{ID: a.id, Log: a.log, Meta: -1})
		}
	}
	return folders
}

// An agent is the index of its file and its id.
type agent struct {
	log int
	id  string
}

// projectOf returns the name of the folder around "chats", or the hash of the project that a file names.
func projectOf(tree *sources.Tree, chats string, head []byte) string {
	name := path.Base(path.Dir(chats))
	if chats == "chats" {
		name = tree.Base
	}
	if chats == "" || name == "." {
		name = sources.FirstString(head, "projectHash")
	}
	if isHash(name) {
		name = name[:12]
	}
	if name == "" {
		return "chats"
	}
	return name
}

// isHash reports whether a name is a SHA-256 in hexadecimal.
func isHash(s string) bool { return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == "" }

// Match accepts documents with messages and a head, logs of patches, and single messages.
func (Source) Match(head sources.Head) bool {
	switch kind := transcript.String(head.Value("type")); {
	case head.First() == "$set", head.First() == "$patch", head.First() == "$rewindTo":
		return true
	case head.Has("uuid", "parentUuid", "parentId", "message", "payload", "data", "cwd", "role", "messageId", "$set",
		"$patch", "$rewindTo"):
		return false
	case head.Has("projectHash"), head.Has("messages") && head.Has("lastUpdated"):
		return head.Has("sessionId", "messages")
	case kind == "gemini":
		return true
	case messageTypes[kind]:
		return head.Has("id") && head.Has("timestamp") && (head.Has("content") || len(head.Data) >= sources.HeadSize)
	}
	return false
}

// messageTypes are the types of messages.
var messageTypes = map[string]bool{"user": true, "gemini": true, "info": true, "warning": true, "error": true}

// FolderOf returns the first of the directories, or the folder that the program named to the model.
func (Source) FolderOf(head []byte) string {
	for name, value := range sources.HeadMembers(head) {
		if name == "directories" {
			for e := range transcript.Elements(value) {
				return transcript.String(e)
			}
		}
	}
	for _, mark := range []string{`Workspace Directories:**\n  - `, `working in the directory: `} {
		if _, rest, ok := strings.Cut(string(head), mark); ok {
			line, _, closed := strings.Cut(rest, `\n`)
			if closed && !strings.ContainsAny(line, "\"\n") {
				return transcript.String([]byte(`"` + line + `"`))
			}
		}
	}
	return ""
}

// Folders returns where Gemini CLI keeps its sessions: below $GEMINI_CLI_HOME, or below the home folder.
func (Source) Folders(getenv func(string) string, home string) []string {
	if dir := getenv("GEMINI_CLI_HOME"); dir != "" {
		home = dir
	}
	if home == "" {
		return nil
	}
	return []string{home + "/.gemini/tmp"}
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator {
	t := &translator{known: make(map[string]*message), made: make(map[string]*call)}
	t.Complete = t.fill
	return t
}
