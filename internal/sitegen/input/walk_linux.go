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
	return w.folder(ctx, top, ".", "", deepestWalk)
}

// deepestWalk is the maximum number of open folders. No known sessions are deeper.
const deepestWalk = 32

// folder visits a folder in another one that is open. Its path is empty or ends in a slash.
func (w *walk) folder(ctx context.Context, in *os.File, name, path string, depth int) error {
	if depth == 0 {
		return w.walkRoot(ctx, strings.TrimSuffix(path, "/"))
	}
	open, err := openBelow(in, name)
	var entries []fs.DirEntry
	if err == nil {
		defer open.Close()
		entries, err = open.ReadDir(-1)
	}
	if err != nil {
		if err := w.unread(cmp.Or(strings.TrimSuffix(path, "/"), "."), err); err != nil {
			return err
		}
	}
	slices.SortFunc(entries, byPath)
	for _, e := range entries {
		p := path + e.Name()
		switch {
		case e.IsDir() && w.homes().Skips(p):
		case e.IsDir():
			if err := w.folder(ctx, open, e.Name(), p+"/", depth-1); err != nil {
				return err
			}
		case e.Type()&fs.ModeSymlink != 0:
			w.link(p)
		case irregular(e.Type()) != "" && w.wants(p):
			w.irregular(p, irregular(e.Type()))
		case w.wants(p):
			w.stat(open, e.Name(), p)
		}
	}
	return ctx.Err()
}

// byPath compares two entries of a folder by the paths of the files that they are or contain, so that the files of a
// source are found in their order.
func byPath(a, b fs.DirEntry) int {
	x, y := a.Name(), b.Name()
	n := min(len(x), len(y))
	next := func(e fs.DirEntry, name string) byte {
		switch {
		case len(name) > n:
			return name[n]
		case e.IsDir():
			return '/'
		}
		return 0
	}
	return cmp.Or(strings.Compare(x[:n], y[:n]), cmp.Compare(next(a, x), next(b, y)))
}

// openBelow opens a folder in another one that is open. No link is followed.
func openBelow(in *os.File, name string) (*os.File, error) {
	for {
		at, err := unix.Openat(int(in.Fd()), name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if err == nil {
			return os.NewFile(uintptr(at), name), nil
		}
		if err != unix.EINTR { // interrupted by a signal
			return nil, err
		}
	}
}

// stat adds a file of an open folder, if it is one.
func (w *walk) stat(in *os.File, name, path string) {
	stamp, regular, err := fingerprint.Below(in, name)
	switch {
	case err != nil:
		w.problem(path, err)
	case regular:
		w.found = append(w.found, Entry{path, decode.StampWithJournal(w.FS, path, stamp)})
	}
}
