package sitegen

import (
	"fmt"
	"os"
	"path"
	"path/filepath"

	"viewer/internal/failure"
)

const lockName = "lock"

// lock keeps two builds out of one folder. It is given back by release, or by
// the end of the process.
func lock(o *output) (release func(), err error) {
	if err := o.root.MkdirAll(stateDir, 0o755); err != nil {
		return nil, failure.New(fmt.Errorf("creating %s: %w", filepath.Join(o.dir, stateDir), Cause(err)), "use -o to choose another folder")
	}
	f, err := o.root.OpenFile(path.Join(stateDir, lockName), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, failure.New(fmt.Errorf("opening %s: %w", filepath.Join(o.dir, stateDir, lockName), Cause(err)), "use -o to choose another folder")
	}
	if err := tryLock(f); err != nil {
		f.Close()
		return nil, failure.New(fmt.Errorf("another build is writing to %s", o.dir), "wait for it, or use -o to choose another folder")
	}
	return func() { f.Close() }, nil
}
