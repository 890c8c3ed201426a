// Package store reads and writes archives, which are folders or prefixes of buckets, see package archive. It never
// rewrites the contents of an archive, and knows nothing of sessions.
package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"viewer/internal/archive"
	"viewer/internal/failure"
	"viewer/internal/storage"
)

// An Archive is an archive that is open for reading.
type Archive struct {
	*archive.Index
	Faults []archive.Fault // of the manifest
	Torn   int64           // bytes of an unfinished last line, see archive.ReadIndex

	name   string
	place  place
	cache  frameCache
	effort effort

	besideOnce sync.Once
	beside     map[[2]string][]string // see findBeside
}

// Open opens an archive to read it: a folder, or the prefix of a bucket.
func Open(ctx context.Context, name string) (*Archive, error) {
	name = storage.Folder(name)
	if !storage.IsAddress(name) {
		if _, err := os.Stat(name); err != nil {
			err = fmt.Errorf("reading %s: %w", name, failure.Cause(err))
			return nil, failure.New(err, "viewer archive -o makes one")
		}
		_, err := beginOf(filepath.Join(name, archive.ManifestName), 1)
		switch {
		case errors.Is(err, fs.ErrPermission):
			err = fmt.Errorf("reading %s: %w", name, failure.Cause(err))
			return nil, failure.New(err, "check that the archive can be read")
		case !Is(ctx, name):
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

// unread returns the error for a frame that cannot be read. A file that is gone from the archive is no file that is
// gone from the source, which some callers pass over.
func (a *Archive) unread(f *archive.Frame, err error) error {
	name := a.path(a.place.frameFile(f))
	if errors.Is(err, fs.ErrNotExist) {
		return &archive.Damage{Line: -1, Err: fmt.Errorf("%s is gone", name)}
	}
	return fmt.Errorf("%s: %w", name, failure.Cause(err))
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
