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
	"strings"
	"time"
)

// A kind of run: what is done before the build, and with how many cores.
type kind struct {
	name    string
	cores   string // GOMAXPROCS, "" for all
	fresh   bool   // into a new folder, else over the last one
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

// A figure is what was measured of one run.
type figure struct {
	wall, cpu time.Duration
	peak      int64 // bytes
	written   int   // files of the site that are not as they were
	pages     int   // pages among them
	stages    string
}

// measure makes an input and prints a row for each kind of run of each viewer.
func (b *bench) measure(ctx context.Context, in input) error {
	folder := filepath.Join(b.dir, fmt.Sprintf("in-%d-%d", in.megabytes, in.sessions))
	if _, err := os.Stat(folder); err != nil {
		args := []string{"-mb", fmt.Sprint(in.megabytes), "-o", folder}
		if in.sessions == 0 {
			args = append(args, "-huge")
		} else {
			args = append(args, "-sessions", fmt.Sprint(in.sessions))
		}
		// A process of its own: Linux counts the memory of whoever starts a program as its peak.
		if out, err := exec.CommandContext(ctx, filepath.Join(b.dir, "gen"), args...).CombinedOutput(); err != nil {
			return fmt.Errorf("generating: %w: %s", err, out)
		}
	}
	total, largest, err := sizes(folder)
	if err != nil {
		return err
	}
	fmt.Printf("### %s (%.1f MB in all; the largest %.1f MB)\n\n", in.name, float64(total)/1e6, float64(largest)/1e6)
	fmt.Printf("| viewer | run | wall s | CPU s | MB/s | MB per CPU s | peak MiB | output MB | without media, of input | pages written | files written |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	var stages, verdicts strings.Builder
	for _, name := range b.order {
		runs := make(map[string]figure)
		var ratio float64
		for _, k := range kinds {
			f, err := b.repeat(ctx, b.viewer[name], k, folder)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", name, k.name, err)
			}
			runs[k.name] = f
			if f.stages != "" && k.name == cold {
				fmt.Fprintf(&stages, "Stages of a cold build, %s, summed over goroutines:\n\n```\n%s```\n\n", name,
					f.stages)
			}
			site, media, err := output(b.site())
			if err != nil {
				return err
			}
			ratio = float64(site-media) / float64(total)
			fmt.Printf("| %s | %s | %.3f | %.3f | %.0f | %.0f | %.0f | %.1f | %.2f | %d | %d |\n", name, k.name,
				f.wall.Seconds(), f.cpu.Seconds(),
				float64(total)/1e6/f.wall.Seconds(), float64(total)/1e6/f.cpu.Seconds(), float64(f.peak)/(1<<20),
				float64(site)/1e6, ratio, f.pages, f.written)
		}
		fmt.Fprintf(&verdicts, "Budgets, %s:\n\n%s\n", name, budgets(runs, total, largest, ratio))
	}
	fmt.Printf("\n%s%s", verdicts.String(), stages.String())
	return b.removeSites()
}

// site is the folder of the last site that was built.
func (b *bench) site() string { return filepath.Join(b.dir, "site", fmt.Sprint(b.sites)) }

// removeSites makes room for those of the next input. Files are never made
// shortly after others were removed: ext4 then looks long for an inode that is
// free for more than five seconds, and a third of the time would be its.
func (b *bench) removeSites() error {
	err := os.RemoveAll(filepath.Join(b.dir, "site"))
	time.Sleep(6 * time.Second)
	return err
}

// repeat takes the median of some runs, for each of the figures.
func (b *bench) repeat(ctx context.Context, viewer string, k kind, in string) (figure, error) {
	var f figure
	var wall, cpu, peak []float64
	for range b.runs {
		if k.appends {
			if err := appendRecord(in); err != nil {
				return f, err
			}
		}
		if k.fresh {
			b.sites++
		}
		out := b.site()
		before, err := stamps(out)
		if err != nil {
			return f, err
		}
		one, err := build(ctx, viewer, k.cores, in, out)
		if err != nil {
			return f, err
		}
		after, err := stamps(out)
		if err != nil {
			return f, err
		}
		f.written, f.pages = 0, 0
		for name, stamp := range after {
			if before[name] != stamp {
				f.written++
				if filepath.Ext(name) == ".html" {
					f.pages++
				}
			}
		}
		f.stages = one.stages
		wall, cpu, peak = append(wall, one.wall.Seconds()), append(cpu, one.cpu.Seconds()),
			append(peak, float64(one.peak))
	}
	f.wall, f.cpu, f.peak = seconds(median(wall)), seconds(median(cpu)), int64(median(peak))
	return f, nil
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
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return figure{}, fmt.Errorf("%w: %s", err, failed.Bytes())
	}
	f := figure{wall: time.Since(start), stages: said.String()}
	f.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	f.peak = peak(cmd.ProcessState)
	return f, nil
}

// hasStats says whether a viewer knows --stats.
func hasStats(ctx context.Context, viewer string) bool {
	help, err := exec.CommandContext(ctx, viewer, "build", "--help").CombinedOutput()
	return err == nil && bytes.Contains(help, []byte("--stats"))
}

// stamps are size and time of each file of a site, but for the viewer's own.
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

// output is how large a site is, and its media; what the next build knows of it is not published.
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

// sizes are the bytes of a folder of sessions, and of the largest file.
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
