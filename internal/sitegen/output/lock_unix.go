//go:build unix

package output

import (
	"os"
	"syscall"
)

// tryLock locks an open file. The system unlocks it when the process ends.
func tryLock(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// tryLockShared takes a shared lock.
func tryLockShared(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
}
