// Command bench measures whole runs of viewer on invented sessions: time, CPU time, memory, output, and the time of
// each stage. It prints the tables of BENCHMARKS.md:
//
//	go run ./internal/testing/bench                    this working tree
//	go run ./internal/testing/bench -before 62fb262    and that commit, on the same inputs
//	go run ./internal/testing/bench -before FILE       and that program
//	go run ./internal/testing/bench -large             with 848 MB and 2 GB of sessions, too
//	go run ./internal/testing/bench -only 200          only inputs with 200 in their name
//
// It runs one build at a time, alternating between viewers, and prints the median of -runs. Runs in which other
// programs took more than a tenth of the processor time are left out and repeated, at most -runs times. It never writes
// outside of -dir, or of a temporary folder that it removes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// An input is a folder of sessions to build.
type input struct {
	name      string
	megabytes int
	sessions  int // 0 for one file
	large     bool
}

var inputs = []input{
	{"11 MB, 77 sessions", 11, 77, false},
	{"200 MB, 1,500 sessions", 200, 1500, false},
	{"100 MB, one session", 100, 0, false},
	{"848 MB, 6,360 sessions", 848, 6360, true},
	{"2 GB, 15,000 sessions", 2000, 15_000, true},
}

type bench struct {
	dir    string
	runs   int
	viewer map[string]string // by name of the table: "before (62fb262)", "now"
	order  []string
	sites  map[string]string // the last site of each viewer
	built  int               // number of sites built
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench: ")
	runs := flag.Int("runs", 3, "take the median of `N` runs")
	before := flag.String("before", "", "measure `COMMIT`, or a program, too")
	large := flag.Bool("large", false, "build 848 MB and 2 GB, too: takes 4 GB of disk")
	dir := flag.String("dir", "", "`FOLDER` for inputs and sites, kept afterwards")
	only := flag.String("only", "", "build only inputs whose name contains `TEXT`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *runs, *before, *dir, *only, *large); err != nil {
		log.Print(err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, runs int, before, dir, only string, large bool) (err error) {
	if dir == "" {
		if dir, err = os.MkdirTemp("", "viewer-bench-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	b := &bench{dir: dir, runs: runs, viewer: make(map[string]string), sites: make(map[string]string)}
	if err := b.compile(ctx, before); err != nil {
		return err
	}
	fmt.Printf("%s\n\n", machine())
	for _, in := range inputs {
		if in.large && !large || !strings.Contains(in.name, only) {
			continue
		}
		if err := b.measure(ctx, in); err != nil {
			return fmt.Errorf("%s: %w", in.name, err)
		}
	}
	return nil
}

// compile builds the generator, this viewer and that of another commit.
func (b *bench) compile(ctx context.Context, before string) error {
	build := func(in, out, pkg string) error {
		cmd := exec.CommandContext(ctx, "go", "build", "-o", out, pkg)
		cmd.Dir, cmd.Stderr = in, os.Stderr
		return cmd.Run()
	}
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return fmt.Errorf("finding the module: %w", err)
	}
	here := strings.TrimSpace(string(root))
	if err := build(here, filepath.Join(b.dir, "gen"), "./internal/testing/corpusgen/gen"); err != nil {
		return fmt.Errorf("building the generator: %w", err)
	}
	if info, err := os.Stat(before); err == nil && info.Mode().IsRegular() {
		name, err := filepath.Abs(before)
		if err != nil {
			return err
		}
		b.add("before ("+filepath.Base(before)+")", name)
	} else if before != "" {
		there, name := filepath.Join(b.dir, "before"), filepath.Join(b.dir, "viewer-before")
		if err := checkOut(ctx, here, before, there); err != nil {
			return fmt.Errorf("checking out %s: %w", before, err)
		}
		if err := build(there, name, "./cmd/viewer"); err != nil {
			return fmt.Errorf("building %s: %w", before, err)
		}
		b.add("before ("+before+")", name)
	}
	name := filepath.Join(b.dir, "viewer")
	if err := build(here, name, "./cmd/viewer"); err != nil {
		return fmt.Errorf("building viewer: %w", err)
	}
	b.add("now", name)
	return nil
}

func (b *bench) add(name, file string) {
	b.viewer[name] = file
	b.order = append(b.order, name)
}

// checkOut writes the files of a commit to a folder.
func checkOut(ctx context.Context, repository, commit, to string) error {
	if err := os.RemoveAll(to); err != nil { // from another commit
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	archive := to + ".tar"
	cmd := exec.CommandContext(ctx, "git", "archive", "-o", archive, commit)
	cmd.Dir, cmd.Stderr = repository, os.Stderr
	if err := cmd.Run(); err != nil {
		return err
	}
	return exec.CommandContext(ctx, "tar", "-xf", archive, "-C", to).Run()
}

// machine describes the machine.
func machine() string {
	cpu := runtime.GOARCH
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(info)) {
			if name, ok := strings.CutPrefix(line, "model name"); ok {
				cpu = strings.Trim(name, " \t\n:")
				break
			}
		}
	}
	return fmt.Sprintf("%s, %d cores, %s, %s", cpu, runtime.NumCPU(), runtime.GOOS, runtime.Version())
}

// median returns the median of measured values.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
