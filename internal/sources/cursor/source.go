// Package cursor reads the sessions of Cursor: transcripts, which have no results, ids, times, models or tokens, and
// the databases of the command and of the editor, which do. It never opens a file.
package cursor

import (
	"bytes"
	"cmp"
	"path"
	"strings"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the transcripts and databases of Cursor.
type Source struct{ sources.Defaults }

var _ sources.Splitter = Source{}

// Writer reports that transcripts tell neither what the model was sent nor what calls returned.
func (Source) Writer() transcript.Writer {
	return transcript.Writer{Name: "Cursor", NotSent: true, NoResults: true}
}

// folder holds transcripts, in a folder that is named after the working directory.
const folder = "agent-transcripts"

// Wants accepts JSONL.
func (Source) Wants(p string) bool { return path.Ext(p) == ".jsonl" }

// Arrange returns the files below folders of transcripts: one a session, with its agents in "subagents" next to it.
func (s Source) Arrange(tree *sources.Tree) []sources.Folder {
	if tree.Only != "" {
		return nil
	}
	exists := func(p string) bool {
		_, ok := tree.Place(p)
		return ok
	}
	var folders []sources.Folder
	places := make(map[string]int)    // indexes of folders, by the path of the folder of a project
	owners := make(map[string][2]int) // indexes of the folder and the session, by the path of the session's own folder
	var agents []int
	for i, p := range tree.Paths {
		project, rest, ok := strings.Cut("/"+p, "/"+folder+"/")
		if !ok || tree.Taken(i) || !s.Wants(p) && !(Text{}).Wants(p) {
			continue
		}
		if lines, isText := strings.CutSuffix(p, ".txt"); isText {
			if exists(lines+".jsonl") || exists(lines+"/"+path.Base(lines)+".jsonl") {
				tree.Leave(i)
				continue
			}
			if !tree.Matches(Text{}, p) {
				continue
			}
		} else if !tree.Matches(s, p) {
			continue
		}
		if strings.Contains(rest, "/subagents/") {
			agents = append(agents, i)
			continue
		}
		at, known := places[project]
		if !known {
			at = len(folders)
			places[project] = at
			folders = append(folders, sources.Folder{Name: tree.NameOf(project), OfPath: true})
		}
		owners[path.Dir(p)] = [2]int{at, len(folders[at].Sessions)}
		folders[at].Sessions = append(folders[at].Sessions, sources.Session{ID: sources.Stem(p), Log: i, Path: p})
	}
	for _, i := range agents {
		if at, ok := owners[path.Dir(path.Dir(tree.Paths[i]))]; ok {
			session := &folders[at[0]].Sessions[at[1]]
			session.Agents = append(session.Agents, sources.Agent{ID: sources.Stem(tree.Paths[i]), Log: i, Meta: -1})
		}
	}
	return folders
}

// Match accepts files that begin with a role and a message, without time or folder. Ends of turns may come first; a
// file that has nothing else belongs to a chat that only the database of the editor holds.
func (Source) Match(head sources.Head) bool {
	for transcript.String(head.Value("type")) == ended {
		_, rest, _ := bytes.Cut(head.Data, []byte("\n"))
		head = sources.NewHead(rest)
	}
	role, message := false, false
	for name, value := range head.Members() {
		switch name {
		case "role":
			switch transcript.String(value) {
			case "user", "assistant", "tool":
				role = true
			}
		case "message":
			message = value == nil || transcript.Kind(transcript.Field(value, "content")) == '['
		case storeHead, editorHead:
			return true
		case "type", "uuid", "id", "timestamp", "sessionId", "cwd":
			return false
		}
	}
	return role && message
}

// FolderOf returns "", because transcripts do not name the folder.
func (Source) FolderOf([]byte) string { return "" }

// Folders returns .cursor in the home folder and the folders in which the editor keeps its state.
func (Source) Folders(getenv func(string) string, home string) []string {
	var all []string
	if home != "" {
		config := cmp.Or(getenv("XDG_CONFIG_HOME"), home+"/.config")
		const state = "/Cursor/User/globalStorage"
		all = append(all, home+"/.cursor/projects", home+"/.cursor/chats", config+state,
			home+"/Library/Application Support"+state)
	}
	if dir := getenv("APPDATA"); dir != "" {
		all = append(all, dir+"/Cursor/User/globalStorage")
	}
	return all
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator { return new(translator) }
