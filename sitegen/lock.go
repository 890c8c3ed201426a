package sitegen

import (
	"fmt"
	"os"
	"path/filepath"
)

const lockName = "lock"

// lock keeps two builds out of one folder. It is given back by release, or by
// the end of the process.
func lock(dir string) (release func(), err error) {
	state := filepath.Join(dir, stateDir)
	if err := os.MkdirAll(state, 0o755); err != nil {
		return nil, &Error{fmt.Errorf("making %s: %w", state, cause(err)), "use -o to choose another folder"}
	}
	name := filepath.Join(state, lockName)
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, &Error{fmt.Errorf("opening %s: %w", name, cause(err)), "use -o to choose another folder"}
	}
	if err := tryLock(f); err != nil {
		f.Close()
		return nil, &Error{fmt.Errorf("another build is writing to %s", dir), "wait for it, or use -o to choose another folder"}
	}
	stale, _ := filepath.Glob(filepath.Join(state, tempPrefix+"*")) // of a build that was killed
	for _, name := range stale {
		os.Remove(name)
	}
	return func() { f.Close() }, nil
}
