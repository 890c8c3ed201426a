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
)

// A tree is what is known of the watched folders: what was there at the last
// look. Looking brings it up to date and collects what changed.
type tree struct {
	enter   func(dir string, link bool) bool
	trouble func(error)
	bell    bell

	roots   []*node
	watched map[string][]*node // by the path without links: several when sources overlap
	porches map[string][]*node // roots that are files, or not there, by the folder that they are in
	changed map[string]bool    // files
	said    map[string]string  // trouble that has not passed
}

// A node is a file or a folder, or a place where one was.
type node struct {
	path string
	up   *node       // nil for a root
	link bool        // it was reached through a symbolic link
	info fs.FileInfo // of the file or the folder that is entered, nil when there is none
	kids map[string]*node
	real string    // of a folder: its path without links
	read time.Time // of a folder: when its entries were read
}

// depth says how much a look takes in.
type depth int

const (
	young      depth = iota // folders, and files that changed not long ago
	everything              // old files, too
)

// A file is old when it has not changed for so long.
const old = time.Hour

// Times of folders are coarse: one that changed about when it was read may have
// changed after it.
const coarse = 2 * time.Second

func newTree(o Options, b bell) *tree {
	t := &tree{
		enter: o.Enter, trouble: o.Trouble, bell: b,
		watched: make(map[string][]*node), porches: make(map[string][]*node),
		changed: make(map[string]bool), said: make(map[string]string),
	}
	if t.enter == nil {
		t.enter = func(_ string, link bool) bool { return !link }
	}
	for _, p := range o.Paths {
		t.roots = append(t.roots, &node{path: filepath.Clean(p)})
	}
	return t
}

// sweep looks at everything that is known, as deep as is said.
func (t *tree) sweep(d depth) {
	for _, n := range t.roots {
		t.look(n, d)
	}
}

// miss takes files that are not there for changed.
func (t *tree) miss(files []string) {
	for _, file := range files {
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			t.changed[file] = true
		}
	}
}

// places are the paths that an event may be about: the same folder may be
// watched by several.
func (t *tree) places(name string) []string {
	var paths []string
	name = filepath.Clean(name)
	dir, base := filepath.Dir(name), filepath.Base(name)
	for _, n := range t.watched[name] {
		paths = append(paths, n.path)
	}
	for _, n := range t.watched[dir] {
		paths = append(paths, filepath.Join(n.path, base))
	}
	for _, n := range t.porches[dir] {
		if filepath.Base(n.path) == base {
			paths = append(paths, n.path)
		}
	}
	return paths
}

// examine looks at one path because of an event; sure says that the event was
// about more than permissions.
func (t *tree) examine(path string, sure bool) {
	n := t.find(path)
	if n == nil {
		return // its folder is gone, or is not entered
	}
	if n.kids != nil && sure {
		// A folder that was moved away and back looks the same and has lost its
		// watches.
		t.leave(n)
	}
	t.look(n, everything)
	if n.info == nil && n.up != nil && !n.link {
		delete(n.up.kids, filepath.Base(path))
	}
	if n.info != nil && n.kids == nil && sure {
		t.changed[path] = true // sizes and times may be the same by chance
	}
}

// find is the node of a path; a new one when only its folder is known.
func (t *tree) find(path string) *node {
	for _, n := range t.roots {
		if n.path == path {
			return n
		}
		below, ok := strings.CutPrefix(path, strings.TrimSuffix(n.path, string(filepath.Separator))+string(filepath.Separator))
		if !ok {
			continue
		}
		for name := range strings.SplitSeq(below, string(filepath.Separator)) {
			if n == nil || n.kids == nil {
				n = nil
				break
			}
			kid := n.kids[name]
			if kid == nil && filepath.Join(n.path, name) == path {
				kid = &node{path: path, up: n}
				n.kids[name] = kid
			}
			n = kid
		}
		if n != nil {
			return n
		}
	}
	return nil
}

// look brings a node, and what is below it, up to date.
func (t *tree) look(n *node, d depth) {
	info, err := n.stat()
	t.reportKid(n, err)
	switch {
	case err != nil:
		t.leave(n)
	case info.IsDir():
		if n.kids == nil || !os.SameFile(n.info, info) {
			t.leave(n)
			if !t.goIn(n) {
				break
			}
			if n.up == nil {
				t.changed[n.path] = true // what came and went in it before this look has told nobody
			}
		}
		t.lookInto(n, info, d)
	case !info.Mode().IsRegular():
		t.leave(n)
	default:
		if n.kids != nil {
			t.leave(n)
		}
		if n.info == nil || differ(n.info, info) {
			t.changed[n.path] = true
			n.info = info
		}
	}
	if n.up == nil && n.kids == nil {
		t.standBefore(n)
	}
}

func (n *node) stat() (fs.FileInfo, error) {
	if n.up == nil {
		return os.Stat(n.path)
	}
	info, err := os.Lstat(n.path)
	if err != nil {
		return nil, err
	}
	if n.link = info.Mode()&fs.ModeSymlink != 0; n.link {
		return os.Stat(n.path)
	}
	return info, nil
}

func differ(a, b fs.FileInfo) bool {
	return a.Size() != b.Size() || a.Mode() != b.Mode() || !a.ModTime().Equal(b.ModTime()) || !os.SameFile(a, b)
}

// leave forgets what was at a node and below: files have changed, folders are
// not watched.
func (t *tree) leave(n *node) {
	if n.kids == nil {
		if n.info != nil {
			t.changed[n.path] = true
		}
		n.info = nil
		return
	}
	for _, kid := range n.kids {
		t.leave(kid)
	}
	t.watched[n.real] = slices.DeleteFunc(t.watched[n.real], func(other *node) bool { return other == n })
	if len(t.watched[n.real]) == 0 {
		delete(t.watched, n.real)
		t.bell.remove(n.real)
	}
	n.info, n.kids, n.real, n.read = nil, nil, "", time.Time{}
}

// goIn begins to watch a folder: before it is read, so that nothing is missed
// in between.
func (t *tree) goIn(n *node) bool {
	if n.up != nil && !t.enter(n.path, n.link) {
		return false
	}
	real, err := filepath.EvalSymlinks(n.path)
	if err != nil {
		return false // gone again: the next look tells
	}
	for up := n.up; up != nil; up = up.up {
		if up.real == real {
			return false // a link to a folder that it is in
		}
	}
	n.real, n.kids = real, make(map[string]*node)
	t.watched[real] = append(t.watched[real], n)
	t.bell.add(real)
	return true
}

// lookInto reads a folder that has changed, and looks at what is in it.
func (t *tree) lookInto(n *node, info fs.FileInfo, d depth) {
	fresh := n.read.IsZero() || !n.info.ModTime().Equal(info.ModTime()) || info.ModTime().After(n.read.Add(-coarse))
	n.info = info
	if fresh {
		t.readFolder(n)
	}
	now := time.Now()
	for _, kid := range n.kids {
		if d == everything || kid.info == nil || kid.kids != nil || now.Sub(kid.info.ModTime()) < old {
			t.look(kid, d)
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
		if n.kids[e.Name()] == nil {
			n.kids[e.Name()] = &node{path: filepath.Join(n.path, e.Name()), up: n}
		}
	}
	for name, kid := range n.kids {
		if !there[name] {
			t.leave(kid)
			delete(n.kids, name)
		}
	}
	n.read = now
	if err != nil {
		n.read = time.Time{} // read again with the next look
	}
}

// standBefore watches the folder in which a root is a file, or should be
// something.
func (t *tree) standBefore(n *node) {
	dir, err := filepath.EvalSymlinks(filepath.Dir(n.path))
	if err != nil {
		return // the next sweep tries again
	}
	if !slices.Contains(t.porches[dir], n) {
		t.porches[dir] = append(t.porches[dir], n)
	}
	t.bell.add(dir)
}

// reportKid tells that what is in a folder cannot be looked at: once for the
// folder.
func (t *tree) reportKid(n *node, err error) {
	switch {
	case n.up == nil:
		t.report(n.path, n.path, err)
	case err != nil || len(t.said) > 0:
		t.report(n.up.path+"/*", n.up.path, err)
	}
}

// report tells trouble with a folder, and keeps quiet about it until what it
// came of has passed. That something is not there is no trouble.
func (t *tree) report(what, path string, err error) {
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		delete(t.said, what)
		return
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	if t.said[what] == err.Error() {
		return
	}
	t.said[what] = err.Error()
	t.trouble(fmt.Errorf("watching %s: %w", path, err))
}
