// Package watch reports when files below some folders change. It never reads them, knows nothing of their contents,
// and prints nothing.
//
// [New] records what is there and sets the watches; Run then reports changes. So nothing is missed between the first
// build and the first event.
//
// Notifications of the system are only hints: after an event the path is examined, when there was no other event for
// 100 ms, and after one second at the latest. Each folder has its own watch. Every three seconds a sweep compares
// sizes and times, for what causes no event: file systems without notifications, folders that were moved, links that
// lead elsewhere now. It examines all folders, and files only if they changed recently. All of this goes through a
// tree of what was seen last (tree.go). Where the system has no more watches, or on request, everything is found by
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

// Options say what to watch and whom to tell.
type Options struct {
	// Paths are files and folders. One that is not there yet, or not for a
	// while, is waited for.
	Paths []string
	// Keep are files that others than the user write and that have to be there: one that is not is told by each
	// sweep. That they change is not told.
	Keep []string
	// Enter says whether a folder below a path is watched; link says that it is
	// a symbolic link. Nil enters all folders and follows no link.
	Enter func(dir string, link bool) bool

	// Changed is told the files that appeared, changed or went, sorted; of folders
	// only a path that has become one is named. There is one call at a time; what changes meanwhile is told
	// after it. An error has the same files told again later.
	Changed func(files []string) error
	// Trouble is told what cannot be watched, once for each path until it
	// passes. A *Limit is told once, and polling follows.
	Trouble func(error)

	// Poll, when not zero, looks so often instead of being notified.
	Poll time.Duration
}

// The clockwork.
const (
	Debounce = 100 * time.Millisecond // of silence, then changes are told
	Ceiling  = time.Second            // they are told after it though there is no silence
	Sweep    = 3 * time.Second        // between two looks at folders and young files
	Fallback = 2 * time.Second        // between two looks at everything, where the limits are hit

	rounds = 20               // one sweep in so many looks at old files, too
	again  = time.Second      // after a failure, doubled each time up to
	seldom = 30 * time.Second // this
)

// A Watcher has taken note of what is there: what changes after New is told by
// Run.
type Watcher struct {
	o    Options
	tree *tree

	dirty   map[string]bool // paths to look at; true: an event said that they changed
	first   time.Time       // when the first of them was heard of
	pending map[string]bool // files to tell
	telling []string        // what Changed is being told; nil while it does not run
	told    chan error      // what it returned
	wait    time.Duration   // for the next attempt after a failure; 0 after a success
	sweeps  int

	silence, sweep, retry *time.Timer
}

// New reads the folders and sets the watches.
func New(o Options) *Watcher {
	b := bell{}
	if o.Poll == 0 {
		b = newBell()
	}
	return newWatcher(o, b)
}

func newWatcher(o Options, b bell) *Watcher {
	w := &Watcher{o: o, tree: newTree(o, b), dirty: make(map[string]bool), pending: make(map[string]bool), told: make(chan error)}
	w.tree.sweep(everything)
	clear(w.tree.changed) // nothing has: it is the first look
	w.checkLimit()
	return w
}

// checkLimit goes over to polling when the system has no more watches to give.
func (w *Watcher) checkLimit() {
	err := w.tree.bell.err
	if err == nil {
		return
	}
	w.tree.bell.close()
	w.tree.bell = bell{}
	w.o.Poll = Fallback
	w.o.Trouble(&Limit{Err: err, Poll: Fallback})
}

// Run tells changes until the context ends and the last call of Changed has
// returned.
func (w *Watcher) Run(ctx context.Context) {
	defer func() { w.tree.bell.close() }()
	w.silence, w.retry = stopped(), stopped()
	w.sweep = time.NewTimer(w.pause())
	for {
		select {
		case <-ctx.Done():
			if w.telling != nil {
				<-w.told
			}
			return
		case e := <-w.tree.bell.events:
			w.hear(e)
			continue
		case err := <-w.tree.bell.errors:
			// More events than the system keeps cost nothing but a look. After
			// anything else the bell is not to be trusted.
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				w.tree.bell.err = err
			}
			w.tree.sweep(everything)
		case <-w.silence.C:
			w.look()
		case <-w.sweep.C:
			w.tree.sweep(w.round())
			w.tree.miss(w.o.Keep)
			w.sweep.Reset(w.pause())
		case err := <-w.told:
			w.settle(err)
			w.note()
			if w.wait == 0 {
				w.tell()
			}
			continue
		case <-w.retry.C:
			w.tell()
			continue
		}
		w.checkLimit()
		if w.note() {
			w.tell()
		}
	}
}

func stopped() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

// pause is the time between two sweeps.
func (w *Watcher) pause() time.Duration {
	if w.o.Poll > 0 {
		return w.o.Poll
	}
	return Sweep
}

// round says how much the next sweep looks at.
func (w *Watcher) round() depth {
	w.sweeps++
	if w.o.Poll > 0 || w.sweeps%rounds == 0 {
		return everything
	}
	return young
}

// hear takes note of an event and waits for silence.
func (w *Watcher) hear(e fsnotify.Event) {
	sure := e.Op&^fsnotify.Chmod != 0
	for _, path := range w.tree.places(e.Name) {
		w.dirty[path] = w.dirty[path] || sure
	}
	if len(w.dirty) == 0 {
		return
	}
	now := time.Now()
	if w.first.IsZero() {
		w.first = now
	}
	w.silence.Reset(max(0, min(Debounce, w.first.Add(Ceiling).Sub(now))))
}

// look finds out what the events meant.
func (w *Watcher) look() {
	for _, path := range slices.Sorted(maps.Keys(w.dirty)) { // folders before what is in them
		w.tree.examine(path, w.dirty[path])
	}
	clear(w.dirty)
	w.first = time.Time{}
}

// note takes over what the tree has found, and says whether that was something.
func (w *Watcher) note() bool {
	n := len(w.tree.changed)
	maps.Copy(w.pending, w.tree.changed)
	clear(w.tree.changed)
	return n > 0
}

// tell has Changed run, unless it does.
func (w *Watcher) tell() {
	if w.telling != nil || len(w.pending) == 0 {
		return
	}
	files := slices.Sorted(maps.Keys(w.pending))
	clear(w.pending)
	w.telling = files
	w.retry.Stop()
	go func() { w.told <- w.o.Changed(files) }()
}

// settle ends a call of Changed. What failed is told again, with what came
// since, after a while or with the next change.
func (w *Watcher) settle(err error) {
	if err == nil {
		w.wait = 0
	} else {
		for _, f := range w.telling {
			w.pending[f] = true
		}
		w.wait = min(max(again, 2*w.wait), seldom)
		w.retry.Reset(w.wait)
	}
	w.telling = nil
}
