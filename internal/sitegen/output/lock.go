package output

import (
	"fmt"
	"os"

	"viewer/internal/failure"
)

const lockName = StateDir + "/lock"

// Lock prevents two builds in one folder. release or the end of the process unlocks it.
func (w *Writer) Lock() (release func(), err error) { return w.lock(tryLock) }

// LockShared excludes other builds, except those that also share the folder, such as the shards of one build.
func (w *Writer) LockShared() (release func(), err error) { return w.lock(tryLockShared) }

func (w *Writer) lock(try func(*os.File) error) (release func(), err error) {
	if w.bucket != nil { // no locks: concurrent builds write the same objects
		return func() {}, nil
	}
	if err := w.root.MkdirAll(StateDir, 0o755); err != nil {
		return nil, failure.New(fmt.Errorf("creating %s: %w", w.path(StateDir), failure.Cause(err)), otherFolder)
	}
	f, err := w.root.OpenLock(lockName)
	if err != nil {
		return nil, failure.New(fmt.Errorf("opening %s: %w", w.path(lockName), failure.Cause(err)), otherFolder)
	}
	if err := try(f); err != nil {
		f.Close()
		err = fmt.Errorf("another build is writing to %s", w.dir)
		return nil, failure.New(err, "wait for it, or use -o to choose another folder")
	}
	return func() { f.Close() }, nil
}

// TryLock locks a file for this process. It is an error if another process has locked it.
func TryLock(f *os.File) error { return tryLock(f) }
