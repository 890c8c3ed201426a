// Package cline reads the tasks of Cline, Roo Code and Kilo Code, and the sessions of Cline's command line: documents
// with messages of the Anthropic API. In those of old versions, calls are tags in the text. It never opens a file.
package cline

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the tasks of Cline and its forks.
type Source struct{ sources.Defaults }

var _ sources.Source = Source{}

// Writer reports that tasks have neither the system prompt nor the tools of requests.
func (Source) Writer() transcript.Writer { return transcript.Writer{Name: "Cline", NotSent: true} }

// Wants accepts documents.
func (Source) Wants(p string) bool { return path.Ext(p) == ".json" }

const (
	history  = "api_conversation_history.json"
	messages = ".messages.json"

	compaction = ".compaction.json" // what the model is sent in place of old messages
)

// beside are the other files in the folder of a task. Only the one with the title is opened.
var beside = map[string]bool{
	"ui_messages.json": true, "claude_messages.json": true, "task_metadata.json": true, "taskHistory.json": true,
	"context_history.json": true, "focus_chain.json": true, "_index.json": true, "settings.json": true,
}

// Arrange returns a session for each folder with a history.
func (s Source) Arrange(tree *sources.Tree) []sources.Folder {
	if tree.Only != "" {
		return nil
	}
	folder := sources.Folder{Name: tree.Base}
	owners := make(map[string]int) // indexes of the sessions of the command line, by folder
	var agents []int
	for i, p := range tree.Paths {
		dir, base := path.Split(p)
		if strings.HasSuffix(base, compaction) && !tree.Taken(i) {
			if _, ok := tree.Place(strings.TrimSuffix(p, compaction) + messages); ok {
				tree.Leave(i)
				continue
			}
		}
		if tree.Taken(i) || base != history && !strings.HasSuffix(base, messages) || !tree.Matches(s, p) {
			continue
		}
		session := sources.Session{ID: path.Base(path.Clean(dir)), Log: i, Path: p}
		title := dir + "history_item.json"
		if base != history {
			session.ID = strings.TrimSuffix(base, messages)
			title = dir + session.ID + ".json"
			root := path.Base(path.Clean(dir))
			if _, ok := tree.Place(dir + root + messages); ok && root != session.ID {
				agents = append(agents, i)
				continue
			}
			owners[dir] = len(folder.Sessions)
		}
		if n, ok := tree.Place(title); ok {
			session.Beside = append(session.Beside, n)
		}
		folder.Sessions = append(folder.Sessions, session)
	}
	for _, i := range agents {
		dir, base := path.Split(tree.Paths[i])
		agent := sources.Agent{ID: strings.TrimSuffix(base, messages), Log: i, Meta: -1}
		if at, ok := owners[dir]; ok {
			folder.Sessions[at].Agents = append(folder.Sessions[at].Agents, agent)
			continue
		}
		folder.Sessions = append(folder.Sessions, sources.Session{ID: agent.ID, Log: i, Path: tree.Paths[i]})
	}
	if len(folder.Sessions) == 0 {
		return nil
	}
	for i, p := range tree.Paths {
		if beside[path.Base(p)] {
			tree.Leave(i)
		}
	}
	return []sources.Folder{folder}
}

// Role returns RoleTitle for the file that describes a task.
func (Source) Role(log, p string) (sources.Role, string) {
	if path.Base(p) == "history_item.json" || strings.TrimSuffix(log, messages)+".json" == p {
		return sources.RoleTitle, ""
	}
	return sources.RoleOther, ""
}

// Title returns the name of the task, or the title of the session.
func (Source) Title(data []byte) string {
	return sources.FirstText(data, []string{"metadata", "title"}, []string{"task"})
}

// marks are the texts by which the first message of a task is recognized.
var marks = []string{"<task>", "<user_message>", "<environment_details>"}

// Match accepts lists of messages that begin with a task, and documents with the messages of a session.
func (Source) Match(head sources.Head) bool {
	if head.Has("type", "uuid", "message", "lastUpdated", "projectHash", "history") {
		return false
	}
	if !bytes.HasPrefix(head.Trimmed(), []byte("[")) {
		return head.Has("sessionId") && head.Has("messages") && head.Has("agent", "version")
	}
	isCut := head.Has("content") && head.Value("content") == nil // the role may come after it
	if transcript.String(head.Value("role")) != "user" && !(isCut && !head.Has("role")) || !head.Has("content") {
		return false
	}
	return slices.ContainsFunc(marks, head.Contains)
}

// FolderOf returns the folder that the program named to the model.
func (Source) FolderOf(head []byte) string {
	for _, mark := range []string{"# Current Working Directory (", "# Current Workspace Directory ("} {
		if _, rest, ok := strings.Cut(string(head), mark); ok {
			if dir, _, closed := strings.Cut(rest, ") Files"); closed && !strings.ContainsAny(dir, "\"\n") {
				return transcript.String([]byte(`"` + dir + `"`))
			}
		}
	}
	return ""
}

// Folders returns the folders of the extensions in all known editors, and that of the command line.
func (Source) Folders(getenv func(string) string, home string) []string {
	if home == "" {
		return nil
	}
	editors := []string{home + "/.vscode-server/data"}
	roaming := cmp.Or(getenv("APPDATA"), home+"/AppData/Roaming")
	for _, config := range []string{home + "/.config", home + "/Library/Application Support", roaming} {
		for _, name := range []string{"Code", "Code - Insiders", "VSCodium", "Cursor"} {
			editors = append(editors, config+"/"+name)
		}
	}
	var all []string
	for _, editor := range editors {
		for _, id := range []string{"saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline", "kilocode.kilo-code"} {
			all = append(all, editor+"/User/globalStorage/"+id+"/tasks")
		}
	}
	return append(all, home+"/.cline/data/tasks", home+"/.cline/data/sessions")
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator { return new(translator) }
