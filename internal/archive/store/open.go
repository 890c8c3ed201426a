// Package store reads and writes archives, which are folders or prefixes of buckets, see package archive. It never
// rewrites the contents of an archive, and knows nothing of sessions.
package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"viewer/internal/archive"
	"viewer/internal/failure"
	"viewer/internal/storage"
)

// An Archive is an archive that is open for reading.
type Archive struct {
	*archive.Index
	Faults []archive.Fault // of the manifest
	Torn   int64           // bytes of an unfinished last line, see archive.ReadIndex

	name  string
	place place
	cache frameCache
}

// Open opens an archive to read it: a folder, or the prefix of a bucket.
func Open(ctx context.Context, name string) (*Archive, error) {
	name = storage.Folder(name)
	if !storage.IsAddress(name) {
		if _, err := os.Stat(name); err != nil {
			err = fmt.Errorf("reading %s: %w", name, failure.Cause(err))
			return nil, failure.New(err, "viewer archive -o makes one")
		}
		if !Is(ctx, name) {
			return nil, notOne(name)
		}
	}
	place, err := openPlace(ctx, name)
	if err != nil {
		return nil, err
	}
	a := &Archive{name: name, place: place}
	if err := a.read(); err != nil {
		place.close()
		return nil, err
	}
	return a, nil
}

func notOne(name string) error {
	return failure.New(fmt.Errorf("reading %s: not an archive", storage.Words(name)),
		"an archive has a manifest, "+archive.ManifestName+"; viewer archive -o makes one")
}

func (a *Archive) read() error {
	manifest, err := a.place.readManifest()
	if err == nil {
		a.Index, a.Faults, err = archive.ReadIndex(manifest)
	}
	switch known := (*failure.Error)(nil); {
	case errors.Is(err, archive.ErrFormat):
		return failure.New(a.failed("reading", archive.ManifestName, err), "use a newer viewer")
	case errors.Is(err, fs.ErrNotExist) && storage.IsAddress(a.name):
		return notOne(a.name)
	case errors.As(err, &known):
		return storage.Failed(a.name, err)
	case err != nil:
		return failure.New(a.failed("reading", archive.ManifestName, err), "check that the archive can be read")
	}
	a.Torn = int64(len(manifest)) - a.Size
	return nil
}

// Name returns the path that the archive was opened by.
func (a *Archive) Name() string { return a.name }

// Close closes the archive.
func (a *Archive) Close() error { return a.place.close() }

func (a *Archive) failed(doing, name string, err error) error {
	return fmt.Errorf("%s %s: %w", doing, a.path(name), failure.Cause(err))
}

// A Content is the content of a version of a file.
type Content struct {
	archive *Archive
	record  *archive.Record
	at      int64

	frame   *archive.Frame // the last one that was unpacked
	data    []byte
	streams map[string]stream // that are open
}

// Content opens a version. Reads return an *archive.Damage if the content is not what was archived.
func (a *Archive) Content(r *archive.Record) *Content {
	return &Content{archive: a, record: r, streams: make(map[string]stream)}
}

func (c *Content) Read(p []byte) (int, error) {
	n, err := c.ReadAt(p, c.at)
	c.at += int64(n)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

// ReadAt reads from an offset of the content.
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

// piece returns the content of a stream from an offset to the end of its frame.
func (c *Content) piece(stream string, from int64) ([]byte, error) {
	s := c.archive.Streams[stream]
	f := &s.Frames[s.FrameAt(from)]
	if c.frame != f {
		unpack := func() ([]byte, error) { return c.unpack(stream, f) }
		var data []byte
		var err error
		if c.record.Size <= groupedSize {
			data, err = c.archive.cache.get(f, unpack)
		} else {
			data, err = unpack()
		}
		if err != nil {
			return nil, err
		}
		c.frame, c.data = f, data
	}
	return c.data[from-f.From:], nil
}

func (c *Content) unpack(name string, f *archive.Frame) ([]byte, error) {
	file := c.streams[name]
	if file == nil {
		var err error
		if file, err = c.archive.place.openStream(name); err != nil {
			return nil, c.archive.unread(f, err)
		}
		c.streams[name] = file
	}
	packed, err := file.frame(f)
	if err != nil {
		return nil, c.archive.unread(f, err)
	}
	data, err := f.Unpack(packed)
	if err != nil {
		return data, c.archive.unread(f, err)
	}
	return data, nil
}

// unread returns the error for a frame that cannot be read. A file that is gone from the archive is no file that is
// gone from the source, which some callers pass over.
func (a *Archive) unread(f *archive.Frame, err error) error {
	name := a.path(a.place.frameFile(f))
	if errors.Is(err, fs.ErrNotExist) {
		return &archive.Damage{Line: -1, Err: fmt.Errorf("%s is gone", name)}
	}
	return fmt.Errorf("%s: %w", name, failure.Cause(err))
}

// Seek sets the offset of the next read.
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
		f.close()
	}
	clear(c.streams)
	return nil
}

// Plain returns an absolute path of a machine as a relative one, without the root or the drive of Windows.
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
