// Package watch reports when files below some folders change. It never reads them, knows nothing of their contents,
// and prints nothing.
//
// [New] records what is there and sets the watches; Run then reports changes. So nothing is missed between the first
// build and the first event.
//
// Notifications of the system are only hints: after an event the path is examined, when there was no other event for
// 100 ms, and after one second at the latest. Each folder has its own watch. Every three seconds a sweep compares sizes
// and times, for changes without events: file systems without notifications, folders that were moved, links with a new
// target. It examines all folders, and files only if they changed recently. All changes are found by comparison with a
// tree of the last known state (tree.go). If the system has no more watches, or on request, everything is found by
// polling.
//
// One call of Changed runs at a time. A call that fails is made again, after increasing delays.
package watch

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Options are the options of a Watcher.
type Options struct {
	// Paths are files and folders. One that does not exist is watched for.
	Paths []string
	// Required are files written by others that must exist. Each sweep reports those that are missing. Their changes
	// are not reported.
	Required []string
	// Enter reports whether to watch a folder below a path; link says that it is a symbolic link. Nil enters all
	// folders and follows no link.
	Enter func(dir string, link bool) bool

	// Changed is called with the files that were created, changed or removed, sorted, and with links that lead to none.
	// Of folders it gets only a path that became one. Calls do not overlap; what changes meanwhile is in the next
	// call. After an error the same files are passed again later.
	Changed func(files []string) error
	// Failed is called with the error of a path that cannot be watched, once until it is resolved. It gets a *Limit
	// once, and then polling begins.
	Failed func(error)

	// Poll, if not zero, is the interval of polling instead of notifications.
	Poll time.Duration
}

// Intervals.
const (
	debounce      = 100 * time.Millisecond // without events before Changed is called
	ceiling       = time.Second            // the longest delay of the call while events continue
	sweepInterval = 3 * time.Second        // between two sweeps over folders and recent files
	fallback      = 2 * time.Second        // between two polls when limits were reached

	fullSweep  = 20               // number of sweeps after which old files are examined, too
	minBackoff = time.Second      // after a failure, doubled with each attempt up to maxBackoff
	maxBackoff = 30 * time.Second // see minBackoff
)

// A Watcher knows what existed when New was called. Run calls Options.Changed for what changes after that.
type Watcher struct {
	o    Options
	tree *tree

	dirty      map[string]bool // paths to examine; true if an event said that they changed
	firstEvent time.Time       // of the first of them
	pending    map[string]bool // for the next call of Changed
	running    []string        // the files of the current call of Changed; nil for none
	done       chan error      // receives its result
	retrying   bool            // the current call repeats one that failed, without new changes
	backoff    time.Duration   // before the next attempt after a failure; 0 after a success
	sweeps     int

	silence, sweep, retry *time.Timer
}

// New reads the folders and sets the watches.
func New(o Options) *Watcher {
	b := notifier{}
	if o.Poll == 0 {
		b = newNotifier()
	}
	return newWatcher(o, b)
}

func newWatcher(o Options, b notifier) *Watcher {
	w := &Watcher{
		o: o, tree: newTree(o, b), dirty: make(map[string]bool), pending: make(map[string]bool), done: make(chan error),
	}
	w.tree.sweep(allFiles)
	clear(w.tree.changed) // the first update finds no changes
	w.checkLimit()
	return w
}

// checkLimit switches to polling when the system has no more watches.
func (w *Watcher) checkLimit() {
	err := w.tree.notifier.err
	if err == nil {
		return
	}
	w.tree.notifier.close()
	w.tree.notifier = notifier{}
	w.o.Poll = fallback
	w.o.Failed(&Limit{Err: err, Poll: fallback})
}

// Run calls Options.Changed until the context ends and the last call has returned.
func (w *Watcher) Run(ctx context.Context) {
	defer func() { w.tree.notifier.close() }()
	w.silence, w.retry = stopped(), stopped()
	w.sweep = time.NewTimer(w.sweepInterval())
	for {
		select {
		case <-ctx.Done():
			if w.running != nil {
				<-w.done
			}
			return
		case e := <-w.tree.notifier.events:
			w.addEvent(e)
			continue
		case err := <-w.tree.notifier.errors:
			// An overflow of events only requires a sweep. After any other error the notifier is not trusted.
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				w.tree.notifier.err = err
			}
			w.tree.sweep(allFiles)
		case <-w.silence.C:
			w.examineDirty()
		case <-w.sweep.C:
			w.tree.sweep(w.sweepDepth())
			w.tree.addMissing(w.o.Required)
			w.sweep.Reset(w.sweepInterval())
		case err := <-w.done:
			w.collect()
			changed := len(w.pending) > 0
			w.endCall(err)
			if changed {
				w.callChanged()
			}
			continue
		case <-w.retry.C:
			w.callChanged()
			w.retrying = true
			continue
		}
		w.checkLimit()
		if w.collect() {
			w.callChanged()
		}
	}
}

func stopped() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

// sweepInterval returns the time between two sweeps.
func (w *Watcher) sweepInterval() time.Duration {
	if w.o.Poll > 0 {
		return w.o.Poll
	}
	return sweepInterval
}

// sweepDepth returns the depth of the next sweep.
func (w *Watcher) sweepDepth() depth {
	w.sweeps++
	if w.o.Poll > 0 || w.sweeps%fullSweep == 0 {
		return allFiles
	}
	return recentFiles
}

// addEvent marks the path of an event and restarts the debounce timer.
func (w *Watcher) addEvent(e fsnotify.Event) {
	sure := e.Op&^fsnotify.Chmod != 0
	for _, path := range w.tree.pathsOf(e.Name) {
		w.dirty[path] = w.dirty[path] || sure
	}
	if len(w.dirty) == 0 {
		return
	}
	now := time.Now()
	if w.firstEvent.IsZero() {
		w.firstEvent = now
	}
	w.silence.Reset(max(0, min(debounce, w.firstEvent.Add(ceiling).Sub(now))))
}

// examineDirty examines the paths of events.
func (w *Watcher) examineDirty() {
	for _, path := range slices.Sorted(maps.Keys(w.dirty)) { // folders before their entries
		w.tree.examine(path, w.dirty[path])
	}
	clear(w.dirty)
	w.firstEvent = time.Time{}
}

// collect moves the changes that the tree found, and reports whether there were any.
func (w *Watcher) collect() bool {
	n := len(w.tree.changed)
	maps.Copy(w.pending, w.tree.changed)
	clear(w.tree.changed)
	return n > 0
}

// callChanged calls Options.Changed unless a call is running.
func (w *Watcher) callChanged() {
	if w.running != nil || len(w.pending) == 0 {
		return
	}
	files := slices.Sorted(maps.Keys(w.pending))
	clear(w.pending)
	w.running, w.retrying = files, false
	w.retry.Stop()
	go func() { w.done <- w.o.Changed(files) }()
}

// endCall handles the end of a call of Changed. After an error, its files are in the next call, which follows after a
// delay or with the next change. The delay grows only while nothing changes: a file that is written in pieces, with a
// failure at each, is not abandoned for longer and longer.
func (w *Watcher) endCall(err error) {
	if err == nil {
		w.backoff = 0
	} else {
		for _, f := range w.running {
			w.pending[f] = true
		}
		if w.retrying {
			w.backoff = min(2*w.backoff, maxBackoff)
		} else {
			w.backoff = minBackoff
		}
		w.retry.Reset(w.backoff)
	}
	w.running = nil
}
