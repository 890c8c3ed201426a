package output

import (
	"os"

	"golang.org/x/sys/windows"
)

// tryLock locks an open file. The system unlocks it when the process ends. Locked bytes cannot be read by others on
// Windows, so the lock is behind the end of the file.
func tryLock(f *os.File) error {
	return lockBehindEnd(f, windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY)
}

// tryLockShared takes a shared lock.
func tryLockShared(f *os.File) error { return lockBehindEnd(f, windows.LOCKFILE_FAIL_IMMEDIATELY) }

func lockBehindEnd(f *os.File, flags uint32) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1})
}
