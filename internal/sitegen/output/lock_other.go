//go:build !unix && !windows

package output

import "os"

// tryLock does nothing on systems without a portable way to lock files. Files are whole even with two builds in one
// folder.
func tryLock(*os.File) error { return nil }

func tryLockShared(*os.File) error { return nil }
