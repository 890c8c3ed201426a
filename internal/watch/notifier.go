package watch

import (
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A Limit is the error that the system has no more watches. Then the watcher polls.
type Limit struct {
	Err  error
	Poll time.Duration // interval of the polls
}

func (l *Limit) Error() string { return fmt.Sprintf("watching folders: %v", l.Err) }
func (l *Limit) Unwrap() error { return l.Err }

// A notifier receives events of the system for some folders. The zero notifier receives none.
type notifier struct {
	events  <-chan fsnotify.Event
	errors  <-chan error
	backend backend
	err     error // set when a limit was reached; then the notifier must not be used any more
}

// A backend is the part of fsnotify.Watcher that is used.
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
	// Other errors (a folder that was removed, or must not be read) are reported when the folder is read.
	if err := n.backend.Add(dir); errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) ||
		errors.Is(err, syscall.ENFILE) {
		n.err = err
	}
}

func (n *notifier) remove(dir string) {
	if n.backend != nil && n.err == nil {
		n.backend.Remove(dir) // mostly it ended with the folder
	}
}

func (n *notifier) close() {
	if n.backend != nil {
		n.backend.Close()
	}
}
