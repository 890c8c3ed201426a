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

// TestKilledArchives kills runs of viewer archive at random moments while sessions grow. After each kill, verify must
// find no damage. In the end, two runs start at the same time, and what is restored must equal the source folder.
func TestKilledArchives(t *testing.T) {
	corpus.Long(t)
	kills, size := 6, 700_000
	if torture() {
		kills, size = 40, 4_000_000
	}
	r := newFixture(t, size, 30)
	random := rand.New(rand.NewPCG(26, uint64(kills)))
	kept := filepath.Join(filepath.Dir(r.site), "kept")
	archive := func(took time.Duration) bool {
		return runOrKill(t, exec.Command(r.viewer, "archive", r.source, "-o", kept, "--machine", "m"), took)
	}
	began := time.Now()
	archive(0)
	whole := time.Since(began) // the time of a run that archives everything
	if err := os.RemoveAll(kept); err != nil {
		t.Fatal(err)
	}
	killed := 0
	for killed < kills && !t.Failed() {
		for !archive(time.Duration(1 + random.Int64N(int64(whole)+int64(killed)*int64(time.Millisecond)))) {
			killed++
			if _, err := os.Stat(filepath.Join(kept, "viewer-archive.jsonl")); err != nil {
				continue // killed before it wrote the first line
			}
			output, err := exec.Command(r.viewer, "archive", "verify", kept).CombinedOutput()
			if err != nil && !strings.Contains(string(output), "is no archive") {
				t.Fatalf("after kill %d: %v\n%s", killed, err, output)
			}
		}
		r.appendTo(random)
	}
	// Two runs at the same time: one of them may be refused, but it must not wait.
	twiceInParallel(func() {
		output, err := exec.Command(r.viewer, "archive", r.source, "-o", kept, "--machine", "m").CombinedOutput()
		if err != nil && !bytes.Contains(output, []byte("another viewer archives into")) {
			t.Errorf("one of two runs: %v, want success or a refusal\n%s", err, output)
		}
	})
	archive(0)
	restored := filepath.Join(filepath.Dir(r.site), "restored")
	for _, args := range [][]string{
		{r.viewer, "archive", "verify", kept, r.source},
		{r.viewer, "archive", "restore", kept, "-o", restored},
		{"diff", "-r", r.source, filepath.Join(restored, "m", r.source)},
	} {
		if output, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%.2000s", fmt.Sprint(args), err, output)
		}
	}
	t.Logf("killed %d runs", killed)
}

// TestKilledRestore kills a run while it writes a file. The next run leaves no part of that file.
func TestKilledRestore(t *testing.T) {
	viewer, dir := builtProgram(t), t.TempDir()
	source, kept, to := filepath.Join(dir, "projects"), filepath.Join(dir, "kept"), filepath.Join(dir, "to")
	line := fmt.Sprintf(`{"type":"user","uuid":"u1","message":{"role":"user","content":"%s"}}`+"\n",
		strings.Repeat("ebb ", 250))
	write(t, filepath.Join(source, "-w", "a.jsonl"), strings.Repeat(line, 20_000))
	command := func(args ...string) *exec.Cmd { return exec.Command(viewer, append([]string{"archive"}, args...)...) }
	if output, err := command(source, "-o", kept, "--machine", "m").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	parts := func() []string {
		found, _ := filepath.Glob(filepath.Join(to, "m", source, "-w", ".viewer-*")) // the pattern is valid
		return found
	}
	for len(parts()) == 0 { // a run may have ended before it was killed
		if err := os.RemoveAll(to); err != nil {
			t.Fatal(err)
		}
		restore := command("restore", kept, "-o", to)
		if err := restore.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- restore.Wait() }()
		for running := true; running && len(parts()) == 0; {
			select {
			case <-ended:
				running = false
			case <-time.After(100 * time.Microsecond):
			}
		}
		if err := restore.Process.Kill(); err == nil {
			<-ended
		}
	}
	if output, err := command("restore", kept, "-o", to).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
	if output, err := exec.Command("diff", "-r", source, filepath.Join(to, "m", source)).CombinedOutput(); err != nil {
		t.Errorf("what was restored differs: %v\n%.2000s", err, output)
	}
}
