package store

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"

	"viewer/internal/archive"
	"viewer/internal/failure"
	"viewer/internal/sitegen/output"
)

// A disk is an archive in a folder. Each stream is a file.
type disk struct {
	root    *os.Root
	held    *os.File        // the lock
	changed map[string]bool // files with frames that may not be durable yet
}

func newDisk(root *os.Root) *disk { return &disk{root: root, changed: make(map[string]bool)} }

func beginOf(name string, size int) ([]byte, error) {
	if err := failure.Regular(os.Stat(name)); err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	begin := make([]byte, size)
	n, err := io.ReadFull(f, begin)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return begin[:n], err
}

func (d *disk) exists() (bool, error) {
	_, err := d.root.Stat(archive.ManifestName)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (d *disk) readManifest() ([]byte, error) { return output.ReadFile(d.root, archive.ManifestName) }

func (d *disk) extendManifest(at int64, data []byte) error {
	if err := d.append(archive.ManifestName, at, data); err != nil {
		return err
	}
	return d.sync(archive.ManifestName)
}

func (d *disk) openStream(name string) (stream, error) {
	f, err := output.OpenFile(d.root, archive.StreamPath(name))
	if err != nil {
		return nil, err
	}
	return fileStream{f}, nil
}

type fileStream struct{ *os.File }

func (s fileStream) frame(f *archive.Frame) ([]byte, error) {
	packed := make([]byte, f.Packed)
	n, err := s.ReadAt(packed, f.At)
	if err == io.EOF {
		err = nil
	}
	return packed[:n], err
}

func (s fileStream) size() int64 {
	info, err := s.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

func (s fileStream) close() error { return s.Close() }

func (d *disk) frameFile(f *archive.Frame) string { return archive.StreamPath(f.Stream) }

func (d *disk) writeFrame(f *archive.Frame, packed []byte) error {
	name := d.frameFile(f)
	if err := d.root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	d.changed[name] = true
	return d.append(name, f.At, packed)
}

func (d *disk) flush() error {
	dirs := make(map[string]bool)
	for _, name := range slices.Sorted(maps.Keys(d.changed)) {
		if err := d.sync(name); err != nil {
			return err
		}
		dirs[path.Dir(name)] = true
	}
	clear(d.changed)
	for dir := range dirs {
		_ = d.sync(dir) // not all systems can
	}
	return nil
}

func (d *disk) sync(name string) error {
	flag := os.O_RDWR
	if info, err := d.root.Stat(name); err == nil && info.IsDir() {
		flag = os.O_RDONLY
	}
	f, err := d.root.OpenFile(name, flag, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// append writes at an offset of a file. Data after it is from an interrupted run.
func (d *disk) append(name string, at int64, data []byte) error {
	f, err := d.root.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && info.Size() < at {
		err = errors.New("it is shorter than it was")
	}
	if err == nil && info.Size() > at {
		err = f.Truncate(at)
	}
	if err != nil {
		return err
	}
	if _, err = f.WriteAt(data, at); err != nil {
		_ = f.Truncate(at) // otherwise the next run does it
		return err
	}
	return nil
}

func (d *disk) list(dir string) ([]string, error) {
	var names []string
	err := fs.WalkDir(d.root.FS(), dir, func(p string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && !e.IsDir() {
			names = append(names, p)
		}
		return err
	})
	return names, err
}

func (d *disk) read(name string) ([]byte, error) { return output.ReadFile(d.root, name) }

func (d *disk) write(name string, data []byte) error {
	err := d.root.MkdirAll(path.Dir(name), 0o700)
	if err == nil {
		err = d.root.WriteFile(name+".part", data, 0o600)
	}
	if err == nil {
		err = d.root.Rename(name+".part", name)
	}
	return err
}

func (d *disk) foreign() (string, error) {
	entries, err := fs.ReadDir(d.root.FS(), ".")
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		switch e.Name() {
		case archive.LockName, archive.DataDir: // of a run that ended before it wrote anything
		default:
			return e.Name(), nil
		}
	}
	return "", nil
}

func (d *disk) lock() error {
	var err error
	if d.held, err = d.root.OpenFile(archive.LockName, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return err
	}
	if output.TryLock(d.held) != nil {
		return ErrBusy
	}
	return nil
}

func (d *disk) close() error {
	if d.held != nil {
		d.held.Close()
	}
	return d.root.Close()
}
