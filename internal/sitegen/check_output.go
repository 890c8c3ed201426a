package sitegen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"viewer/internal/archive/store"
	"viewer/internal/sitegen/input"
	"viewer/internal/sources"
	"viewer/internal/sources/all"
	"viewer/internal/storage"
)

// An Output is a file that a command writes.
type Output struct {
	Name    string
	Session bool // the content is a session, whatever the name is
}

// Check returns an error unless a command that reads these sources, or the usual ones, may write the file. A file of a
// session must not be replaced, because it cannot be made again, and a new file must not be read as a session later.
// The usual folders are checked even if the command reads others.
func (o Output) Check(ctx context.Context, names []string) error {
	there, err := os.Stat(o.Name)
	if o.Name == "" || o.Name == "-" || err == nil && !there.Mode().IsRegular() {
		return nil
	}
	if err != nil {
		there = nil
	}
	for _, name := range append(slices.Clone(names), UsualSources()...) {
		if name = storage.Folder(name); storage.IsAddress(name) {
			continue
		}
		if file, _, ok := input.SplitPart(name); ok {
			name = file
		}
		read, err := os.Stat(name)
		switch {
		case err != nil || !read.IsDir() && !read.Mode().IsRegular():
			continue
		case there != nil && os.SameFile(there, read):
			return errors.New("is the file that is read, and would be lost: name another")
		}
		if err := o.checkBelow(ctx, there, name, read); err != nil {
			return err
		}
	}
	return nil
}

// checkBelow checks an output that is inside a source, a folder or a file. there is nil if there is no such file yet.
func (o Output) checkBelow(ctx context.Context, there fs.FileInfo, name string, source fs.FileInfo) error {
	folder, isFile := name, !source.IsDir()
	if isFile {
		var err error
		if folder = filepath.Dir(name); there == nil {
			return nil
		}
		if source, err = os.Stat(folder); err != nil {
			return nil
		}
	}
	rel, inside := pathBelow(source, realFolder(o.Name))
	if target, err := filepath.EvalSymlinks(o.Name); err == nil && !inside { // what a link in another folder leads to
		rel, inside = pathBelow(source, target)
	}
	switch {
	case !inside || all.Sources.HomeFolders().SkipsFile(rel):
		return nil
	case store.Is(ctx, folder):
		return fmt.Errorf("is in the archive %s, and would damage it: name a file elsewhere", folder)
	case there != nil && isOfSession(ctx, name, there):
		return fmt.Errorf("is a file of a session in %s, and would be lost: name another", folder)
	case isFile && sources.IsLog(rel):
		return errors.New("may be the log of another session, and would be lost: name another")
	case isFile: // what is next to a file is not read with it
	case sources.IsLog(rel) || o.Session:
		return fmt.Errorf("is in %s, and would be read as a session: name a file elsewhere", folder)
	}
	return nil
}

// isOfSession reports whether a file belongs to a session of a source.
func isOfSession(ctx context.Context, name string, there fs.FileInfo) bool {
	s, err := input.OpenPath(name)
	if err != nil {
		return false // as the command will find, too
	}
	defer s.Close()
	entries, _, err := s.List(ctx)
	if err != nil {
		return false
	}
	for _, f := range filesOfSessions(s, discover(s, entries)) {
		if f.Size != there.Size() {
			continue
		}
		info, err := os.Stat(filepath.Join(filepath.FromSlash(f.Folder), filepath.FromSlash(f.Path)))
		if err == nil && os.SameFile(info, there) {
			return true
		}
	}
	return false
}

// realFolder returns an absolute path without links in its folder. The folder need not exist.
func realFolder(name string) string {
	dir, base := filepath.Split(filepath.FromSlash(name))
	folder, err := filepath.EvalSymlinks(cmp.Or(dir, "."))
	if above := strings.TrimRight(dir, string(filepath.Separator)); err != nil && above != "" && above != name {
		folder = realFolder(above)
	}
	full, err := filepath.Abs(filepath.Join(folder, base))
	if err != nil {
		return name
	}
	return full
}

// pathBelow returns the path of a file relative to a folder that contains it, with forward slashes. The folder may be
// spelled in another way, such as with other cases or through links.
func pathBelow(folder fs.FileInfo, name string) (rel string, inside bool) {
	rel = filepath.Base(name)
	for dir := filepath.Dir(name); ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && os.SameFile(info, folder) {
			return filepath.ToSlash(rel), true
		}
		if dir == filepath.Dir(dir) {
			return "", false
		}
		rel = filepath.Join(filepath.Base(dir), rel)
	}
}
