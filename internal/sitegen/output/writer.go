package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"viewer/internal/failure"
)

// A Writer writes the files of a site. A file that has the same bytes already is not touched: comparing is cheaper than
// replacing, and its time stays the same for tools that synchronize folders.
type Writer struct {
	dir     string
	root    files
	bucket  *bucketFiles // the same as root if the site is in a bucket, else nil
	written atomic.Int64
	bytes   atomic.Int64

	mu          sync.Mutex
	build       int       // number of builds of this process
	manifest    *Manifest // the files that the last build left, updated by this one
	changed     []string  // names that were written or removed since TakeChanged
	journal     io.WriteCloser
	partitioned *partitioned // nil while the manifest lists all files

	attempt, ownJournal string // see Share
}

// Open opens the folder of a site and creates it if necessary.
func Open(dir string) (*Writer, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, failure.New(fmt.Errorf("creating %s: %w", dir, failure.Cause(err)), otherFolder)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, failure.New(fmt.Errorf("opening %s: %w", dir, failure.Cause(err)), otherFolder)
	}
	return New(dir, root), nil
}

// New returns a writer for a root, which Close closes.
func New(dir string, root *os.Root) *Writer {
	return &Writer{dir: filepath.Clean(dir), root: diskFiles{root}, manifest: new(Manifest)}
}

// StartBuild resets the counts.
func (w *Writer) StartBuild() {
	w.build++
	w.written.Store(0)
	w.bytes.Store(0)
}

// Counts returns how many files this build has written, and the bytes of all files that it wrote or kept.
func (w *Writer) Counts() (written int, bytes int64) { return int(w.written.Load()), w.bytes.Load() }

// TakeChanged returns the names that were written or removed since the last call, sorted.
func (w *Writer) TakeChanged() []string {
	changed := w.changed
	w.changed = nil
	slices.Sort(changed)
	return changed
}

// Close closes the folder without writing the state.
func (w *Writer) Close() {
	if w.journal != nil {
		w.journal.Close()
	}
	w.root.Close()
}

// PathOf returns the path or address of a file of the site, for messages.
func (w *Writer) PathOf(name string) string { return w.path(name) }

// path returns the path of a file of the site.
func (w *Writer) path(name string) string {
	return w.dir + string(filepath.Separator) + filepath.FromSlash(name) // faster than filepath.Join
}

// Write writes a file and lists it in the manifest.
func (w *Writer) Write(name string, data []byte) error { return w.Top().Write(name, data) }

// claim lists a file as one of this build. It returns false if it is already.
func (w *Writer) claim(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.manifest.add(name)
	first := f.claimed != w.build
	f.claimed = w.build
	return first
}

// Keep lists files of the last build as files of this one.
func (w *Writer) Keep(names ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range names {
		if w.addPartitioned(eventKept, File{Name: name}) {
			continue
		}
		if f := w.manifest.add(name); f.claimed != w.build {
			f.claimed = w.build
			w.bytes.Add(f.Size)
		}
	}
}

// ReadFile reads a file of the folder.
func (w *Writer) ReadFile(name string) ([]byte, error) { return w.root.ReadFile(name) }

// OpenFile opens a file of the folder for reading.
func (w *Writer) OpenFile(name string) (OpenedFile, error) { return w.root.Open(name) }

// ReadDir lists a folder of the site.
func (w *Writer) ReadDir(name string) ([]fs.DirEntry, error) {
	if w.bucket != nil {
		return w.bucket.ReadDir(name)
	}
	return os.ReadDir(w.path(name))
}

// Names returns the listed names that begin with a prefix.
func (w *Writer) Names(prefix string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var names []string
	for i := range w.manifest.Files {
		if name := w.manifest.Files[i].Name; strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	return names
}

// Hints for the user.
const (
	otherFolder = "use -o to choose another folder"
	checkAccess = "check that the folder may be written to"
)

func writeHint(err error) string {
	if failure.Full(err) {
		return "free some space, or use -o to choose a folder on another disk; what was there before can still be read"
	}
	if failure.Busy(err) {
		return "close programs that may have it open, or " + otherFolder
	}
	return otherFolder
}

// failed wraps an error from writing a file.
func failed(path string, err error) error {
	if err == nil {
		return nil
	}
	if _, known := errors.AsType[*failure.Error](err); known { // reading its content failed
		return err
	}
	return failure.New(fmt.Errorf("writing %s: %w", path, failure.Cause(err)), writeHint(err))
}
