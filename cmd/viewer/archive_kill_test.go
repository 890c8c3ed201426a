//go:build linux

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"viewer/internal/testing/corpus"
)

// TestKilledArchives kills runs of viewer archive at random moments, two at a time, while sessions grow: after each
// kill everything that was archived is whole, and in the end the restored folder is the original.
func TestKilledArchives(t *testing.T) {
	corpus.Long(t)
	kills, size := 6, 700_000
	if torture() {
		kills, size = 40, 4_000_000
	}
	r := newRig(t, size, 30)
	random := rand.New(rand.NewPCG(26, uint64(kills)))
	kept := filepath.Join(filepath.Dir(r.site), "kept")
	archive := func(took time.Duration) bool {
		return runOrKill(t, exec.Command(r.viewer, "archive", r.source, "-o", kept, "--machine", "m"), took)
	}
	began := time.Now()
	archive(0)
	whole := time.Since(began) // a run with everything in it
	if err := os.RemoveAll(kept); err != nil {
		t.Fatal(err)
	}
	killed := 0
	for killed < kills && !t.Failed() {
		for !archive(time.Duration(1 + random.Int64N(int64(whole)+int64(killed)*int64(time.Millisecond)))) {
			killed++
			if _, err := os.Stat(filepath.Join(kept, "viewer-archive.jsonl")); err != nil {
				continue // it was killed before the first line
			}
			said, err := exec.Command(r.viewer, "archive", "verify", kept).CombinedOutput()
			if err != nil && !strings.Contains(string(said), "is no archive") {
				t.Fatalf("after kill %d: %v\n%s", killed, err, said)
			}
		}
		r.appendTo(random)
	}
	// Two at a time: one of them waits for nothing and is refused, and the other one does it all.
	twice(func() {
		said, err := exec.Command(r.viewer, "archive", r.source, "-o", kept, "--machine", "m").CombinedOutput()
		if err != nil && !bytes.Contains(said, []byte("another viewer archives into")) {
			t.Errorf("%v\n%s", err, said)
		}
	})
	archive(0)
	restored := filepath.Join(filepath.Dir(r.site), "restored")
	for _, args := range [][]string{
		{r.viewer, "archive", "verify", kept, r.source},
		{r.viewer, "archive", "restore", kept, "-o", restored},
		{"diff", "-r", r.source, filepath.Join(restored, "m", r.source)},
	} {
		if said, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%.2000s", fmt.Sprint(args), err, said)
		}
	}
	t.Logf("killed %d runs", killed)
}
