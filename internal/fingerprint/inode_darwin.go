package fingerprint

import (
	"io/fs"
	"syscall"
)

// inode returns the change time and the inode number.
func inode(info fs.FileInfo) (changed int64, number uint64) {
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		return sys.Ctimespec.Nano(), sys.Ino
	}
	return 0, 0
}
