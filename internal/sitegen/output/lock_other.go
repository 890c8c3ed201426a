//go:build !unix && !windows

package output

import "os"

// tryLock does nothing on systems without a portable way to lock files. Two builds in one folder both write whole
// files.
func tryLock(*os.File) error { return nil }

func tryLockShared(*os.File) error { return nil }
