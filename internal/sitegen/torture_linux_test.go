package sitegen

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Limits of a flood. The memory for a value has a minimum, however small the value is (transcript.leastValue).
const (
	floodSize  = 8_000_000
	memoryBase = 96 << 20
	memoryMost = 3 // bytes for each byte of the session
)

// TestFloodsTorture builds floods of two sizes with the program, and logs the CPU time compared to ordinary text.
func TestFloodsTorture(t *testing.T) {
	if os.Getenv("VIEWER_TORTURE") == "" {
		t.Skip("set VIEWER_TORTURE=1, as make torture does")
	}
	viewer := filepath.Join(t.TempDir(), "viewer")
	if out, err := exec.Command("go", "build", "-o", viewer, "viewer/cmd/viewer").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var table strings.Builder
	var ordinary, worst float64
	var most int64
	var worstOf, mostOf string
	over := 0
	for _, f := range floods {
		once, twice := buildFlood(t, viewer, f.make(floodSize)), buildFlood(t, viewer, f.make(2*floodSize))
		for range 3 { // take the least CPU time, which other programs may double
			again := buildFlood(t, viewer, f.make(2*floodSize))
			twice.cpu, twice.peak = min(twice.cpu, again.cpu), max(twice.peak, again.peak)
		}
		cost := twice.cpu.Seconds() / float64(twice.in)
		if ordinary == 0 {
			ordinary = cost
		}
		factor := cost / ordinary
		if factor > worst {
			worst, worstOf = factor, f.name
		}
		if twice.peak > most {
			most, mostOf = twice.peak, f.name
		}
		if factor > 3 {
			over++
		}
		fmt.Fprintf(&table, "| %-34s | %6.2f | %4.1f | %4.1f | %5.0f | %4.1f | %4.2f |\n", f.name,
			twice.cpu.Seconds(), factor,
			(twice.cpu.Seconds()/float64(twice.in))/(once.cpu.Seconds()/float64(once.in)), float64(twice.peak)/(1<<20),
			float64(twice.peak)/float64(memoryBase+2*twice.in), float64(twice.out)/float64(twice.in))
		if twice.peak > memoryBase+memoryMost*twice.in {
			t.Errorf("%s takes %d MiB, want at most 96 and 3 for each MiB of the session", f.name, twice.peak>>20)
		}
	}
	t.Logf("floods of %d MB: processor time, against ordinary text, against half of it by byte, peak memory, against 96 MiB and twice the session, site by byte\n"+
		"| %-34s | %6s | %4s | %4s | %5s | %4s | %4s |\n%s%d floods, %d of them take more than 3 times as long as ordinary text, at most %.1f times (%s); peak memory %d MiB (%s)",
		2*floodSize/1_000_000, "flood", "CPU s", "×", "×", "MiB", "×", "×", &table, len(floods), over, worst, worstOf,
		most>>20, mostOf)
}

// A buildCost is the resources that a build used.
type buildCost struct {
	in, out int64 // bytes
	cpu     time.Duration
	peak    int64 // peak memory in bytes
}

func buildFlood(t *testing.T, viewer string, data []byte) buildCost {
	t.Helper()
	dir, err := os.MkdirTemp("", "flood")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	source, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	write(t, filepath.Join(source, floodFile), data)
	var output strings.Builder
	cmd := exec.Command(viewer, "build", "-q", source, "-o", out)
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	peak := make(chan int64)
	go func() {
		most := int64(0)
		for {
			n, ok := peakOf(cmd.Process.Pid)
			if !ok {
				peak <- most
				return
			}
			most = max(most, n)
			time.Sleep(2 * time.Millisecond)
		}
	}()
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, &output)
	}
	checkPageSizes(t, out)
	if index, err := os.ReadFile(filepath.Join(out, "index.html")); err != nil ||
		strings.Contains(string(index), "missing from the pages") {
		t.Errorf("the index (error %v) says that records are missing from the pages", err)
	}
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	to := buildCost{in: int64(len(data)), cpu: cpu, peak: <-peak}
	err = filepath.WalkDir(out, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			to.out += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

var peakLine = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peakOf returns the peak memory of a running process. The system's figure for an ended process also counts the memory
// of the process that started it.
func peakOf(pid int) (bytes int64, ok bool) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, false
	}
	m := peakLine.FindSubmatch(status)
	if m == nil { // it has ended, but was not waited for yet
		return 0, false
	}
	kilobytes, err := strconv.ParseInt(string(m[1]), 10, 64)
	return kilobytes << 10, err == nil
}
