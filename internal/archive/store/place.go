package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"viewer/internal/archive"
	"viewer/internal/failure"
	"viewer/internal/storage"
)

// A place is the location of an archive: a folder, or the prefix of a bucket. Names are paths with forward slashes.
type place interface {
	// exists reports whether there is a manifest.
	exists() (bool, error)
	// readManifest returns the manifest, including an unfinished last line.
	// It is fs.ErrNotExist if there is none.
	readManifest() ([]byte, error)
	// extendManifest writes at an offset of the manifest, after everything before is durable. It returns errRaced if
	// another writer was faster.
	extendManifest(at int64, data []byte) error
	// openStream opens a stream to read its frames.
	openStream(stream string) (stream, error)
	// writeFrame writes a frame at its place in its stream. Data that is there is from an interrupted run.
	writeFrame(f *archive.Frame, packed []byte) error
	// flush returns when all frames are durable.
	flush() error
	// list returns the files below a folder, in the order of their names.
	list(dir string) ([]string, error)
	// frameFile returns the file of a frame.
	frameFile(f *archive.Frame) string
	read(name string) ([]byte, error)
	// write writes a small file as a whole.
	write(name string, data []byte) error
	// foreign returns the name of a file that is not part of an archive, "" if there is none.
	foreign() (string, error)
	// lock excludes other writers if that is possible.
	lock() error
	close() error
}

// A stream is an open file of frames.
type stream interface {
	// frame returns the existing part of a frame, which may be incomplete.
	frame(f *archive.Frame) ([]byte, error)
	// size returns the size of the file in bytes, 0 if it is not one file.
	size() int64
	close() error
}

// errRaced means that another writer has written this part of the manifest.
var errRaced = errors.New("another viewer was faster")

// Is reports whether a folder or the prefix of a bucket is an archive.
func Is(ctx context.Context, name string) bool {
	if storage.IsAddress(name) {
		b, err := openBucket(ctx, name)
		if err != nil {
			return false
		}
		defer b.close()
		is, err := b.exists()
		return is && err == nil
	}
	begin, err := beginOf(filepath.Join(storage.Folder(name), archive.ManifestName), 100)
	return err == nil && archive.IsManifest(begin)
}

// openPlace opens a place to read it.
func openPlace(ctx context.Context, name string) (place, error) {
	if storage.IsAddress(name) {
		return openBucket(ctx, name)
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		err = fmt.Errorf("reading %s: %w", name, failure.Cause(err))
		return nil, failure.New(err, "check that the folder can be read")
	}
	return newDisk(root), nil
}

// makePlace opens a place for writing, and creates it if it does not exist.
func makePlace(ctx context.Context, name string) (place, error) {
	if storage.IsAddress(name) {
		return openBucket(ctx, name)
	}
	if err := os.MkdirAll(name, 0o700); err != nil { // sessions are private
		return nil, failure.New(fmt.Errorf("creating %s: %w", name, failure.Cause(err)),
			"use -o to choose another folder")
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, failure.New(fmt.Errorf("opening %s: %w", name, failure.Cause(err)),
			"use -o to choose another folder")
	}
	return newDisk(root), nil
}

// path returns a file of the archive for messages.
func (a *Archive) path(name string) string {
	if storage.IsAddress(a.name) {
		return strings.TrimSuffix(storage.Words(a.name), "/") + "/" + name
	}
	return filepath.Join(a.name, filepath.FromSlash(name))
}
