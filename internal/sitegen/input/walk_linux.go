package input

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/decode"
	"viewer/internal/sources"
)

// walk visits a folder by the descriptors of its folders, each opened from the one above it. A root would open each
// path from the top, and stat files that are not needed: that takes a sixth of a build without changes. No link is
// followed, so that nothing leads out of the source.
func (w *walk) walk(ctx context.Context, dir string) error {
	if w.Root == nil || dir != "." {
		return w.walkRoot(ctx, dir)
	}
	top, err := w.Root.Open(".")
	if err != nil {
		return w.unread(dir, err)
	}
	defer top.Close()
	return w.folder(ctx, int(top.Fd()), ".", "", deepestWalk)
}

// deepestWalk is the maximum number of open folders. No known sessions are deeper.
const deepestWalk = 32

// folder visits a folder in another one that is open. Its path is empty or ends in a slash.
func (w *walk) folder(ctx context.Context, in int, name, path string, depth int) error {
	if depth == 0 {
		return w.walkRoot(ctx, strings.TrimSuffix(path, "/"))
	}
	var at int
	err := uninterrupted(func() (err error) {
		at, err = unix.Openat(in, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		return err
	})
	var entries []fs.DirEntry
	if err == nil {
		open := os.NewFile(uintptr(at), name)
		defer open.Close()
		entries, err = open.ReadDir(-1)
	}
	if err != nil {
		if err := w.unread(cmp.Or(strings.TrimSuffix(path, "/"), "."), err); err != nil {
			return err
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, e := range entries {
		p := path + e.Name()
		switch {
		case e.IsDir() && sources.IsHidden(e.Name()):
		case e.IsDir():
			if err := w.folder(ctx, at, e.Name(), p+"/", depth-1); err != nil {
				return err
			}
		case e.Type()&fs.ModeSymlink != 0:
			w.link(p)
		case irregular(e.Type()) != "" && w.wants(p):
			w.irregular(p, irregular(e.Type()))
		case w.wants(p):
			w.stat(at, e.Name(), p)
		}
	}
	return ctx.Err()
}

// stat adds a file of an open folder, if it is one.
func (w *walk) stat(in int, name, path string) {
	var s unix.Stat_t
	err := uninterrupted(func() error { return unix.Fstatat(in, name, &s, unix.AT_SYMLINK_NOFOLLOW) })
	switch {
	case err != nil:
		w.problem(path, err)
	case s.Mode&unix.S_IFMT == unix.S_IFREG:
		stamp := fingerprint.Stamp{Size: s.Size, Mod: s.Mtim.Nano(), Changed: s.Ctim.Nano(), Inode: s.Ino}
		w.found = append(w.found, Entry{path, decode.StampWithJournal(w.FS, path, stamp)})
	}
}

// uninterrupted repeats a system call that was interrupted by a signal.
func uninterrupted(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}
