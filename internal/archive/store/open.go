// Package store reads and writes archives that are folders, see package archive. It never rewrites what an archive
// holds, and knows nothing of sessions.
package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"viewer/internal/archive"
	"viewer/internal/failure"
)

// An Archive is one that is read.
type Archive struct {
	*archive.Index
	Faults []archive.Fault // of the manifest
	Torn   int64           // bytes of a last line that has no end, see archive.ReadIndex

	name string
	root *os.Root
}

// Is reports whether a folder is an archive.
func Is(dir string) bool {
	f, err := os.Open(filepath.Join(dir, archive.ManifestName))
	if err != nil {
		return false
	}
	defer f.Close()
	begin := make([]byte, 100)
	n, _ := io.ReadFull(f, begin)
	return archive.IsManifest(begin[:n])
}

// Open opens an archive to read it.
func Open(dir string) (*Archive, error) {
	if _, err := os.Stat(dir); err != nil {
		return nil, failure.New(fmt.Errorf("reading %s: %w", dir, failure.Cause(err)), "viewer archive -o makes one")
	}
	if !Is(dir) {
		return nil, failure.New(fmt.Errorf("reading %s: it is no archive", dir),
			"an archive is a folder with a file "+archive.ManifestName+"; viewer archive -o makes one")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		err = fmt.Errorf("reading %s: %w", dir, failure.Cause(err))
		return nil, failure.New(err, "check that the folder can be read")
	}
	a := &Archive{name: dir, root: root}
	if err := a.read(); err != nil {
		root.Close()
		return nil, err
	}
	return a, nil
}

func (a *Archive) read() error {
	manifest, err := a.root.ReadFile(archive.ManifestName)
	if err == nil {
		a.Index, a.Faults, err = archive.ReadIndex(manifest)
	}
	if errors.Is(err, archive.ErrFormat) {
		return failure.New(a.failed("reading", archive.ManifestName, err), "take a newer viewer")
	}
	if err != nil {
		return failure.New(a.failed("reading", archive.ManifestName, err), "check that the archive can be read")
	}
	a.Torn = int64(len(manifest)) - a.Size
	return nil
}

// Name is how the archive was given.
func (a *Archive) Name() string { return a.name }

// Close lets go of it.
func (a *Archive) Close() error { return a.root.Close() }

func (a *Archive) failed(doing, name string, err error) error {
	return fmt.Errorf("%s %s: %w", doing, filepath.Join(a.name, filepath.FromSlash(name)), failure.Cause(err))
}

// A Content is that of a version of a file.
type Content struct {
	archive *Archive
	record  *archive.Record
	at      int64

	frame   *archive.Frame // that was unpacked last
	data    []byte
	streams map[string]*os.File // that are open
}

// Content opens a version. The error of a read is an *archive.Damage where it is not what was archived.
func (a *Archive) Content(r *archive.Record) *Content {
	return &Content{archive: a, record: r, streams: make(map[string]*os.File)}
}

func (c *Content) Read(p []byte) (int, error) {
	n, err := c.ReadAt(p, c.at)
	c.at += int64(n)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

// ReadAt reads from anywhere in the content.
func (c *Content) ReadAt(p []byte, off int64) (int, error) {
	n, at := 0, int64(0)
	for _, part := range c.record.Parts {
		size := part.To - part.From
		for n < len(p) && off+int64(n) >= at && off+int64(n) < at+size {
			from := part.From + off + int64(n) - at
			data, err := c.piece(part.Stream, from)
			if err != nil {
				return n, err
			}
			n += copy(p[n:], data[:min(int64(len(data)), part.To-from)])
		}
		at += size
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// piece is what a stream holds from an offset to the end of its frame.
func (c *Content) piece(stream string, from int64) ([]byte, error) {
	s := c.archive.Streams[stream]
	f := &s.Frames[s.FrameAt(from)]
	if c.frame != f {
		file := c.streams[stream]
		if file == nil {
			var err error
			if file, err = c.archive.root.Open(archive.StreamPath(stream)); err != nil {
				return nil, err
			}
			c.streams[stream] = file
		}
		packed := make([]byte, f.Packed)
		if n, err := file.ReadAt(packed, f.At); err == io.EOF {
			packed = packed[:n]
		} else if err != nil {
			return nil, err
		}
		data, err := f.Unpack(packed)
		if err != nil {
			return nil, err
		}
		c.frame, c.data = f, data
	}
	return c.data[from-f.From:], nil
}

// Seek goes to another place.
func (c *Content) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += c.at
	case io.SeekEnd:
		offset += c.record.Size
	}
	if offset < 0 {
		return c.at, fs.ErrInvalid
	}
	c.at = offset
	return offset, nil
}

// Close closes the streams.
func (c *Content) Close() error {
	for _, f := range c.streams {
		f.Close()
	}
	clear(c.streams)
	return nil
}

// Plain is a path of a machine as one below a folder: without a root, and what Windows has before one.
func Plain(path string) string {
	path = strings.ReplaceAll(path, ":", "")
	var parts []string
	for part := range strings.SplitSeq(path, "/") {
		if part != "" && part != "." && part != ".." {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "/")
}
