//go:build !linux

package fingerprint

import (
	"os"
	"path/filepath"
)

// Below returns the stamp of a file below an open folder, and whether it is a regular file. A link is not followed.
func Below(dir *os.File, path string) (s Stamp, regular bool, err error) {
	info, err := os.Lstat(filepath.Join(dir.Name(), filepath.FromSlash(path)))
	if err != nil {
		return Stamp{}, false, err
	}
	return StampOf(info), info.Mode().IsRegular(), nil
}
