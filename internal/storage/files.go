package storage

import (
	"bufio"
	"context"
	"io"
	"io/fs"
	"path"
	"time"
)

// Files is a file system for the objects of a bucket. A file is read as a stream, and a stream that is cut off is
// continued at the same place.
type Files struct {
	Bucket  Reader
	Context context.Context
}

// headSize is how much of an object is read ahead, in bytes, so that reading the first bytes takes no further request.
const headSize = 64 << 10

// cuts limits how often a stream may be cut off before it fails.
const cuts = 4

// Open opens an object for reading.
func (f Files) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) || name == "." {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	from, object, err := f.Bucket.Open(f.Context, name, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	object.Name = name
	o := &objectFile{files: f, object: object}
	o.follow(from, 0)
	return o, nil
}

// Stat describes an object without reading it.
func (f Files) Stat(name string) (fs.FileInfo, error) {
	object, err := f.Bucket.Stat(f.Context, name)
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	object.Name = name
	return Info{object}, nil
}

// An objectFile is an open object.
type objectFile struct {
	files  Files
	object Object
	from   io.ReadCloser // nil after a Seek
	buffer *bufio.Reader
	at     int64 // offset of the next Read
	cuts   int
}

func (o *objectFile) follow(from io.ReadCloser, at int64) {
	o.from, o.at = from, at
	if o.buffer == nil {
		o.buffer = bufio.NewReaderSize(from, headSize)
	} else {
		o.buffer.Reset(from)
	}
}

func (o *objectFile) Read(p []byte) (int, error) {
	if o.at >= o.object.Size {
		return 0, io.EOF
	}
	for {
		if o.from == nil {
			from, _, err := o.files.Bucket.Open(o.files.Context, o.object.Name, o.at)
			if err != nil {
				return 0, err
			}
			o.follow(from, o.at)
		}
		n, err := o.buffer.Read(p)
		o.at += int64(n)
		switch {
		case n > 0, err == nil:
			return n, nil
		case err == io.EOF && o.at >= o.object.Size:
			return 0, io.EOF
		}
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if o.cuts++; o.cuts > cuts || o.files.Context.Err() != nil {
			return 0, err
		}
		o.from.Close()
		o.from = nil
	}
}

// ReadAt reads the first bytes without a request, and others with one.
func (o *objectFile) ReadAt(p []byte, off int64) (int, error) {
	if off == 0 && o.at == 0 && o.from != nil && len(p) <= headSize {
		head, err := o.buffer.Peek(len(p))
		n := copy(p, head)
		if err != nil && int64(n) == o.object.Size {
			err = io.EOF
		}
		return n, err
	}
	if off >= o.object.Size {
		return 0, io.EOF
	}
	again := &objectFile{files: o.files, object: o.object, at: off}
	defer again.Close()
	n, err := io.ReadFull(again, p)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}

func (o *objectFile) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += o.at
	case io.SeekEnd:
		offset += o.object.Size
	}
	if offset < 0 {
		return o.at, &fs.PathError{Op: "seek", Path: o.object.Name, Err: fs.ErrInvalid}
	}
	if offset != o.at && o.from != nil {
		o.from.Close()
		o.from = nil
	}
	o.at = offset
	return offset, nil
}

func (o *objectFile) Stat() (fs.FileInfo, error) { return Info{o.object}, nil }

func (o *objectFile) Close() error {
	if o.from == nil {
		return nil
	}
	return o.from.Close()
}

// Info describes an object as a file.
type Info struct{ Object }

// Name returns the last element of the name.
func (i Info) Name() string { return path.Base(i.Object.Name) }

// Size returns the size in bytes.
func (i Info) Size() int64 { return i.Object.Size }

// Mode returns the mode of a readable file.
func (i Info) Mode() fs.FileMode { return 0o444 }

// ModTime returns when the object was written.
func (i Info) ModTime() time.Time { return i.Modified }

// IsDir returns false.
func (i Info) IsDir() bool { return false }

// Sys returns nil.
func (i Info) Sys() any { return nil }
