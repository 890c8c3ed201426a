//go:build cloud && linux

package main

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestBucketKilled is TestKilledShards with a site in a bucket: shards, merges and builds are killed at random moments,
// two attempts run at once, and sessions grow between two rounds. No object is ever torn, and what comes out is what
// one build makes.
func TestBucketKilled(t *testing.T) {
	t.Parallel()
	const shards = 4
	kills := 8
	if torture() {
		kills = 200
	}
	s := newBucketServer(t)
	r := newRig(t, 500_000, 16)
	random := rand.New(rand.NewPCG(24, uint64(kills)))
	site, want := s.address("logs/killed"), filepath.Join(t.TempDir(), "want")
	var before map[string]string // what the last round has made
	killed, round, doubled := 0, 0, 0
	run := func(took time.Duration, args ...string) (done bool) {
		return runOrKill(t, s.command(args...), took)
	}
	soon := func(n int) time.Duration { // and later on a machine that is busy
		return time.Duration(20+random.Int64N(150))*time.Millisecond + time.Duration(n)*20*time.Millisecond
	}
	for killed < kills && !t.Failed() {
		round++
		if out, err := exec.Command("viewer", "build", r.source, "-o", want).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		after := folderFiles(t, want)
		run(0, "plan", r.source, "-o", site, "--shards", fmt.Sprint(shards))
		for _, i := range random.Perm(shards) {
			args := []string{"build", r.source, "-o", site, "--shard", fmt.Sprintf("%d/%d", i, shards)}
			for n := 0; !run(soon(n), args...); n++ {
				killed++
				s.whole("killed", before, after)
				if random.IntN(4) == 0 { // the engine takes it for dead, and it is not
					doubled++
					twice(func() { run(0, args...) })
				}
			}
		}
		for n := 0; !run(soon(n), "merge", site); n++ {
			killed++
			s.whole("killed", before, after)
		}
		run(0, "merge", site) // which says that it is done, unless the last one was killed behind that
		s.same(want, "killed")
		if left := s.names("killed/.viewer/parts/"); len(left) > 0 {
			t.Errorf("round %d: %q are left", round, left)
		}
		r.appendTo(random)

		// A build goes on from what the merge has left.
		if out, err := exec.Command("viewer", "build", r.source, "-o", want).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		before, after = after, folderFiles(t, want)
		for n := 0; !run(soon(n), "build", r.source, "-o", site); n++ {
			killed++
			s.whole("killed", before, after)
		}
		s.same(want, "killed")
		before = after
		r.appendTo(random)
	}
	t.Logf("killed %d shards, merges and builds in %d rounds, %d times two attempts at once", killed, round, doubled)
}
