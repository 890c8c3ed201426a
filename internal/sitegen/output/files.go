package output

import (
	"io"
	"io/fs"
	"os"

	"viewer/internal/failure"
)

// files are the operations of a writer on the folder of a site: diskFiles for a folder, bucketFiles for a bucket.
type files interface {
	ReadFile(name string) ([]byte, error)
	Open(name string) (OpenedFile, error)
	OpenFile(name string, flag int, mode fs.FileMode) (io.WriteCloser, error)
	OpenLock(name string) (*os.File, error)
	Lstat(name string) (fs.FileInfo, error)
	Rename(from, to string) error
	Remove(name string) error
	RemoveAll(name string) error
	MkdirAll(name string, mode fs.FileMode) error
	OpenFolder(name string) (files, error)
	Close() error
}

// An OpenedFile is a file of a site that is open for reading.
type OpenedFile interface {
	io.ReadSeekCloser
	io.ReaderAt
	Stat() (fs.FileInfo, error)
}

// diskFiles are the files of a folder.
type diskFiles struct{ *os.Root }

func (d diskFiles) ReadFile(name string) ([]byte, error) { return ReadFile(d.Root, name) }

func (d diskFiles) Open(name string) (OpenedFile, error) {
	f, err := OpenFile(d.Root, name)
	if err != nil {
		return nil, err // not a nil pointer in an interface
	}
	return f, nil
}

// ReadFile reads a file below a root. It opens no pipe, because that would wait for whoever writes to it.
func ReadFile(root *os.Root, name string) ([]byte, error) {
	if err := readable(root, name); err != nil {
		return nil, err
	}
	return root.ReadFile(name)
}

// OpenFile opens a file or a folder below a root to read it, but no pipe.
func OpenFile(root *os.Root, name string) (*os.File, error) {
	if err := readable(root, name); err != nil {
		return nil, err
	}
	return root.Open(name)
}

// readable returns an error unless there is a regular file or a folder.
func readable(root *os.Root, name string) error {
	info, err := root.Stat(name)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: name, Err: failure.ErrIrregular}
	}
	return err
}

func (d diskFiles) OpenFile(name string, flag int, mode fs.FileMode) (io.WriteCloser, error) {
	f, err := d.Root.OpenFile(name, flag, mode)
	if err != nil {
		return nil, err // not a nil pointer in an interface
	}
	return f, nil
}

func (d diskFiles) OpenLock(name string) (*os.File, error) {
	return d.Root.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o644)
}

func (d diskFiles) OpenFolder(name string) (files, error) {
	root, err := d.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return diskFiles{root}, nil
}
