package output

import (
	"fmt"
	"os"

	"viewer/internal/failure"
)

const lockName = "lock"

// Lock keeps two builds out of one folder. It is given back by release, or by
// the end of the process.
func (w *Writer) Lock() (release func(), err error) {
	if err := w.root.MkdirAll(StateDir, 0o755); err != nil {
		return nil, failure.New(fmt.Errorf("creating %s: %w", w.path(StateDir), failure.Cause(err)), otherFolder)
	}
	f, err := w.root.OpenFile(StateDir+"/"+lockName, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, failure.New(fmt.Errorf("opening %s: %w", w.path(StateDir+"/"+lockName), failure.Cause(err)), otherFolder)
	}
	if err := tryLock(f); err != nil {
		f.Close()
		return nil, failure.New(fmt.Errorf("another build is writing to %s", w.dir), "wait for it, or use -o to choose another folder")
	}
	return func() { f.Close() }, nil
}
