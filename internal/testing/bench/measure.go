package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A kind of run: what happens before the build, and how many cores it has.
type kind struct {
	name    string
	cores   string // GOMAXPROCS, "" for all
	fresh   bool   // into a new folder; otherwise over the last site
	appends bool   // after a record was appended to a session
}

const (
	cold     = "cold"
	oneCore  = "cold, one core"
	warm     = "nothing changed"
	appended = "one record appended"
)

var kinds = []kind{
	{name: cold, fresh: true},
	{name: oneCore, cores: "1", fresh: true},
	{name: warm},
	{name: appended, appends: true},
}

// A figure is the measurements of one run.
type figure struct {
	wall, cpu time.Duration
	peak      int64 // bytes
	written   int   // changed files of the site
	pages     int   // pages among them
	stages    string
	busy      bool // other programs took more than a tenth of the processor time
}

// measure makes an input and prints a row for each kind of run of each viewer. The viewers alternate, so that slower
// hours of the machine affect all of them.
func (b *bench) measure(ctx context.Context, in input) error {
	folder, err := b.generate(ctx, in)
	if err != nil {
		return err
	}
	total, largest, err := sizes(folder)
	if err != nil {
		return err
	}
	fmt.Printf("### %s (%.1f MB in all; the largest %.1f MB)\n\n", in.name, float64(total)/1e6, float64(largest)/1e6)
	fmt.Print("| viewer | run | wall s | CPU s | MB/s | MB per CPU s | peak MiB | output MB | without media, of input ",
		"| pages written | files written | runs left out |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	var stages, verdicts, pairs strings.Builder
	found := make(map[string]map[string]figure)
	ratio := make(map[string]float64)
	for _, k := range kinds {
		rounds, err := b.repeat(ctx, k, folder)
		if err != nil {
			return err
		}
		for _, name := range b.order {
			f, left := typical(rounds[name])
			if found[name] == nil {
				found[name] = make(map[string]figure)
			}
			found[name][k.name] = f
			if f.stages != "" && k.name == cold {
				fmt.Fprintf(&stages, "Stages of a cold build, %s, summed over goroutines:\n\n```\n%s```\n\n", name,
					f.stages)
			}
			site, media, err := output(b.sites[name])
			if err != nil {
				return err
			}
			ratio[name] = float64(site-media) / float64(total)
			said := fmt.Sprintf("%d of %d", left, len(rounds[name]))
			if f.busy {
				said += ", all busy"
			}
			fmt.Printf("| %s | %s | %.3f | %.3f | %.0f | %.0f | %.0f | %.1f | %.3f | %d | %d | %s |\n", name, k.name,
				f.wall.Seconds(), f.cpu.Seconds(),
				float64(total)/1e6/f.wall.Seconds(), float64(total)/1e6/f.cpu.Seconds(), float64(f.peak)/(1<<20),
				float64(site)/1e6, ratio[name], f.pages, f.written, said)
		}
		if len(b.order) > 1 {
			wall, cpu := ratios(rounds[b.order[1]], rounds[b.order[0]])
			fmt.Fprintf(&pairs, "- %s: %.2f of the wall time, %.2f of the CPU time\n", k.name, wall, cpu)
		}
	}
	for _, name := range b.order {
		fmt.Fprintf(&verdicts, "Budgets, %s:\n\n%s\n", name, budgets(found[name], total, largest, ratio[name]))
	}
	if pairs.Len() > 0 {
		fmt.Printf("\n%s against %s, medians of pairs of runs one after the other:\n\n%s", b.order[1],
			b.order[0], &pairs)
	}
	fmt.Printf("\n%s%s", verdicts.String(), stages.String())
	return b.removeSites()
}

// generate makes the folder of an input, unless it exists.
func (b *bench) generate(ctx context.Context, in input) (folder string, err error) {
	folder = filepath.Join(b.dir, fmt.Sprintf("in-%d-%d", in.megabytes, in.sessions))
	if _, err := os.Stat(folder); err == nil {
		return folder, nil
	}
	args := []string{"-mb", fmt.Sprint(in.megabytes), "-o", folder}
	if in.sessions == 0 {
		args = append(args, "-huge")
	} else {
		args = append(args, "-sessions", fmt.Sprint(in.sessions))
	}
	// Generate in a separate process, because Linux counts the memory of this process in the peak of each program
	// that it starts.
	if out, err := exec.CommandContext(ctx, filepath.Join(b.dir, "gen"), args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("generating: %w: %s", err, out)
	}
	return folder, nil
}

// removeSites makes space for the sites of the next input. It must not run shortly before a build: after files are
// removed, ext4 searches long for inodes that have been free for more than five seconds, which would take a third of
// the time.
func (b *bench) removeSites() error {
	err := os.RemoveAll(filepath.Join(b.dir, "site"))
	time.Sleep(6 * time.Second)
	return err
}

// repeat runs a kind of build several times with each viewer, alternating. Rounds in which the machine was busy are
// repeated, up to the number of rounds.
func (b *bench) repeat(ctx context.Context, k kind, in string) (map[string][]figure, error) {
	rounds := make(map[string][]figure)
	for quiet, all := 0, 0; quiet < b.runs && all < 2*b.runs; all++ {
		if k.appends {
			if err := appendRecord(in); err != nil {
				return nil, err
			}
		}
		busy := false
		for _, name := range b.order {
			f, err := b.once(ctx, name, k, in)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", name, k.name, err)
			}
			busy = busy || f.busy
			rounds[name] = append(rounds[name], f)
		}
		if !busy {
			quiet++
		}
	}
	return rounds, nil
}

// once builds the site of a viewer and returns its figures.
func (b *bench) once(ctx context.Context, name string, k kind, in string) (figure, error) {
	if k.fresh {
		b.built++
		b.sites[name] = filepath.Join(b.dir, "site", fmt.Sprint(b.built))
	}
	out := b.sites[name]
	before, err := stamps(out)
	if err != nil {
		return figure{}, err
	}
	f, err := build(ctx, b.viewer[name], k.cores, in, out)
	if err != nil {
		return figure{}, err
	}
	after, err := stamps(out)
	if err != nil {
		return figure{}, err
	}
	for name, stamp := range after {
		if before[name] != stamp {
			f.written++
			if filepath.Ext(name) == ".html" {
				f.pages++
			}
		}
	}
	return f, nil
}

// typical returns the median of each figure over the quiet runs, and how many runs were left out. If there were no
// quiet runs it returns the medians of all runs, as busy.
func typical(runs []figure) (f figure, left int) {
	quiet := slices.DeleteFunc(slices.Clone(runs), func(f figure) bool { return f.busy })
	left = len(runs) - len(quiet)
	if len(quiet) == 0 {
		quiet = runs
	}
	var wall, cpu, peak []float64
	for _, one := range quiet {
		wall, cpu, peak = append(wall, one.wall.Seconds()), append(cpu, one.cpu.Seconds()),
			append(peak, float64(one.peak))
	}
	f = quiet[len(quiet)-1]
	f.wall, f.cpu, f.peak = seconds(median(wall)), seconds(median(cpu)), int64(median(peak))
	return f, left
}

// ratios returns the medians of the times of one viewer, divided by those of another in the same round. Rounds with a
// busy run only count if there are no others.
func ratios(now, before []figure) (wall, cpu float64) {
	var walls, cpus []float64
	for _, withBusy := range []bool{false, true} {
		for i := range now {
			if a, b := now[i], before[i]; withBusy || !a.busy && !b.busy {
				walls = append(walls, a.wall.Seconds()/b.wall.Seconds())
				cpus = append(cpus, a.cpu.Seconds()/b.cpu.Seconds())
			}
		}
		if len(walls) > 0 {
			break
		}
	}
	return median(walls), median(cpus)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// build runs the program once.
func build(ctx context.Context, viewer, cores, in, out string) (figure, error) {
	args := []string{"build", in, "-o", out, "-q"}
	if hasStats(ctx, viewer) {
		args = append(args, "--stats")
	}
	cmd := exec.CommandContext(ctx, viewer, args...)
	cmd.Env = os.Environ()
	if cores != "" {
		cmd.Env = append(cmd.Env, "GOMAXPROCS="+cores)
	}
	var said, failed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &failed
	load, start := loadNow(), time.Now()
	if err := cmd.Run(); err != nil {
		return figure{}, fmt.Errorf("%w: %s", err, failed.Bytes())
	}
	f := figure{wall: time.Since(start), stages: said.String()}
	f.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	f.peak = peak(cmd.ProcessState)
	f.busy = !isQuiet(foreign(load, loadNow(), f.cpu), f.wall, runtime.NumCPU())
	return f, nil
}

// hasStats reports whether a viewer supports --stats.
func hasStats(ctx context.Context, viewer string) bool {
	help, err := exec.CommandContext(ctx, viewer, "build", "--help").CombinedOutput()
	return err == nil && bytes.Contains(help, []byte("--stats"))
}

// stamps returns size and time of each file of a site, except for the state.
func stamps(site string) (map[string]string, error) {
	all := make(map[string]string)
	err := filepath.WalkDir(site, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && path == site:
			return nil
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".viewer":
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		info, err := d.Info()
		if err == nil {
			all[path] = fmt.Sprint(info.Size(), info.ModTime().UnixNano())
		}
		return err
	})
	return all, err
}

// output returns the size of a site without its state, and that of its media.
func output(site string) (all, media int64, err error) {
	err = filepath.WalkDir(site, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".viewer":
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		all += info.Size()
		if strings.HasPrefix(path, filepath.Join(site, "media")) {
			media += info.Size()
		}
		return nil
	})
	return all, media, err
}

// sizes returns the bytes of a folder of sessions, and of the largest file.
func sizes(folder string) (all, largest int64, err error) {
	err = filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			all += info.Size()
			largest = max(largest, info.Size())
		}
		return err
	})
	return all, largest, err
}
