package fingerprint

import (
	"io/fs"
	"syscall"
)

// inode reads what macOS knows beyond size and time.
func inode(info fs.FileInfo) (changed int64, number uint64) {
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		return sys.Ctimespec.Nano(), sys.Ino
	}
	return 0, 0
}
