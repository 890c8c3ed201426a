package watch

import (
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A Limit says that the system gives no more watches, and that polling takes
// their place.
type Limit struct {
	Err  error
	Poll time.Duration // between two polls
}

func (l *Limit) Error() string { return fmt.Sprintf("watching folders: %v", l.Err) }
func (l *Limit) Unwrap() error { return l.Err }

// A notifier gets the events of the system for some folders. The zero notifier gets none.
type notifier struct {
	events  <-chan fsnotify.Event
	errors  <-chan error
	backend backend
	err     error // set when a limit was hit: the notifier is of no use any more
}

// A backend is what is used of fsnotify.Watcher.
type backend interface {
	Add(dir string) error
	Remove(dir string) error
	Close() error
}

func newNotifier() notifier {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return notifier{err: err}
	}
	return notifier{events: w.Events, errors: w.Errors, backend: w}
}

// add watches a folder, or renews its watch.
func (n *notifier) add(dir string) {
	if n.backend == nil || n.err != nil {
		return
	}
	// What else can go wrong (a folder that is gone again, or may not be read)
	// is reported when the folder is read.
	if err := n.backend.Add(dir); errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) ||
		errors.Is(err, syscall.ENFILE) {
		n.err = err
	}
}

func (n *notifier) remove(dir string) {
	if n.backend != nil && n.err == nil {
		n.backend.Remove(dir) // most often it went with the folder
	}
}

func (n *notifier) close() {
	if n.backend != nil {
		n.backend.Close()
	}
}
