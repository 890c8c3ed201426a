// Package opencode reads the sessions of OpenCode and of its forks: what "opencode export" and "opencode run --format
// json" print, and the files and the database that the program writes while it runs. It never opens a file.
package opencode

import (
	"slices"
	"strings"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads the sessions of OpenCode.
type Source struct{ sources.Defaults }

var _ sources.Splitter = Source{}

// Writer reports that the logs do not tell which messages a request contained.
func (Source) Writer() transcript.Writer { return transcript.Writer{Name: "OpenCode", NotSent: true} }

// beside are files of the program that are not sessions. They hold credentials and are never opened.
var beside = []string{"auth.json", "mcp-auth.json", "account.json"}

// Arrange marks credentials and files for other uses as not being sessions. The content of the other documents tells
// which are sessions.
func (Source) Arrange(tree *sources.Tree) []sources.Folder {
	if tree.Only != "" {
		return nil
	}
	tree.LeaveNamed(beside...)
	for i, p := range tree.Paths {
		if isKept(p) {
			tree.Leave(i)
		}
	}
	return nil
}

// isKept reports whether a file is in a folder of OpenCode that has no documents.
func isKept(p string) bool {
	for _, dir := range []string{"snapshot/", "log/", "bin/", "tool-output/", "storage/"} {
		if strings.HasPrefix(p, dir) {
			return true
		}
	}
	return strings.Contains(p, "opencode/storage/")
}

// Match accepts documents and lines that begin with the description of a session or of a message, and the events that
// "opencode run" prints.
func (Source) Match(head sources.Head) bool {
	if head.First() == "info" {
		return isInfo(head)
	}
	return head.Has("type") && head.Has("timestamp") && head.Has("sessionID") && head.Has("part", "error")
}

// isInfo reports whether a file begins with the description of a session or of a message.
func isInfo(head sources.Head) bool {
	if slices.ContainsFunc([]string{`"projectID"`, `"sessionID"`, `"directory"`}, head.Contains) {
		return true
	}
	return head.Value("info") == nil && head.Contains(`"ses_`)
}

// FolderOf returns the "directory" of the session.
func (Source) FolderOf(head []byte) string { return sources.FirstString(head, "directory") }

// Folders returns the folder below $XDG_DATA_HOME, or below .local/share in the home folder, on every system, and the
// database that $OPENCODE_DB names.
func (Source) Folders(getenv func(string) string, home string) []string {
	data := getenv("XDG_DATA_HOME")
	if data == "" && home != "" {
		data = home + "/.local/share"
	}
	var folders []string
	if data != "" {
		for _, name := range []string{"opencode", "kilo", "mimocode"} {
			folders = append(folders, data+"/"+name)
		}
	}
	if db := getenv("OPENCODE_DB"); transcript.IsAbsolute(db) {
		folders = append(folders, db)
	}
	return folders
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator { return new(translator) }
