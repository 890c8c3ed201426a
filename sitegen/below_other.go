//go:build !linux

package sitegen

import (
	"os"
	"path/filepath"
)

// A below looks at files below a folder.
type below struct{ dir string }

func newBelow(dir string, _ *os.Root) (below, error) { return below{dir}, nil }

func (below) close() {}

// file tells size and time of a regular file.
func (b below) file(name string) (size, mod int64, ok bool) {
	info, err := os.Lstat(filepath.Join(b.dir, filepath.FromSlash(name)))
	if err != nil || !info.Mode().IsRegular() {
		return 0, 0, false
	}
	return info.Size(), info.ModTime().UnixNano(), true
}
