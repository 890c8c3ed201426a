package sitegen

import (
	"sync/atomic"
	"time"
)

// A Stage is a part of the work of a build.
type Stage int

// The stages, in the order in which a session goes through them.
const (
	// walk the sources, compare with the manifest, scan for what sessions need of each other
	StageFind      Stage = iota
	StageRead            // open and decode files
	StageRedact          // remove secrets
	StageNormalize       // records -> conversation
	StageDraw            // conversation -> HTML
	StageIndex           // index pages, search index, sessions.json
	StageWrite           // compare with what is there, write, rename, remove
	stageCount
)

var stageNames = [stageCount]string{"find", "read", "redact", "normalize", "draw", "index", "write"}

func (s Stage) String() string { return stageNames[s] }

// Stages adds up where the time of a build goes. Goroutines may share one: on
// two busy cores the stages sum to twice the time of the build. Nobody needs to
// ask whether there is one: a nil *Stages takes everything and says nothing.
//
// A goroutine takes a stopwatch and says after each piece of work what it was:
//
//	watch := stages.Stopwatch()
//	file := read(...)
//	watch.Lap(StageRead, file.Size)
//	conversation := normalize.Build(...)
//	watch.Lap(StageNormalize, 0)
//
// so that all its time belongs to some stage, and stages that alternate (a page
// drawn, written, the next drawn) need no nesting. The bytes are what went in,
// for StageDraw and StageWrite what came out; 0 where nobody counts them.
type Stages struct {
	nanoseconds, bytes [stageCount]atomic.Int64
}

// Add counts time and bytes of a stage.
func (s *Stages) Add(stage Stage, d time.Duration, bytes int64) {
	if s != nil {
		s.nanoseconds[stage].Add(int64(d))
		s.bytes[stage].Add(bytes)
	}
}

// Stopwatch starts to measure the work of a goroutine.
func (s *Stages) Stopwatch() *Stopwatch {
	if s == nil {
		return nil
	}
	return &Stopwatch{s, time.Now()}
}

// A Stopwatch belongs to one goroutine. See Stages.
type Stopwatch struct {
	stages *Stages
	since  time.Time
}

// Lap says that what happened since the last lap was this stage.
func (w *Stopwatch) Lap(stage Stage, bytes int64) {
	if w != nil {
		now := time.Now()
		w.stages.Add(stage, now.Sub(w.since), bytes)
		w.since = now
	}
}

// A StageTime is what a stage took, summed over goroutines.
type StageTime struct {
	Stage Stage
	Time  time.Duration
	Bytes int64
}

// Times are the stages that took any time, in order.
func (s *Stages) Times() []StageTime {
	if s == nil {
		return nil
	}
	var all []StageTime
	for stage := range stageCount {
		if d := s.nanoseconds[stage].Load(); d > 0 {
			all = append(all, StageTime{stage, time.Duration(d), s.bytes[stage].Load()})
		}
	}
	return all
}
