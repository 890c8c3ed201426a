package sources

import (
	"path"
	"slices"
	"strings"
)

// IsHidden reports whether the name of a folder begins with a dot, and no known program keeps sessions below each
// folder of that name.
func IsHidden(name string) bool {
	return len(name) > 1 && name[0] == '.' && name != ".." &&
		name != ".system_generated" && name != ".crush" // of Antigravity and Crush
}

// HomeFolders are the hidden folders below a home folder in which sources have sessions, such as .codex/sessions, and
// files with sessions in hidden folders. They are read in copies of home folders, too. Nothing else that is hidden is.
type HomeFolders []string

// HomeFolders returns those of all sources.
func (l List) HomeFolders() (all HomeFolders) {
	const home = "/home/x"
	for _, s := range l {
		for _, folder := range s.Folders(func(string) string { return "" }, home) {
			if folder, ok := strings.CutPrefix(path.Clean(folder), home+"/"); ok && folder[0] == '.' {
				all = append(all, folder)
			}
		}
	}
	return all
}

// Skips reports whether the folder at a path in a source is not read: it is hidden, or in a hidden folder, and neither
// in a home folder nor above one. The folders above it must not be skipped.
func (h HomeFolders) Skips(dir string) bool {
	rest, hidden := lastHidden(dir)
	return hidden && !slices.ContainsFunc(h, func(folder string) bool {
		return isBelow(rest, folder) || isBelow(folder, rest)
	})
}

// SkipsFile reports whether the file at a path in a source is not read: a folder above it is skipped, or it is in a
// hidden folder and in no home folder, as .codex/history.jsonl is.
func (h HomeFolders) SkipsFile(p string) bool {
	dir := Dir(p)
	rest, hidden := lastHidden(dir)
	if !hidden {
		return false
	}
	for at := range dir {
		if dir[at] == '/' && h.Skips(dir[:at]) {
			return true
		}
	}
	file := rest + p[len(dir):]
	return !slices.ContainsFunc(h, func(folder string) bool { return isBelow(file, folder) }) // which may be a database
}

// HasName reports whether the name is that of the first folder of a path to a home folder, such as .codex.
func (h HomeFolders) HasName(name string) bool {
	return slices.ContainsFunc(h, func(folder string) bool { return isBelow(folder, name) })
}

// lastHidden returns the end of a path from its last hidden folder on.
func lastHidden(dir string) (rest string, found bool) {
	for at := len(dir); at > 0; {
		begin := strings.LastIndexByte(dir[:at], '/') + 1
		if IsHidden(dir[begin:at]) {
			return dir[begin:], true
		}
		at = begin - 1
	}
	return "", false
}

// isBelow reports whether a path is a folder or below it.
func isBelow(p, folder string) bool {
	return strings.HasPrefix(p, folder) && (len(p) == len(folder) || p[len(folder)] == '/')
}
