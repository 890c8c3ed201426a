package store

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"viewer/internal/archive"
	"viewer/internal/storage"
)

// Files is a file system with the newest versions of the files of one folder of a machine.
type Files struct {
	archive         *Archive
	Machine, Folder string
	Paths           []string // in the order of their bytes
	dirs            map[string][]fs.DirEntry
}

// Folders returns the folders that were archived, sorted.
func (a *Archive) Folders() []*Files {
	var all []*Files
	for _, k := range a.Keys() {
		if n := len(all); n == 0 || all[n-1].Machine != k.Machine || all[n-1].Folder != k.Folder {
			all = append(all, &Files{archive: a, Machine: k.Machine, Folder: k.Folder})
		}
		f := all[len(all)-1]
		f.Paths = append(f.Paths, k.Path)
	}
	return all
}

// Record returns the newest version of a file, or nil.
func (f *Files) Record(name string) *archive.Record {
	return f.archive.Newest(archive.Key{Machine: f.Machine, Folder: f.Folder, Path: name})
}

// Open opens a file.
func (f *Files) Open(name string) (fs.File, error) {
	if r := f.Record(name); r != nil {
		return file{f.archive.Content(r), infoOf(r)}, nil
	}
	if entries, err := f.ReadDir(name); err == nil {
		return &folder{folderInfo(path.Base(name)), entries}, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Stat describes a file or folder.
func (f *Files) Stat(name string) (fs.FileInfo, error) {
	if r := f.Record(name); r != nil {
		return infoOf(r), nil
	}
	if _, err := f.ReadDir(name); err != nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return folderInfo(path.Base(name)), nil
}

// ReadDir lists a folder.
func (f *Files) ReadDir(name string) ([]fs.DirEntry, error) {
	if f.dirs == nil {
		f.list()
	}
	if entries, ok := f.dirs[name]; ok {
		return entries, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func (f *Files) list() {
	f.dirs = map[string][]fs.DirEntry{".": nil}
	for _, p := range f.Paths {
		entry := fs.FileInfoToDirEntry(infoOf(f.Record(p)))
		for {
			dir := path.Dir(p)
			_, known := f.dirs[dir]
			f.dirs[dir] = append(f.dirs[dir], entry)
			if known {
				break
			}
			p, entry = dir, fs.FileInfoToDirEntry(folderInfo(path.Base(dir)))
		}
	}
	for _, entries := range f.dirs {
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
}

type file struct {
	*Content
	info storage.Info
}

func (f file) Stat() (fs.FileInfo, error) { return f.info, nil }

func infoOf(r *archive.Record) storage.Info {
	return storage.Info{Object: storage.Object{Name: r.Path, Size: r.Size, Modified: time.Unix(0, r.Mod)}}
}

type folder struct {
	folderInfo
	entries []fs.DirEntry
}

func (f *folder) Stat() (fs.FileInfo, error) { return f.folderInfo, nil }
func (f *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.Name(), Err: fs.ErrInvalid}
}
func (f *folder) Close() error { return nil }

func (f *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(f.entries)
	} else if len(f.entries) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(f.entries))
	some := f.entries[:n]
	f.entries = f.entries[n:]
	return some, nil
}

type folderInfo string

func (f folderInfo) Name() string     { return string(f) }
func (folderInfo) Size() int64        { return 0 }
func (folderInfo) Mode() fs.FileMode  { return fs.ModeDir | 0o555 }
func (folderInfo) ModTime() time.Time { return time.Time{} }
func (folderInfo) IsDir() bool        { return true }
func (folderInfo) Sys() any           { return nil }

// Around returns the archived files of the parent folder, nil for none.
func (f *Files) Around() *Files {
	f.archive.besideOnce.Do(f.archive.findBeside)
	dir := path.Dir(f.Folder)
	paths := f.archive.beside[[2]string{f.Machine, dir}]
	if len(paths) == 0 {
		return nil
	}
	return &Files{archive: f.archive, Machine: f.Machine, Folder: dir, Paths: paths}
}

// findBeside finds the paths of the files that are beside sessions, by machine and folder.
func (a *Archive) findBeside() {
	a.beside = make(map[[2]string][]string)
	for _, k := range a.Keys() {
		if a.Newest(k).Beside {
			in := [2]string{k.Machine, k.Folder}
			a.beside[in] = append(a.beside[in], k.Path)
		}
	}
}
