package output

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"viewer/internal/failure"
)

// Prune removes the listed files that this build neither wrote nor kept.
func (w *Writer) Prune() (err error) {
	w.manifest.filter(func(f *File) bool {
		if f.claimed == w.build || err != nil {
			return true
		}
		err = w.remove(f.Name)
		return err != nil
	})
	return err
}

// MarkUnwritten marks files below a folder as not written by this build. Those that are not written again are pruned.
func (w *Writer) MarkUnwritten(folder string, names []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range names {
		if f := w.manifest.find(name); f != nil && strings.HasPrefix(name, folder) {
			f.claimed = 0
		}
	}
}

// Abandon removes the files of sessions that this build did not write from the manifest, but not from the disk. It
// returns their number.
func (w *Writer) Abandon() int {
	n := 0
	w.manifest.filter(func(f *File) bool {
		abandoned := f.claimed != w.build && (strings.HasPrefix(f.Name, "s/") || strings.HasPrefix(f.Name, "media/"))
		if abandoned {
			n++
		}
		return !abandoned
	})
	return n
}

// remove removes a file, and the folders that become empty.
func (w *Writer) remove(name string) error {
	if !isInside(name) {
		return nil
	}
	if err := whileBusy(func() error { return w.root.Remove(name) }); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failure.New(fmt.Errorf("removing %s: %w", w.path(name), failure.Cause(err)), checkAccess)
	}
	w.changed = append(w.changed, name)
	if w.bucket != nil {
		return nil
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if w.root.Remove(dir) != nil {
			break // not empty
		}
	}
	return nil
}

// RemoveUnlisted removes a file that the manifest does not list. Errors are ignored, because an extra file does no
// harm.
func (w *Writer) RemoveUnlisted(name string) { w.root.Remove(name) }

// isInside reports whether a name is inside the site. Somebody may have edited the manifest.
func isInside(name string) bool {
	return fs.ValidPath(name) && name != "." && !strings.Contains(name, `\`) && !strings.HasPrefix(name, StateDir)
}
