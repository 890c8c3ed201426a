package watch

import (
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A Limit says that the system gives no more watches, and that looking takes
// their place.
type Limit struct {
	Err  error
	Poll time.Duration // between two looks
}

func (l *Limit) Error() string { return fmt.Sprintf("watching folders: %v", l.Err) }
func (l *Limit) Unwrap() error { return l.Err }

// A bell rings when something in a folder changes. The zero bell never rings.
type bell struct {
	events <-chan fsnotify.Event
	errors <-chan error
	w      notifier
	err    error // set when a limit was hit: the bell is of no use any more
}

// A notifier is what is used of fsnotify.Watcher.
type notifier interface {
	Add(dir string) error
	Remove(dir string) error
	Close() error
}

func newBell() bell {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return bell{err: err}
	}
	return bell{events: w.Events, errors: w.Errors, w: w}
}

// add watches a folder, or renews its watch.
func (b *bell) add(dir string) {
	if b.w == nil || b.err != nil {
		return
	}
	// What else can go wrong (a folder that is gone again, or may not be read)
	// is seen and told when the folder is read.
	if err := b.w.Add(dir); errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		b.err = err
	}
}

func (b *bell) remove(dir string) {
	if b.w != nil && b.err == nil {
		b.w.Remove(dir) // most often it went with the folder
	}
}

func (b *bell) close() {
	if b.w != nil {
		b.w.Close()
	}
}
