package publish

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"

	"viewer/internal/failure"
	"viewer/internal/storage"
)

// A folder is a bucket whose objects are the files below a folder. Links are not followed out of it.
type folder struct {
	dir string

	mu   sync.Mutex
	root *os.Root // nil while the folder does not exist
}

func openFolder(dir string) (*folder, error) {
	var root *os.Root
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() { // opening a pipe would block
		err = syscall.ENOTDIR
	}
	if err == nil {
		root, err = os.OpenRoot(dir)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, failure.New(fmt.Errorf("opening %s: %w", dir, failure.Cause(err)),
			"name a folder, s3://BUCKET/PREFIX, or REPOSITORY#BRANCH")
	}
	return &folder{dir: dir, root: root}, nil
}

// opened returns the folder, which it creates if necessary.
func (f *folder) opened() (*os.Root, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.root != nil {
		return f.root, nil
	}
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return nil, err
	}
	var err error
	f.root, err = os.OpenRoot(f.dir)
	return f.root, err
}

func (f *folder) List(_ context.Context, prefix string) iter.Seq2[storage.Object, error] {
	return func(yield func(storage.Object, error) bool) {
		if f.root == nil {
			return
		}
		var names []string
		err := fs.WalkDir(f.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.Name() == ".git" && d.IsDir():
				return fs.SkipDir
			case d.Name() == ".git": // names a repository elsewhere
			case !d.IsDir() && strings.HasPrefix(name, prefix):
				names = append(names, name)
			}
			return nil
		})
		if err != nil {
			yield(storage.Object{}, err)
			return
		}
		slices.Sort(names)
		for _, name := range names {
			o, err := f.object(name)
			if !yield(o, err) || err != nil {
				return
			}
		}
	}
}

// object describes a file. The size is -1 if it is not a regular file, so that it differs from every published file.
func (f *folder) object(name string) (storage.Object, error) {
	info, err := f.root.Lstat(name)
	if err != nil {
		return storage.Object{}, err
	}
	if !info.Mode().IsRegular() {
		return storage.Object{Name: name, Size: -1}, nil
	}
	file, err := f.root.Open(name)
	if err != nil {
		return storage.Object{}, err
	}
	defer file.Close()
	h := md5.New()
	size, err := io.Copy(h, file)
	return storage.Object{Name: name, Size: size, Modified: info.ModTime(), MD5: h.Sum(nil)}, err
}

func (f *folder) Open(_ context.Context, name string, offset int64) (io.ReadCloser, storage.Object, error) {
	if f.root == nil {
		return nil, storage.Object{}, fs.ErrNotExist
	}
	file, err := f.root.Open(name)
	if err != nil {
		return nil, storage.Object{}, err
	}
	info, err := file.Stat()
	if err == nil {
		_, err = file.Seek(offset, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return nil, storage.Object{}, err
	}
	return file, storage.Object{Size: info.Size(), Modified: info.ModTime()}, nil
}

func (f *folder) Stat(_ context.Context, name string) (storage.Object, error) {
	if f.root == nil {
		return storage.Object{}, fs.ErrNotExist
	}
	return f.object(name)
}

const besidePrefix = ".viewer-"

// isBeside reports whether a file is a temporary file of Put, left by a killed run.
func isBeside(name string) bool {
	number, ok := strings.CutPrefix(path.Base(name), besidePrefix)
	_, err := hex.DecodeString(number)
	return ok && err == nil && len(number) == 32
}

// Put writes a temporary file next to its place and renames it, so that the file is complete or missing.
func (f *folder) Put(_ context.Context, name string, data []byte, _ storage.PutOptions) error {
	root, err := f.opened()
	if err != nil {
		return err
	}
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	beside := path.Join(path.Dir(name), besidePrefix+NewName())
	if err = root.WriteFile(beside, data, 0o644); err == nil {
		err = root.Rename(beside, name)
	}
	if err != nil {
		_ = root.Remove(beside) // which may not be there
	}
	return err
}

// Delete removes a file, and folders that become empty.
func (f *folder) Delete(_ context.Context, name string) error {
	if f.root == nil {
		return nil
	}
	if err := f.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if f.root.Remove(dir) != nil { // it has other files
			break
		}
	}
	return nil
}

func (f *folder) Close() error {
	if f.root == nil {
		return nil
	}
	return f.root.Close()
}
