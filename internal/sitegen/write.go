package sitegen

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"viewer/internal/failure"
)

// An output writes files below one folder, and never outside of it: the folder
// is opened as a root, so that a link in it that leads out is refused. A file
// whose bytes are there already is not touched: comparing is cheaper than
// replacing, and keeps its time for those who sync. Everything else is written
// beside its place and renamed, so that a reader never sees half a file. What a
// killed build leaves behind is in its journal, by which the next one finds it.
type output struct {
	dir     string
	root    *os.Root
	written atomic.Int64
	bytes   atomic.Int64

	mu      sync.Mutex
	turn    int      // counts builds
	known   *outputs // what the last build left, then what this one does
	changed []string // names that were written or removed since the last build that succeeded
	journal *os.File
}

// A shelf is a folder of the site while files are written into it: its path is
// walked once and not for each of them.
type shelf struct {
	*output
	root *os.Root
	dir  string // with a slash behind it, "" for the site itself
}

func openOutput(dir string) (*output, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, failure.New(fmt.Errorf("creating %s: %w", dir, Cause(err)), "use -o to choose another folder")
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, failure.New(fmt.Errorf("opening %s: %w", dir, Cause(err)), "use -o to choose another folder")
	}
	return newOutput(dir, root), nil
}

// newOutput is the output below a root, which is its own from now on.
func newOutput(dir string, root *os.Root) *output {
	return &output{dir: dir, root: root, known: new(outputs)}
}

// begin starts a build.
func (o *output) begin() {
	o.turn++
	o.written.Store(0)
	o.bytes.Store(0)
}

func (o *output) close() {
	if o.journal != nil {
		o.journal.Close()
	}
	o.root.Close()
}

// top is the shelf for files anywhere in the site.
func (o *output) top() *shelf { return &shelf{output: o, root: o.root} }

// open is the shelf for the files below a folder of the site, which it makes.
func (o *output) open(dir string) (*shelf, error) {
	root, err := o.root.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err = o.root.MkdirAll(dir, 0o755); err == nil {
			root, err = o.root.OpenRoot(dir)
		}
	}
	if err != nil {
		return nil, failure.New(fmt.Errorf("creating %s: %w", filepath.Join(o.dir, filepath.FromSlash(dir)), Cause(err)), writeHint(err))
	}
	return &shelf{output: o, root: root, dir: dir + "/"}, nil
}

func (s *shelf) close() {
	if s.root != s.output.root {
		s.root.Close()
	}
}

func (o *output) write(name string, data []byte) error { return o.top().write(name, data) }

// write puts one file in place and notes that it belongs to the site.
func (s *shelf) write(name string, data []byte) error {
	if !s.claim(s.dir + name) { // media: the same content from another session
		return nil
	}
	s.bytes.Add(int64(len(data)))
	return s.replace(name, data)
}

// claim notes that a file belongs to the site; false when that is known.
func (o *output) claim(name string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	k := o.known.add(name)
	again := k.made == o.turn
	k.made = o.turn
	return !again
}

// keep notes that files of the last build stay.
func (o *output) keep(names []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, name := range names {
		if k := o.known.add(name); k.made != o.turn {
			k.made = o.turn
			o.bytes.Add(k.Size)
		}
	}
}

// intact says whether files are as the last build left them. What sessions share,
// as the style sheet, is looked at once.
func (o *output) intact(names ...string) bool {
	for _, name := range names {
		o.mu.Lock()
		var known knownOutput
		k := o.known.find(name)
		if k != nil {
			known = *k
		}
		o.mu.Unlock()
		switch {
		case k == nil:
			return false
		case known.looked == o.turn || known.made == o.turn:
		case !o.is(&known):
			return false
		default:
			o.mu.Lock()
			o.known.find(name).looked = o.turn
			o.mu.Unlock()
		}
	}
	return true
}

func (s *shelf) replace(name string, data []byte) error {
	info, err := s.same(name, data)
	there := info != nil
	if err == nil && !there {
		if info, err = s.place(name, data); err == nil {
			s.written.Add(1)
		}
	}
	if err != nil {
		full := filepath.Join(s.output.dir, filepath.FromSlash(s.dir+name))
		return failure.New(fmt.Errorf("writing %s: %w", full, Cause(err)), writeHint(err))
	}
	s.mu.Lock()
	k := s.known.add(s.dir + name)
	k.Size, k.Mod, k.made, k.looked = info.Size(), info.ModTime().UnixNano(), s.turn, 0
	if !there {
		s.changed = append(s.changed, s.dir+name)
	}
	s.mu.Unlock()
	return nil
}

func writeHint(err error) string {
	if failure.Full(err) {
		return "free some space, or use -o to choose a folder on another disk; what was there before can still be read"
	}
	return "use -o to choose another folder"
}

// same is what is known of a file that holds these bytes already, nil when none does.
func (s *shelf) same(name string, data []byte) (fs.FileInfo, error) {
	info, err := s.root.Lstat(name)
	if err != nil || info.Size() != int64(len(data)) || !info.Mode().IsRegular() {
		return nil, nil
	}
	old, err := s.root.ReadFile(name)
	if err != nil || !bytes.Equal(old, data) {
		return nil, nil
	}
	return info, nil
}

// beside is the name under which a file is written before it takes its place.
// Nothing of a site begins with a dot.
func beside(name string) string {
	dir, base := path.Split(name)
	return dir + "." + base + ".new"
}

func (s *shelf) place(name string, data []byte) (fs.FileInfo, error) {
	return s.placeBy(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// placeBy puts in place what is written.
func (s *shelf) placeBy(name string, write func(io.Writer) error) (fs.FileInfo, error) {
	info, err := s.writeBeside(name, write)
	if err == nil {
		err = s.settle(name)
	}
	return info, err
}

// settle puts in place what was written beside it.
func (s *shelf) settle(name string) error {
	err := patiently(func() error { return s.root.Rename(beside(name), name) })
	if err != nil {
		s.root.Remove(beside(name))
	}
	return err
}

// patiently does something to a file that another program may have opened so that
// nobody else can: what looks for viruses, or makes an index of the disk, opens what is new
// for a moment. Only Windows knows of that.
func patiently(do func() error) error {
	err := do()
	for wait := time.Millisecond; failure.Busy(err) && wait < time.Second; wait *= 2 {
		time.Sleep(wait)
		err = do()
	}
	return err
}

// writeBeside writes a file for a place.
func (s *shelf) writeBeside(name string, write func(io.Writer) error) (fs.FileInfo, error) {
	if err := s.note(s.dir + name); err != nil {
		return nil, err
	}
	temp := beside(name)
	f, err := s.root.OpenFile(temp, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
	if errors.Is(err, fs.ErrNotExist) {
		if err = s.root.MkdirAll(path.Dir(name), 0o755); err == nil {
			f, err = s.root.OpenFile(temp, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
		}
	}
	if err != nil {
		return nil, err
	}
	err = write(f)
	if closing := f.Close(); err == nil {
		err = closing
	}
	var info fs.FileInfo
	if err == nil {
		info, err = s.root.Lstat(temp) // closing may set the time, where the system is Windows
	}
	if err != nil {
		s.root.Remove(temp)
		return nil, err
	}
	return info, nil
}

// keepState writes a file of the state folder.
func (s *shelf) keepState(name string, data []byte) error {
	_, err := s.place(name, data)
	return s.failedState(s.dir+name, err)
}

func (o *output) failedState(name string, err error) error {
	if err != nil {
		return failure.New(fmt.Errorf("writing %s: %w", filepath.Join(o.dir, filepath.FromSlash(name)), Cause(err)), writeHint(err))
	}
	return nil
}

// note writes the name of a file into the journal before the file is made: when
// this build is killed, the next one knows whose it is.
func (o *output) note(name string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
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
func (o *output) adopt(left *outputs) {
	o.known = left
	data, err := o.root.ReadFile(journalName)
	if err != nil {
		return
	}
	for name := range strings.Lines(string(data)) {
		name, whole := strings.CutSuffix(name, "\n")
		if !whole || !fs.ValidPath(name) {
			continue
		}
		o.root.Remove(beside(name)) // most often it is not there
		if inside(name) {
			o.known.add(name)
		}
	}
}

// prune removes what the last build left and this one did not make.
func (o *output) prune() (err error) {
	o.known.keep(func(k *knownOutput) bool {
		if k.made == o.turn || err != nil {
			return true
		}
		err = o.remove(k.name)
		return err != nil
	})
	return err
}

// disown takes back that files below a folder belong to the site: those that are
// not written again are removed with what the last build left.
func (o *output) disown(folder string, names []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, name := range names {
		if k := o.known.find(name); k != nil && strings.HasPrefix(name, folder) {
			k.made = 0
		}
	}
}

// leave forgets the files of sessions that were not made, which stay where they are, and says how many they are.
func (o *output) leave() int {
	n := 0
	o.known.keep(func(k *knownOutput) bool {
		left := k.made != o.turn && (strings.HasPrefix(k.name, "s/") || strings.HasPrefix(k.name, "media/"))
		if left {
			n++
		}
		return !left
	})
	return n
}

// remove takes a file from the site, and the folders that it leaves empty.
func (o *output) remove(name string) error {
	if !inside(name) {
		return nil
	}
	if err := patiently(func() error { return o.root.Remove(name) }); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failure.New(fmt.Errorf("removing %s: %w", filepath.Join(o.dir, filepath.FromSlash(name)), Cause(err)), "check that the folder may be written to")
	}
	o.changed = append(o.changed, name)
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if o.root.Remove(dir) != nil {
			break // not empty
		}
	}
	return nil
}

// finish leaves the state, after which nothing needs the journal.
func (o *output) finish(write func(*output) error) error {
	if err := write(o); err != nil {
		return err
	}
	if o.journal != nil {
		o.journal.Close()
		o.journal = nil
	}
	if err := o.root.Remove(journalName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return failure.New(fmt.Errorf("removing %s: %w", filepath.Join(o.dir, journalName), Cause(err)), "check that the folder may be written to")
	}
	return nil
}

// inside guards against a state that somebody edited.
func inside(name string) bool {
	return fs.ValidPath(name) && name != "." && !strings.Contains(name, `\`) && !strings.HasPrefix(name, stateDir)
}

func errReading(dir string, err error) error { return fmt.Errorf("reading %s: %w", dir, Cause(err)) }

func errForeign(dir string) error {
	return fmt.Errorf("%s holds files that viewer did not create", dir)
}
