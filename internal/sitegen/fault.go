package sitegen

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"

	"viewer/internal/transcript"
)

// Nothing is known to panic on input. If something does, only the session in which it happened fails: it becomes a
// problem and an error page, and all other sessions are built.

// faults counts the contained panics.
var faults atomic.Int64

// Faults returns how many panics of this process made a session fail. Tests expect none.
func Faults() int64 { return faults.Load() }

// A fault is a panic during the work on one session.
type fault struct {
	cause string
	at    string // place: "render/run.go:97, called from render/run.go:39"
}

func (f *fault) Error() string { return "a fault of the viewer, please report it: " + f.cause + f.at }

// asFault returns the fault in an error, or nil.
func asFault(err error) *fault {
	f, _ := errors.AsType[*fault](err)
	return f
}

// contain calls do and turns a panic into an error. It does not cover goroutines that do starts.
func (o *Options) contain(do func() error) (err error) {
	if o.bare {
		return do()
	}
	defer func() {
		if v := recover(); v != nil {
			faults.Add(1)
			err = newFault(v)
		}
	}()
	return do()
}

// newFault is called before the stack of the panic is unwound.
func newFault(v any) *fault {
	f := &fault{cause: strings.ToValidUTF8(fmt.Sprint(v), "\uFFFD")}
	if cut := strings.IndexAny(f.cause, "\r\n"); cut >= 0 {
		f.cause = f.cause[:cut]
	}
	if len(f.cause) > 200 {
		f.cause = strings.ToValidUTF8(f.cause[:200], "") + "…"
	}
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	var places []string
	for more := true; more && len(places) < 3; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if name, ours := strings.CutPrefix(frame.Function, "viewer/"); ours {
			dir, last := path.Split(name)
			last, _, _ = strings.Cut(last, ".")
			places = append(places, fmt.Sprintf("%s%s/%s:%d", dir, last, filepath.Base(frame.File), frame.Line))
		}
	}
	if len(places) > 0 {
		f.at = " at " + strings.Join(places, ", called from ")
	}
	return f
}

// problem returns the problem that reports a fault.
func (o *Options) problem(main file, f *fault) transcript.Problem {
	return transcript.Problem{
		Pos: transcript.Pos{File: o.nameOf(o.newRedactor(), main)}, Text: f.Error(), Fault: true,
	}
}

// Faults returns the problems that are faults of the viewer.
func (r *Report) Faults() []transcript.Problem {
	var all []transcript.Problem
	for _, p := range r.Problems {
		if p.Fault {
			all = append(all, p)
		}
	}
	return all
}
