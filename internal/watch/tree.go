package watch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"viewer/internal/fingerprint"
)

// A tree holds what the watched folders contained when they were last examined. Updates collect what changed.
type tree struct {
	enter    func(dir string, link bool) bool
	failed   func(error)
	notifier notifier

	roots    []*node
	watched  map[string][]*node // by the path without links; several if sources overlap
	parents  map[string][]*node // roots that are files or missing, by their folder
	changed  map[string]bool    // files
	reported map[string]string  // errors that are not resolved, by path
}

// A node is a file or a folder, or a path where one was.
type node struct {
	path     string
	parent   *node       // nil for a root
	odd      fs.FileMode // its type, if it is neither a file nor a folder, such as that of a symbolic link
	info     fs.FileInfo // of the file, or of the folder that is watched; nil if there is none
	entries  map[string]*node
	realPath string    // of a folder: its path without links
	readAt   time.Time // of a folder: when its entries were read
}

// A depth is how much an update examines.
type depth int

const (
	recentFiles depth = iota // folders, and files that changed in the last hour
	allFiles                 // old files, too
)

// oldAge is the minimum age of an old file.
const oldAge = time.Hour

// The times of folders are coarse: a folder that changed about when it was read may have changed after that.
const folderTimeStep = 2 * time.Second

func newTree(o Options, b notifier) *tree {
	t := &tree{
		enter: o.Enter, failed: o.Failed, notifier: b,
		watched: make(map[string][]*node), parents: make(map[string][]*node),
		changed: make(map[string]bool), reported: make(map[string]string),
	}
	if t.enter == nil {
		t.enter = func(_ string, link bool) bool { return !link }
	}
	for _, p := range o.Paths {
		t.roots = append(t.roots, &node{path: filepath.Clean(p)})
	}
	return t
}

// sweep updates all nodes to the given depth.
func (t *tree) sweep(d depth) {
	for _, n := range t.roots {
		t.update(n, d)
	}
}

// addMissing adds files that do not exist to the changed ones.
func (t *tree) addMissing(files []string) {
	for _, file := range files {
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			t.changed[file] = true
		}
	}
}

// pathsOf returns the paths that an event may be about, because a folder may be watched under several.
func (t *tree) pathsOf(name string) []string {
	var paths []string
	name = filepath.Clean(name)
	dir, base := filepath.Dir(name), filepath.Base(name)
	for _, n := range t.watched[name] {
		paths = append(paths, n.path)
	}
	for _, n := range t.watched[dir] {
		paths = append(paths, filepath.Join(n.path, base))
	}
	for _, n := range t.parents[dir] {
		if filepath.Base(n.path) == base {
			paths = append(paths, n.path)
		}
	}
	return paths
}

// examine updates one path because of an event. sure says that the event was not only about permissions.
func (t *tree) examine(path string, sure bool) {
	n := t.find(path)
	if n == nil {
		return // its folder is gone or not watched
	}
	if n.entries != nil && sure {
		// A folder that was moved away and back looks the same but has lost its watches.
		t.forget(n)
	}
	t.update(n, allFiles)
	if n.info == nil && n.parent != nil && n.odd == 0 {
		delete(n.parent.entries, filepath.Base(path))
	}
	if n.info != nil && n.entries == nil && sure {
		t.changed[path] = true // size and time may be the same by chance
	}
}

// find returns the node of a path, or a new one if its folder is known.
func (t *tree) find(path string) *node {
	for _, n := range t.roots {
		if n.path == path {
			return n
		}
		below, ok := strings.CutPrefix(path, strings.TrimSuffix(n.path, string(filepath.Separator))+
			string(filepath.Separator))
		if !ok {
			continue
		}
		for name := range strings.SplitSeq(below, string(filepath.Separator)) {
			if n == nil || n.entries == nil {
				n = nil
				break
			}
			child := n.entries[name]
			if child == nil && filepath.Join(n.path, name) == path {
				child = &node{path: path, parent: n}
				n.entries[name] = child
			}
			n = child
		}
		if n != nil {
			return n
		}
	}
	return nil
}

// update updates a node and those below it.
func (t *tree) update(n *node, d depth) {
	before := n.odd
	info, err := n.stat()
	became := n.odd != before // a link may lead to the file that was in its place, or nowhere, which builds report
	if became {
		t.changed[n.path] = true
	}
	if err == nil {
		os.SameFile(info, info) // Windows otherwise looks up which file this is at the first comparison, by its name
	}
	t.reportEntry(n, err)
	switch {
	case err != nil:
		t.forget(n)
	case info.IsDir():
		if n.entries == nil || became || !os.SameFile(n.info, info) {
			t.forget(n)
			if !t.enterFolder(n) {
				break
			}
			if n.parent == nil {
				t.changed[n.path] = true // its previous content is unknown
			}
		}
		t.updateFolder(n, info, d)
	case !info.Mode().IsRegular():
		t.forget(n)
	default:
		if n.entries != nil {
			t.forget(n)
		}
		if n.info == nil || became || differ(n.info, info) {
			t.changed[n.path] = true
			n.info = info
		}
	}
	if n.parent == nil && n.entries == nil {
		t.watchParent(n)
	}
}

func (n *node) stat() (fs.FileInfo, error) {
	if n.parent == nil {
		return os.Stat(n.path)
	}
	info, err := os.Lstat(n.path)
	if err != nil {
		n.odd = 0
		return nil, err
	}
	if n.odd = info.Mode().Type() &^ fs.ModeDir; n.isLink() {
		return os.Stat(n.path)
	}
	return info, nil
}

func (n *node) isLink() bool { return n.odd&fs.ModeSymlink != 0 }

func differ(a, b fs.FileInfo) bool {
	return fingerprint.StampOf(a) != fingerprint.StampOf(b) || a.Mode() != b.Mode() || !os.SameFile(a, b)
}

// forget removes a node and those below it. Their files count as changed, and their folders are not watched any more.
func (t *tree) forget(n *node) {
	if n.entries == nil {
		if n.info != nil {
			t.changed[n.path] = true
		}
		n.info = nil
		return
	}
	for _, child := range n.entries {
		t.forget(child)
	}
	t.watched[n.realPath] = slices.DeleteFunc(t.watched[n.realPath], func(other *node) bool { return other == n })
	if len(t.watched[n.realPath]) == 0 {
		delete(t.watched, n.realPath)
		t.notifier.remove(n.realPath)
	}
	n.info, n.entries, n.realPath, n.readAt = nil, nil, "", time.Time{}
}

// enterFolder starts to watch a folder before it is read, so that no change is missed.
func (t *tree) enterFolder(n *node) bool {
	if n.parent != nil && !t.enter(n.path, n.isLink()) {
		return false
	}
	real, err := filepath.EvalSymlinks(n.path)
	if err != nil {
		return false // removed meanwhile; the next update notices
	}
	for up := n.parent; up != nil; up = up.parent {
		if up.realPath == real {
			return false // a link to a folder that contains it
		}
	}
	n.realPath, n.entries = real, make(map[string]*node)
	t.watched[real] = append(t.watched[real], n)
	t.notifier.add(real)
	return true
}

// updateFolder reads a folder that has changed and updates its entries.
func (t *tree) updateFolder(n *node, info fs.FileInfo, d depth) {
	fresh := n.readAt.IsZero() || !n.info.ModTime().Equal(info.ModTime()) ||
		info.ModTime().After(n.readAt.Add(-folderTimeStep))
	n.info = info
	if fresh {
		t.readFolder(n)
	}
	now := time.Now()
	for _, child := range n.entries {
		if d == allFiles || child.info == nil || child.entries != nil || now.Sub(child.info.ModTime()) < oldAge {
			t.update(child, d)
		}
	}
}

func (t *tree) readFolder(n *node) {
	now := time.Now()
	entries, err := os.ReadDir(n.path)
	t.report(n.path, n.path, err)
	there := make(map[string]bool, len(entries))
	for _, e := range entries {
		there[e.Name()] = true
		if n.entries[e.Name()] == nil {
			n.entries[e.Name()] = &node{path: filepath.Join(n.path, e.Name()), parent: n}
		}
	}
	for name, child := range n.entries {
		if !there[name] {
			if child.odd != 0 {
				t.changed[child.path] = true
			}
			t.forget(child)
			delete(n.entries, name)
		}
	}
	n.readAt = now
	if err != nil {
		n.readAt = time.Time{} // read again by the next update
	}
}

// watchParent watches the folder of a root that is a file or does not exist.
func (t *tree) watchParent(n *node) {
	dir, err := filepath.EvalSymlinks(filepath.Dir(n.path))
	if err != nil {
		return // the next sweep tries again
	}
	if !slices.Contains(t.parents[dir], n) {
		t.parents[dir] = append(t.parents[dir], n)
	}
	t.notifier.add(dir)
}

// reportEntry reports an error with an entry of a folder, once for the folder.
func (t *tree) reportEntry(n *node, err error) {
	switch {
	case n.parent == nil:
		t.report(n.path, n.path, err)
	case err != nil || len(t.reported) > 0:
		t.report(n.parent.path+"/*", n.parent.path, err)
	}
}

// report reports an error of a folder, once until it is resolved. A missing folder is not an error.
func (t *tree) report(what, path string, err error) {
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		delete(t.reported, what)
		return
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	if t.reported[what] == err.Error() {
		return
	}
	t.reported[what] = err.Error()
	t.failed(fmt.Errorf("watching %s: %w", path, err))
}
