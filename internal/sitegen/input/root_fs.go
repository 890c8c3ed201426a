package input

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"viewer/internal/failure"
)

// A rootFS is the file system of a root in which only folders and regular files can be opened. A file may have been
// replaced since it was listed: opening a pipe would wait for whoever writes to it, and some devices have no end.
type rootFS struct {
	root  *os.Root
	files fs.FS // of the root
}

func newRootFS(root *os.Root) rootFS { return rootFS{root, root.FS()} }

func (r rootFS) Open(name string) (fs.File, error) {
	if dontWait == 0 || !fs.ValidPath(name) {
		return r.files.Open(name)
	}
	f, err := r.root.OpenFile(name, os.O_RDONLY|dontWait, 0)
	if errors.Is(err, syscall.EAGAIN) { // a lease, as a file server takes it on a regular file: it ends
		return r.files.Open(name)
	}
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		f.Close()
		if err == nil {
			err = &fs.PathError{Op: "open", Path: name, Err: failure.ErrIrregular}
		}
		return nil, err
	}
	return f, nil
}

func (r rootFS) Stat(name string) (fs.FileInfo, error)      { return fs.Stat(r.files, name) }
func (r rootFS) Lstat(name string) (fs.FileInfo, error)     { return fs.Lstat(r.files, name) }
func (r rootFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(r.files, name) }
func (r rootFS) ReadLink(name string) (string, error)       { return fs.ReadLink(r.files, name) }
