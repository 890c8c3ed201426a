package sitegen

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
)

// An output writes files below one folder, and never outside of it: the folder
// is opened as a root, so that a link in it that leads out is refused. A file
// whose bytes are there already is not touched: comparing is cheaper than
// replacing, and keeps its time for those who sync. Everything else is written
// in the state folder and renamed into its place, so that a reader never sees
// half a file, and what a killed build leaves behind is found and removed by
// the next.
type output struct {
	dir     string
	root    *os.Root
	written atomic.Int64
	bytes   atomic.Int64
	temps   atomic.Int64

	mu      sync.Mutex
	made    map[string]bool        // names of this build, with forward slashes
	known   map[string]knownOutput // what the last build left, then what this one does
	journal *os.File               // names that no state lists yet
	folders map[string]bool        // that are there
}

const tempPrefix = "new-"

func openOutput(dir string) (*output, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, &Error{fmt.Errorf("making %s: %w", dir, cause(err)), "use -o to choose another folder"}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, &Error{fmt.Errorf("opening %s: %w", dir, cause(err)), "use -o to choose another folder"}
	}
	return &output{dir: dir, root: root, made: make(map[string]bool), known: make(map[string]knownOutput), folders: make(map[string]bool)}, nil
}

func (o *output) close() {
	if o.journal != nil {
		o.journal.Close()
	}
	o.root.Close()
}

// write puts one file in place and notes that it belongs to the site.
func (o *output) write(name string, data []byte) error {
	if !o.claim(name) { // media: the same content from another session
		return nil
	}
	o.bytes.Add(int64(len(data)))
	return o.replace(name, data)
}

// claim notes that a file belongs to the site; false when that is known.
func (o *output) claim(name string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	again := o.made[name]
	o.made[name] = true
	return !again
}

// keep notes that files of the last build stay.
func (o *output) keep(names []string) {
	for _, name := range names {
		if o.claim(name) {
			o.mu.Lock()
			o.bytes.Add(o.known[name].Size)
			o.mu.Unlock()
		}
	}
}

// intact says whether files are as the last build left them.
func (o *output) intact(names ...string) bool {
	for _, name := range names {
		o.mu.Lock()
		known, ok := o.known[name]
		o.mu.Unlock()
		if !ok || !o.is(name, known) {
			return false
		}
	}
	return true
}

// is looks at one file. It goes by its path: what a link would lead to is not
// opened, and a regular file at its end is all that counts.
func (o *output) is(name string, known knownOutput) bool {
	info, err := os.Lstat(filepath.Join(o.dir, filepath.FromSlash(name)))
	return err == nil && info.Mode().IsRegular() && info.Size() == known.Size && info.ModTime().UnixNano() == known.Mod
}

func (o *output) replace(name string, data []byte) error {
	info, err := o.same(name, data)
	if err == nil && info == nil {
		info, err = o.place(name, data)
		if err == nil && !strings.HasPrefix(name, stateDir+"/") {
			o.written.Add(1)
		}
	}
	if err != nil {
		full := filepath.Join(o.dir, filepath.FromSlash(name))
		return &Error{fmt.Errorf("writing %s: %w", full, cause(err)), writeHint(err)}
	}
	if !strings.HasPrefix(name, stateDir+"/") {
		o.mu.Lock()
		o.known[name] = knownOutput{info.Size(), info.ModTime().UnixNano()}
		o.mu.Unlock()
	}
	return nil
}

func writeHint(err error) string {
	if errors.Is(err, syscall.ENOSPC) {
		return "free some space, or use -o to choose a folder on another disk; what was there before can still be read"
	}
	return "use -o to choose another folder"
}

// same is what is known of a file that holds these bytes already, nil when none does.
func (o *output) same(name string, data []byte) (fs.FileInfo, error) {
	info, err := o.root.Lstat(name)
	if err != nil || info.Size() != int64(len(data)) || !info.Mode().IsRegular() {
		return nil, nil
	}
	old, err := o.root.ReadFile(name)
	if err != nil || !bytes.Equal(old, data) {
		return nil, nil
	}
	return info, nil
}

func (o *output) place(name string, data []byte) (fs.FileInfo, error) {
	if err := o.note(name); err != nil {
		return nil, err
	}
	if err := o.folder(path.Dir(name)); err != nil {
		return nil, err
	}
	temp := stateDir + "/" + tempPrefix + strconv.FormatInt(o.temps.Add(1), 36)
	f, err := o.root.OpenFile(temp, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
	if err != nil {
		return nil, err
	}
	_, err = f.Write(data)
	var info fs.FileInfo
	if err == nil {
		info, err = f.Stat()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = o.root.Rename(temp, name)
	}
	if err != nil {
		o.root.Remove(temp)
		return nil, err
	}
	return info, nil
}

// folder makes a folder of the site, once.
func (o *output) folder(dir string) error {
	o.mu.Lock()
	there := o.folders[dir]
	o.mu.Unlock()
	if there || dir == "." {
		return nil
	}
	if err := o.root.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	o.mu.Lock()
	o.folders[dir] = true
	o.mu.Unlock()
	return nil
}

// note writes the name of a file that no state lists into the journal before
// the file is made: when this build is killed, the next one knows whose it is.
func (o *output) note(name string) error {
	if strings.HasPrefix(name, stateDir+"/") {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, listed := o.known[name]; listed {
		return nil
	}
	if o.journal == nil {
		f, err := o.root.OpenFile(journalName, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
		if err != nil {
			return err
		}
		o.journal = f
	}
	_, err := o.journal.WriteString(name + "\n")
	return err
}

// adopt takes over what the last build has left: the files that its state
// lists, and those that a build made that did not come to its end.
func (o *output) adopt(outputs map[string]knownOutput) {
	for name, known := range outputs {
		o.known[name] = known
	}
	data, err := o.root.ReadFile(journalName)
	if err != nil {
		return
	}
	for name := range strings.Lines(string(data)) {
		name = strings.TrimSuffix(name, "\n")
		if _, listed := o.known[name]; !listed && inside(name) {
			o.known[name] = knownOutput{Size: -1}
		}
	}
}

// prune removes what the last build left and this one did not make.
func (o *output) prune() error {
	for name := range o.known {
		if o.made[name] {
			continue
		}
		delete(o.known, name)
		if !inside(name) {
			continue
		}
		if err := o.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &Error{fmt.Errorf("removing %s: %w", filepath.Join(o.dir, filepath.FromSlash(name)), cause(err)), "check that the folder may be written to"}
		}
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if o.root.Remove(dir) != nil {
				break // not empty
			}
			delete(o.folders, dir)
		}
	}
	return nil
}

// finish leaves the state, after which nothing needs the journal.
func (o *output) finish(s *state) error {
	s.outputs = o.known
	if err := s.write(o); err != nil {
		return err
	}
	if o.journal != nil {
		o.journal.Close()
		o.journal = nil
	}
	if err := o.root.Remove(journalName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &Error{fmt.Errorf("removing %s: %w", filepath.Join(o.dir, journalName), cause(err)), "check that the folder may be written to"}
	}
	return nil
}

// inside guards against a state that somebody edited.
func inside(name string) bool {
	return fs.ValidPath(name) && name != "." && !strings.Contains(name, `\`) && !strings.HasPrefix(name, stateDir)
}

func errReading(dir string, err error) error { return fmt.Errorf("reading %s: %w", dir, cause(err)) }

func errForeign(dir string) error {
	return fmt.Errorf("%s holds files that are not of a site made here", dir)
}
