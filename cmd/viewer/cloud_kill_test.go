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

// TestBucketKilled is TestKilledShards with a site in a bucket: it kills shards, merges and builds at random moments,
// runs some twice at the same time, and lets sessions grow between rounds. No object may ever be incomplete, and the
// result must be that of one build.
func TestBucketKilled(t *testing.T) {
	t.Parallel()
	const shards = 4
	kills := 8
	if torture() {
		kills = 200
	}
	s := newBucketServer(t)
	r := newFixture(t, 500_000, 16)
	random := rand.New(rand.NewPCG(24, uint64(kills)))
	site, want := s.address("logs/killed"), filepath.Join(t.TempDir(), "want")
	var before map[string]string // the files of the last round
	killed, round, doubled := 0, 0, 0
	run := func(took time.Duration, args ...string) (done bool) {
		return runOrKill(t, s.command(args...), took)
	}
	soon := func(n int) time.Duration { // later with each try, for busy machines
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
				s.checkKnown("killed", before, after)
				if random.IntN(4) == 0 { // as if an engine restarts a shard that is still running
					doubled++
					twiceInParallel(func() { run(0, args...) })
				}
			}
		}
		for n := 0; !run(soon(n), "merge", site); n++ {
			killed++
			s.checkKnown("killed", before, after)
		}
		// A second merge prints that the site is complete, unless the first one was killed after its last write.
		run(0, "merge", site)
		s.checkSame(want, "killed")
		if left := s.names("killed/.viewer/parts/"); len(left) > 0 {
			t.Errorf("round %d: %q are left, want no parts", round, left)
		}
		r.appendTo(random)

		// A build continues with the state that the merge has written.
		if out, err := exec.Command("viewer", "build", r.source, "-o", want).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		before, after = after, folderFiles(t, want)
		for n := 0; !run(soon(n), "build", r.source, "-o", site); n++ {
			killed++
			s.checkKnown("killed", before, after)
		}
		s.checkSame(want, "killed")
		before = after
		r.appendTo(random)
	}
	t.Logf("killed %d shards, merges and builds in %d rounds; %d shards ran twice at the same time",
		killed, round, doubled)
}
