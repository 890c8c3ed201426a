package sitegen

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
)

// An output writes files below one folder. A file whose bytes are there
// already is not touched: comparing is cheaper than replacing, and keeps its
// time for those who sync. Everything else is written in the state folder and
// renamed into its place, so that a reader never sees half a file, and what a
// killed build leaves behind is found and removed by the next.
type output struct {
	dir     string
	written atomic.Int64
	bytes   atomic.Int64
	mu      sync.Mutex
	made    map[string]bool // names of this build, with forward slashes
}

const tempPrefix = "new-"

func newOutput(dir string) *output { return &output{dir: dir, made: make(map[string]bool)} }

// write puts one file in place and notes that it belongs to the site.
func (o *output) write(name string, data []byte) error {
	o.mu.Lock()
	again := o.made[name]
	o.made[name] = true
	o.mu.Unlock()
	if again { // media: the same content from another session
		return nil
	}
	o.bytes.Add(int64(len(data)))
	return o.replace(name, data)
}

func (o *output) replace(name string, data []byte) error {
	path := filepath.Join(o.dir, filepath.FromSlash(name))
	if same(path, data) {
		return nil
	}
	if err := o.place(path, data); err != nil {
		return &Error{fmt.Errorf("writing %s: %w", path, cause(err)), writeHint(err)}
	}
	o.written.Add(1)
	return nil
}

func writeHint(err error) string {
	if errors.Is(err, syscall.ENOSPC) {
		return "free some space, or use -o to choose a folder on another disk; what was there before can still be read"
	}
	return "use -o to choose another folder"
}

func same(path string, data []byte) bool {
	info, err := os.Lstat(path)
	if err != nil || info.Size() != int64(len(data)) || !info.Mode().IsRegular() {
		return false
	}
	old, err := os.ReadFile(path)
	return err == nil && bytes.Equal(old, data)
}

func (o *output) place(path string, data []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Join(o.dir, stateDir), tempPrefix+"*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Chmod(0o644)
	}
	if closing := tmp.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}
