// Package antigravity reads the transcripts of Antigravity, the CLI and the editor: one step a line, where the results
// of calls are steps, too. Its databases and encrypted files are not read. It never opens a file.
package antigravity

import (
	"path"
	"strings"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the transcripts of Antigravity.
type Source struct{ sources.Defaults }

var _ sources.Source = Source{}

// Writer reports that transcripts do not tell what the model was sent.
func (Source) Writer() transcript.Writer {
	return transcript.Writer{Name: "Antigravity", NotSent: true}
}

// Files of Antigravity: two transcripts a session. The second has in full the texts that the first cuts off.
//
//	brain/<session>/.system_generated/logs/transcript.jsonl, transcript_full.jsonl
const (
	logs = "/.system_generated/logs/"
	cut  = "transcript.jsonl"
	full = "transcript_full.jsonl"
)

// Arrange returns a session for each folder with transcripts, named after the folder.
func (s Source) Arrange(tree *sources.Tree) []sources.Folder {
	if tree.Only != "" {
		return nil
	}
	byBrain := make(map[string]int) // indexes of folders
	var folders []sources.Folder
	for _, i := range tree.Named(cut, full) {
		p := tree.Paths[i]
		base := path.Base(p)
		if tree.Taken(i) {
			continue
		}
		session, ok := strings.CutSuffix("/"+p, logs+base)
		if !ok || !tree.Matches(s, p) {
			continue
		}
		if _, both := tree.Place(path.Join(path.Dir(p), full)); both && base == cut {
			tree.Leave(i)
			continue
		}
		brain, id := path.Dir(session), path.Base(session)
		at, known := byBrain[brain]
		if !known {
			at = len(folders)
			byBrain[brain] = at
			name := path.Base(path.Dir(brain))
			if name == "/" {
				name = "antigravity"
			}
			folders = append(folders, sources.Folder{Name: name})
		}
		folders[at].Sessions = append(folders[at].Sessions, sources.Session{ID: id, Log: i, Path: p})
	}
	return folders
}

// Match accepts lines that have the number and the type of a step.
func (Source) Match(head sources.Head) bool {
	return head.Has("step_index") && head.Has("type") && head.Has("source", "status", "created_at")
}

// FolderOf returns the first folder that a command ran in or listed, from JSON in a string.
func (Source) FolderOf(head []byte) string {
	for _, name := range []string{"Cwd", "DirectoryPath"} {
		folder := sources.FirstString(head, name)
		if said := transcript.String([]byte(folder)); said != "" {
			folder = said
		}
		if transcript.IsAbsolute(folder) {
			return folder
		}
	}
	return ""
}

// Folders returns the folders of the CLI and of the editor, below .gemini in the home folder.
func (Source) Folders(_ func(string) string, home string) []string {
	if home == "" {
		return nil
	}
	return []string{
		home + "/.gemini/antigravity-cli/brain", home + "/.gemini/antigravity/brain",
		home + "/.gemini/antigravity-ide/brain",
	}
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator { return new(translator) }
