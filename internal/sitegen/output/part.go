package output

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// createPart creates the file that is renamed to target when it is written. Its name is always the same, so that a
// run replaces what a killed one has left. It is locked until unlock is called, or the process ends. If a process that
// lives writes the same file, the name is another.
func createPart(target string) (f *os.File, unlock func(), err error) {
	dir, base := filepath.Split(target)
	sum := sha256.Sum256([]byte(base))
	name := dir + ".viewer-" + hex.EncodeToString(sum[:16])
	f, err = createNew(name)
	if errors.Is(err, fs.ErrExist) && removeAbandoned(name) {
		f, err = createNew(name)
	}
	if err == nil {
		if lock := lockedAt(name); lock != nil && isSame(lock, f) {
			return f, func() { lock.Close() }, nil
		} else if lock != nil {
			lock.Close()
		}
		f.Close() // another process, which took it for abandoned, removes it
	} else if !errors.Is(err, fs.ErrExist) {
		return nil, nil, err
	}
	f, err = createNew(dir + ".viewer-" + rand.Text())
	return f, func() {}, err
}

func createNew(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

// lockedAt opens and locks a file, nil if another process has locked it or it cannot be read.
func lockedAt(name string) *os.File {
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	if TryLock(f) != nil {
		f.Close()
		return nil
	}
	return f
}

// removeAbandoned removes the file of a process that has ended, and reports whether it did.
func removeAbandoned(name string) bool {
	lock := lockedAt(name)
	if lock == nil {
		return false
	}
	err := os.Remove(name)
	lock.Close()
	if err != nil { // on Windows the file has to be closed first
		err = os.Remove(name)
	}
	return err == nil
}

func isSame(a, b *os.File) bool {
	x, err := a.Stat()
	y, other := b.Stat()
	return err == nil && other == nil && os.SameFile(x, y)
}
