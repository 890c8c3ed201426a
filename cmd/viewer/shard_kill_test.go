//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"testing"
	"time"

	"viewer/internal/testing/corpus"
)

// TestKilledShards kills shards and merges at random moments, two of them at a time, with sources that change between
// two rounds: nothing is lost, and nothing is different from what one build makes.
func TestKilledShards(t *testing.T) {
	const shards = 5
	kills, size := 5, 900_000
	switch {
	case torture():
		kills, size = 200, 12_000_000
	case corpus.Full():
		kills, size = 15, 3_000_000
	}
	r := newRig(t, size, 40)
	random := rand.New(rand.NewPCG(9, uint64(kills)))
	killed, round := 0, 0
	run := func(took time.Duration, args ...string) (done bool) {
		return runOrKill(t, exec.Command(r.viewer, args...), took)
	}
	shard := func(i int, took time.Duration) bool {
		return run(took, "build", r.source, "-o", r.site, "--shard", fmt.Sprintf("%d/%d", i, shards))
	}
	soon := func() time.Duration { // and later on a machine that is busy
		return time.Duration(1+random.Int64N(120))*time.Millisecond + time.Duration(killed/shards)*5*time.Millisecond
	}
	for killed < kills && !t.Failed() {
		round++
		run(0, "plan", r.source, "-o", r.site, "--shards", fmt.Sprint(shards))
		for _, i := range random.Perm(shards) {
			for !shard(i, soon()) {
				killed++
				r.readable(fmt.Sprintf("kill %d", killed))
				if random.IntN(4) == 0 { // the engine takes it for dead, and it is not
					twice(func() { shard(i, 0) })
				}
			}
		}
		for !run(soon(), "merge", r.site) {
			killed++
		}
		r.clean(fmt.Sprintf("round %d", round))
		r.appendTo(random)
	}
	t.Logf("killed %d shards and merges in %d rounds", killed, round)
}
