package output

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"viewer/internal/failure"
)

// A DirWriter writes files below one folder of the site. It resolves the path of the folder once, not for each file.
type DirWriter struct {
	*Writer
	root  files
	dir   string // with a slash at the end, "" for the site itself
	isNew bool   // it was created, so it has no files of the last build
}

// Top returns a writer for files anywhere in the site.
func (w *Writer) Top() *DirWriter { return &DirWriter{Writer: w, root: w.root} }

// OpenDir opens a folder of the site and creates it if necessary.
func (w *Writer) OpenDir(dir string) (*DirWriter, error) {
	root, err := w.root.OpenFolder(dir)
	isNew := errors.Is(err, fs.ErrNotExist)
	if isNew {
		if err = w.root.MkdirAll(dir, 0o755); err == nil {
			root, err = w.root.OpenFolder(dir)
		}
	}
	if err != nil {
		return nil, failure.New(fmt.Errorf("creating %s: %w", w.path(dir), failure.Cause(err)), writeHint(err))
	}
	return &DirWriter{Writer: w, root: root, dir: dir + "/", isNew: isNew}, nil
}

// Close closes the folder, not the site.
func (d *DirWriter) Close() {
	if d.root != d.Writer.root {
		d.root.Close()
	}
}

// Name returns the name of a file of this folder, relative to the site.
func (d *DirWriter) Name(name string) string { return d.dir + name }

// ReadFile reads a file of this folder.
func (d *DirWriter) ReadFile(name string) ([]byte, error) { return d.root.ReadFile(name) }

// Lstat describes a file of this folder.
func (d *DirWriter) Lstat(name string) (fs.FileInfo, error) { return d.root.Lstat(name) }

// Write writes a file and lists it in the manifest.
func (d *DirWriter) Write(name string, data []byte) error {
	full := d.dir + name
	if !d.claim(full) { // a media file that another session wrote
		return nil
	}
	d.bytes.Add(int64(len(data)))
	info := d.holding(name, data)
	present := info != nil
	if !present {
		var err error
		if info, err = d.replace(name, writing(data)); err != nil {
			return failed(d.path(full), err)
		}
		d.written.Add(1)
	}
	d.mu.Lock()
	f := d.manifest.add(full)
	f.set(info.Size(), info.ModTime().UnixNano())
	f.claimed, f.intact = d.build, 0
	if !present {
		d.changed = append(d.changed, full)
	}
	d.mu.Unlock()
	return nil
}

// WriteUnlisted writes a file that no page needs and the manifest does not list.
func (d *DirWriter) WriteUnlisted(name string, data []byte) error {
	_, err := d.replace(name, writing(data))
	return failed(d.path(d.dir+name), err)
}

// WriteTail writes data into a file that the manifest does not list, from an offset to its new end. It is for sites on
// disk; a build that is killed may leave a part of it.
func (w *Writer) WriteTail(name string, offset int64, data []byte) error {
	f, err := w.root.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return failed(w.path(name), err)
	}
	if file, ok := f.(*os.File); ok {
		if err = file.Truncate(offset); err == nil {
			_, err = file.WriteAt(data, offset)
		}
	}
	return failed(w.path(name), errors.Join(err, f.Close()))
}

func writing(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// Holds reports whether a file holds these bytes.
func (d *DirWriter) Holds(name string, data []byte) bool { return d.holding(name, data) != nil }

// holding returns the description of a file if it holds these bytes, else nil.
func (d *DirWriter) holding(name string, data []byte) fs.FileInfo {
	if d.isNew {
		return nil
	}
	if d.bucket != nil {
		return d.holdingObject(name, data)
	}
	info, err := d.root.Lstat(name)
	if err != nil || info.Size() != int64(len(data)) || !info.Mode().IsRegular() {
		return nil
	}
	old, err := d.root.ReadFile(name)
	if err != nil || !bytes.Equal(old, data) {
		return nil
	}
	return info
}
