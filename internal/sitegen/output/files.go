package output

import (
	"io"
	"io/fs"
	"os"
)

// files are the operations of a writer on the folder of a site: diskFiles for a folder, bucketFiles for a bucket.
type files interface {
	ReadFile(name string) ([]byte, error)
	Open(name string) (*os.File, error)
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

// diskFiles are the files of a folder.
type diskFiles struct{ *os.Root }

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
