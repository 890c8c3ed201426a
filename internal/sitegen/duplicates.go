package sitegen

import (
	"os"
	"path"
	"path/filepath"
	"slices"

	"viewer/internal/sitegen/input"
)

// duplicates finds files that are in several sources: a folder may be given twice, by a link, by another path, or as
// part of another.
type duplicates struct {
	roots []sourceRoot
	files map[string]bool // by their paths without links
}

type sourceRoot struct {
	info os.FileInfo
	name string
}

// drop removes the sessions and agents of a source that an earlier source has.
func (s *duplicates) drop(src *input.Source, folders []*folder) []*folder {
	root, ok := s.root(src)
	if !ok {
		return folders
	}
	again := func(f file) bool {
		name := path.Join(root, f.path)
		if s.files[name] {
			return true
		}
		s.files[name] = true
		return false
	}
	return slices.DeleteFunc(folders, func(fo *folder) bool {
		fo.sessions = slices.DeleteFunc(fo.sessions, func(s *session) bool { return again(s.main) })
		fo.loose = slices.DeleteFunc(fo.loose, func(a agentFile) bool { return again(a.file) })
		return len(fo.sessions)+len(fo.loose) == 0
	})
}

// root returns the folder of a source without links. ok is false when it is not on a disk.
func (s *duplicates) root(src *input.Source) (name string, ok bool) {
	if src.Root == nil {
		return "", false
	}
	name, err := filepath.Abs(src.Root.Name())
	if err == nil {
		name, err = filepath.EvalSymlinks(name)
	}
	info, failed := os.Stat(src.Root.Name())
	if err != nil || failed != nil {
		return "", false
	}
	for _, known := range s.roots {
		if os.SameFile(known.info, info) { // a mount, or a file system that ignores case
			return known.name, true
		}
	}
	name = filepath.ToSlash(name)
	s.roots = append(s.roots, sourceRoot{info, name})
	return name, true
}
