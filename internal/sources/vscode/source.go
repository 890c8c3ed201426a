// Package vscode reads the chats of VS Code with Copilot: one document a session, or a log of changes to one, which is
// replayed. It never opens a file.
package vscode

import (
	"bytes"
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the chats of VS Code.
type Source struct{ sources.Defaults }

var _ sources.Decoder = Source{}

// Writer reports that chats do not tell which messages a request contained, apart from the prompt.
func (Source) Writer() transcript.Writer { return transcript.Writer{Name: "VS Code", NotSent: true} }

// Files of VS Code, below the folder of the user:
//
//	workspaceStorage/<hash>/workspace.json
//	workspaceStorage/<hash>/chatSessions/<session>.json, <session>.jsonl
//	globalStorage/emptyWindowChatSessions/<session>.json, <session>.jsonl
const (
	inWorkspace = "chatSessions"
	inNone      = "emptyWindowChatSessions"
	folderFile  = "workspace.json"
)

// Arrange returns a session for each file in the folders of chats. A session in both formats is returned once.
func (s Source) Arrange(tree *sources.Tree) []sources.Folder {
	if tree.Only != "" {
		return nil
	}
	var folders []sources.Folder
	byDir := make(map[string]int) // indexes of folders
	for i, p := range tree.Paths {
		dir := sources.Dir(p)
		base := tree.NameOf(dir)
		if base != inWorkspace && base != inNone {
			if tree.Base == "workspaceStorage" || path.Base(p) == folderFile {
				tree.Leave(i) // a file of VS Code or an extension
			}
			continue
		}
		if tree.Taken(i) || !s.Wants(p) || !tree.Matches(s, p) {
			continue
		}
		if _, both := tree.Place(p + "l"); both && path.Ext(p) == ".json" {
			tree.Leave(i)
			continue
		}
		at, known := byDir[dir]
		if !known {
			at = len(folders)
			byDir[dir] = at
			name := "VS Code"
			if beside := path.Join(sources.Dir(dir), folderFile); base == inWorkspace {
				name = path.Base(sources.Dir(dir))
				if _, ok := tree.Place(beside); ok {
					if folder := folderIn(tree.Head(beside)); folder != "" {
						name = path.Base(folder)
					}
				}
			}
			folders = append(folders, sources.Folder{Name: name})
		}
		folders[at].Sessions = append(folders[at].Sessions, sources.Session{ID: sources.Stem(p), Log: i, Path: p})
	}
	return folders
}

// folderIn returns the folder that a file of a workspace names: {"folder":"file:///home/mara/net"}.
func folderIn(data []byte) string {
	u, err := url.Parse(sources.FirstString(data, "folder"))
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(u.Path, "/")
}

// Match accepts documents with requests, and logs that begin with one.
func (Source) Match(head sources.Head) bool {
	if head.Has("kind") && string(head.Value("kind")) != "0" {
		return false
	}
	if head.Has("kind") && head.Has("v") {
		return slices.ContainsFunc([]string{`"requests":`, `"responderUsername":`, `"creationDate":`}, head.Contains)
	}
	isCut := head.Has("requests") && head.Value("requests") == nil // the version may come after them
	return (head.Has("version") || isCut) &&
		head.Has("responderUsername", "requesterUsername", "initialLocation", "creationDate") &&
		head.Has("requests", "initialLocation", "inputState")
}

// FolderOf returns the base folder of relative paths, or the folder that the program named to the model.
func (Source) FolderOf(head []byte) string {
	if _, rest, ok := bytes.Cut(head, []byte(`"baseUri":`)); ok {
		if p := sources.FirstString(rest, "path"); p != "" {
			p = strings.TrimSuffix(p, "/")
			if len(p) > 2 && p[0] == '/' && p[2] == ':' { // a drive of Windows
				p = p[1:]
			}
			return p
		}
	}
	return ""
}

// Folders returns the folders of VS Code and of its preview, for each system.
func (Source) Folders(getenv func(string) string, home string) []string {
	var users []string
	if dir := getenv("APPDATA"); dir != "" {
		users = append(users, dir)
	}
	if home != "" {
		config := cmp.Or(getenv("XDG_CONFIG_HOME"), home+"/.config")
		users = append(users, config, home+"/Library/Application Support")
	}
	var all []string
	for _, user := range users {
		for _, name := range []string{"Code", "Code - Insiders"} {
			base := user + "/" + name + "/User/"
			all = append(all, base+"workspaceStorage", base+"globalStorage/"+inNone)
		}
	}
	return all
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator { return new(translator) }
