package sitegen

import (
	"slices"
	"sync"
	"testing"
	"time"
)

func TestStagesSumOverGoroutines(t *testing.T) {
	stages := new(Stages)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 100 {
				stages.Add(StageDraw, time.Millisecond, 10)
				stages.Add(StageRead, time.Microsecond, 3)
			}
		})
	}
	all.Wait()
	got := stages.Times()
	want := []StageTime{{StageRead, 400 * time.Microsecond, 1200}, {StageDraw, 400 * time.Millisecond, 4000}}
	if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestStagesWithoutGaps: the stages of a goroutine follow each other without a gap.
func TestStagesWithoutGaps(t *testing.T) {
	stages := new(Stages)
	watch := stages.Stopwatch()
	start := watch.since
	watch.Lap(StageRead, 1)
	time.Sleep(time.Millisecond)
	watch.Lap(StageDraw, 2)
	watch.Lap(StageRead, 4)
	var sum time.Duration
	for _, s := range stages.Times() {
		sum += s.Time
	}
	if took := watch.since.Sub(start); sum != took {
		t.Errorf("the sum of the stages is %v, want %v", sum, took)
	}
	if read := stages.Times()[0]; read.Stage != StageRead || read.Bytes != 5 {
		t.Errorf("got stage %v, want StageRead with 5 bytes", read)
	}
}

// TestStageWithoutTime: a stage is listed if the clock did not move meanwhile.
func TestStageWithoutTime(t *testing.T) {
	stages := new(Stages)
	stages.Add(StageDraw, 0, 7)
	stages.Add(StageWrite, 0, 0)
	if got, want := stages.Times(), []StageTime{{StageDraw, 0, 7}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestNoStages(t *testing.T) {
	var none *Stages
	none.Add(StageDraw, time.Second, 1)
	none.Stopwatch().Lap(StageRead, 1)
	if got := none.Times(); got != nil {
		t.Errorf("got %v, want nil", got)
	}
}

func TestStageNames(t *testing.T) {
	for stage := range stageCount {
		if stage.String() == "" {
			t.Errorf("stage %d has no name", stage)
		}
	}
}
