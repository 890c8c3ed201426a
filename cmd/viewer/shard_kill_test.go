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

// TestKilledShards kills shards and merges at random moments, runs some twice at the same time, and changes sources
// between rounds. The result must be that of one build.
func TestKilledShards(t *testing.T) {
	const shards = 5
	kills, size := 5, 900_000
	switch {
	case torture():
		kills, size = 200, 12_000_000
	case corpus.Full():
		kills, size = 15, 3_000_000
	}
	r := newFixture(t, size, 40)
	random := rand.New(rand.NewPCG(9, uint64(kills)))
	killed, round := 0, 0
	run := func(took time.Duration, args ...string) (done bool) {
		return runOrKill(t, exec.Command(r.viewer, args...), took)
	}
	shard := func(i int, took time.Duration) bool {
		return run(took, "build", r.source, "-o", r.site, "--shard", fmt.Sprintf("%d/%d", i, shards))
	}
	soon := func() time.Duration { // later with each try, for busy machines
		return time.Duration(1+random.Int64N(120))*time.Millisecond + time.Duration(killed/shards)*5*time.Millisecond
	}
	for killed < kills && !t.Failed() {
		round++
		run(0, "plan", r.source, "-o", r.site, "--shards", fmt.Sprint(shards))
		for _, i := range random.Perm(shards) {
			for !shard(i, soon()) {
				killed++
				r.checkReadable(fmt.Sprintf("kill %d", killed))
				if random.IntN(4) == 0 { // as if an engine restarts a shard that is still running
					twiceInParallel(func() { shard(i, 0) })
				}
			}
		}
		for !run(soon(), "merge", r.site) {
			killed++
		}
		r.checkClean(fmt.Sprintf("round %d", round))
		r.appendTo(random)
	}
	t.Logf("killed %d shards and merges in %d rounds", killed, round)
}
