package sitegen

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"viewer/internal/testing/corpusgen"
)

// BenchmarkLiveAppend builds a watched site after each new record of a session of 20 MB. VIEWER_LIVE_SESSION names
// another session to copy and append to.
func BenchmarkLiveAppend(b *testing.B) {
	data := []byte(nil)
	if name := os.Getenv("VIEWER_LIVE_SESSION"); name != "" {
		var err error
		if data, err = os.ReadFile(name); err != nil {
			b.Fatal(err)
		}
	} else {
		data = corpusgen.Session(2, 20_000_000)
	}
	dir := b.TempDir()
	file := filepath.Join(dir, "in", "-w-live", "11111111-2222-4333-8444-555555555555.jsonl")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		b.Fatal(err)
	}
	size := len(data)
	data = nil
	site := NewSite(Options{
		Sources: []string{filepath.Join(dir, "in")}, Out: filepath.Join(dir, "site"), Version: "bench",
	})
	defer site.Close()
	build := func() Report {
		r, err := site.Build(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		return r
	}
	build()
	n := 0
	grow := func() int64 {
		n++
		text := fmt.Sprintf(line, n, n)
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := f.WriteString(text); err != nil {
			b.Fatal(err)
		}
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
		return int64(len(text))
	}
	grow()
	build()
	var stages []StageTime
	written, drawn, cpu, first := 0, 0, time.Duration(0), time.Duration(0)
	for b.Loop() {
		b.StopTimer()
		want := grow()
		before, start := processTime(), time.Now()
		b.StartTimer()
		r := build()
		cpu += processTime() - before
		first += untilPage(b, filepath.Join(dir, "site"), r.Changed).Sub(start)
		if r.Read != want || r.Rendered != 1 {
			b.Fatalf("rendered %d, read %d bytes of %d; want 1 and %d", r.Rendered, r.Read, size, want)
		}
		stages, written, drawn = r.Stages, written+r.Written, drawn+r.Drawn
	}
	b.ReportMetric(float64(written)/float64(b.N), "files/op")
	b.ReportMetric(float64(cpu.Milliseconds())/float64(b.N), "cpu-ms/op")
	b.ReportMetric(float64(drawn)/float64(b.N), "pages/op")
	b.ReportMetric(float64(first.Milliseconds())/float64(b.N), "page-ms/op")
	b.Log(stages)
}

// untilPage returns when the first page of a session was written: the one with the new record, which is drawn before
// the one with the totals.
func untilPage(b *testing.B, site string, changed []string) (at time.Time) {
	for _, name := range changed {
		if filepath.Ext(name) != ".html" || filepath.Dir(name) == "." {
			continue
		}
		info, err := os.Stat(filepath.Join(site, name))
		if err != nil {
			b.Fatal(err)
		}
		if at.IsZero() || info.ModTime().Before(at) {
			at = info.ModTime()
		}
	}
	return at
}

// processTime returns the CPU time of this process, which does not depend on other programs.
func processTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
