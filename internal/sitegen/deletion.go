package sitegen

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"viewer/internal/smallfile"
	"viewer/internal/sources"
	"viewer/internal/sources/all"
	"viewer/internal/storage"
)

// A Deletion counts sessions that their coding agent will delete soon.
type Deletion struct {
	Agent    string
	Sessions int
}

// Deletions returns the deletions until a time. It looks at the usual folders that are among the sources, or at all of
// them if there are no sources. Files that cannot be read are not counted; the build reports them.
func Deletions(names []string, until time.Time) []Deletion {
	home, _ := os.UserHomeDir() // as in usualSources
	var deletions []Deletion
	for _, writer := range all.Sources {
		by, ok := writer.(sources.Deleter)
		if !ok {
			continue
		}
		d := Deletion{Agent: writer.Writer().String()}
		for _, folder := range writer.Folders(os.Getenv, home) {
			if folder = filepath.FromSlash(folder); len(names) == 0 || slices.ContainsFunc(names, isFolder(folder)) {
				d.Sessions += deletedIn(by, folder, until)
			}
		}
		if d.Sessions > 0 {
			deletions = append(deletions, d)
		}
	}
	return deletions
}

// isFolder returns a function that reports whether a source is this folder, by any name or link.
func isFolder(folder string) func(name string) bool {
	there, err := os.Stat(folder)
	return func(name string) bool {
		if err != nil || storage.IsAddress(name) {
			return false
		}
		info, err := os.Stat(storage.Folder(name))
		return err == nil && os.SameFile(info, there)
	}
}

// deletedIn counts the sessions of a folder of projects that will be deleted until a time.
func deletedIn(by sources.Deleter, folder string, until time.Time) int {
	settings, err := smallfile.Read(filepath.Join(folder, filepath.FromSlash(by.SettingsFile())))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	days, ok := by.KeptDays(settings)
	if !ok {
		return 0
	}
	fsys := os.DirFS(folder)
	paths, _ := fs.Glob(fsys, "*/*.jsonl") // fails for bad patterns only
	slices.Sort(paths)
	n := 0
	for _, fo := range by.Arrange(&sources.Tree{Paths: paths, Head: func(string) []byte { return nil }}) {
		for _, s := range fo.Sessions {
			if s.Log < 0 {
				continue
			}
			info, err := fs.Stat(fsys, paths[s.Log])
			if err == nil && until.Sub(info.ModTime()).Hours() > days*24 {
				n++
			}
		}
	}
	return n
}
