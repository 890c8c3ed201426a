package sitegen

import (
	"os"

	"golang.org/x/sys/unix"
)

// A below looks at files below a folder by its descriptor: a site has thousands of
// them, and to walk from the root of the file system to each takes as long as the look.
type below struct{ dir *os.File }

func newBelow(_ string, root *os.Root) (below, error) {
	dir, err := root.Open(".")
	return below{dir}, err
}

func (b below) close() { b.dir.Close() }

// file tells size and time of a regular file.
func (b below) file(name string) (size, mod int64, ok bool) {
	var s unix.Stat_t
	err := uninterrupted(func() error { return unix.Fstatat(int(b.dir.Fd()), name, &s, unix.AT_SYMLINK_NOFOLLOW) })
	return s.Size, s.Mtim.Nano(), err == nil && s.Mode&unix.S_IFMT == unix.S_IFREG
}
