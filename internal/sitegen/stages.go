package sitegen

import (
	"sync/atomic"
	"time"
)

// A Stage is a part of the work of a build.
type Stage int

// The stages, in the order in which a session goes through them.
const (
	// walk the sources, compare with the state, scan for what sessions need to know about each other
	StageFind      Stage = iota
	StageRead            // open and decode files
	StageNormalize       // records -> conversation
	StageDraw            // conversation -> HTML
	StageIndex           // index pages, search index, sessions.json
	StageWrite           // compare with what is there, write, rename, remove
	stageCount
)

var stageNames = [stageCount]string{"find", "read", "normalize", "draw", "index", "write"}

func (s Stage) String() string { return stageNames[s] }

// Stages adds up the time of a build by stage, over all goroutines: on two busy cores the stages add up to twice the
// time of the build. A nil *Stages is valid and records nothing.
//
// A goroutine takes a stopwatch and names each piece of work after it was done:
//
//	watch := stages.Stopwatch()
//	file := read(...)
//	watch.Lap(StageRead, file.Size)
//	conversation := normalize.Build(...)
//	watch.Lap(StageNormalize, 0)
//
// All its time is assigned to some stage, and stages that alternate (draw a page, write it, draw the next) need no
// nesting. Bytes are those of the input, for StageDraw and StageWrite those of the output, and 0 if they are not
// counted.
type Stages struct {
	nanoseconds, bytes [stageCount]atomic.Int64
}

// Add adds time and bytes to a stage.
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

// Lap assigns the time since the last lap to a stage.
func (w *Stopwatch) Lap(stage Stage, bytes int64) {
	if w != nil {
		now := time.Now()
		w.stages.Add(stage, now.Sub(w.since), bytes)
		w.since = now
	}
}

// A StageTime is the time of a stage, summed over goroutines.
type StageTime struct {
	Stage Stage
	Time  time.Duration
	Bytes int64
}

// Times returns the stages with time or bytes, in order. A clock that counts milliseconds may give a stage no time.
func (s *Stages) Times() []StageTime {
	if s == nil {
		return nil
	}
	var all []StageTime
	for stage := range stageCount {
		took, bytes := time.Duration(s.nanoseconds[stage].Load()), s.bytes[stage].Load()
		if took > 0 || bytes > 0 {
			all = append(all, StageTime{stage, took, bytes})
		}
	}
	return all
}
