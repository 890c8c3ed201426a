package watch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestSystem: the real notifications of the system report each kind of change without a scan.
func TestSystem(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	write(t, path("p/a.jsonl"), "1\n")
	write(t, path("p/s/b.jsonl"), "1\n")

	told := make(chan []string, 100)
	w := New(Options{
		Paths:   []string{dir},
		Changed: func(files []string) error { told <- files; return nil },
		Failed:  func(err error) { t.Error(err) },
	})
	if w.o.Poll > 0 {
		t.Skip("the system has no more watches")
	}
	w.o.Poll = time.Hour // the time to the first scan
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { w.Run(ctx); close(done) }()
	defer func() { cancel(); <-done }()

	for _, step := range []struct {
		name string
		do   func() error
		want string
	}{
		{"append", func() error { return os.WriteFile(path("p/a.jsonl"), []byte("1\n2\n"), 0o644) }, "p/a.jsonl"},
		{"a new file", func() error { return os.WriteFile(path("p/c.jsonl"), nil, 0o644) }, "p/c.jsonl"},
		{"new folders with a file", func() error {
			if err := os.MkdirAll(path("q/r/s"), 0o755); err != nil {
				return err
			}
			return os.WriteFile(path("q/r/s/d.jsonl"), nil, 0o644)
		}, "q/r/s/d.jsonl"},
		{"a file in a new folder", func() error {
			return os.WriteFile(path("q/r/s/e.jsonl"), nil, 0o644)
		}, "q/r/s/e.jsonl"},
		{"replaced by rename", func() error {
			if err := os.WriteFile(dir+"-new", []byte("2\n"), 0o644); err != nil {
				return err
			}
			return os.Rename(dir+"-new", path("p/a.jsonl"))
		}, "p/a.jsonl"},
		{"removed", func() error { return os.Remove(path("p/c.jsonl")) }, "p/c.jsonl"},
		{"a folder moved away", func() error { return os.Rename(path("p"), dir+"-away") }, "p/s/b.jsonl"},
		{"a folder moved back", func() error { return os.Rename(dir+"-away", path("p")) }, "p/s/b.jsonl"},
		{"a file in the folder that was moved", func() error {
			return os.WriteFile(path("p/s/b.jsonl"), []byte("3\n4\n"), 0o644)
		}, "p/s/b.jsonl"},
		{"a folder removed", func() error { return os.RemoveAll(path("q")) }, "q/r/s/d.jsonl"},
	} {
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		for !slices.Contains(wait(t, step.name, told), path(step.want)) {
		}
	}
}

func wait(t *testing.T, name string, told chan []string) []string {
	t.Helper()
	select {
	case files := <-told:
		return files
	case <-time.After(time.Minute):
		t.Fatalf("%s was not reported within a minute", name)
		return nil
	}
}

// BenchmarkIdle measures the cost of a scan of a thousand folders with five files each, which runs every few seconds.
func BenchmarkIdle(b *testing.B) {
	dir := b.TempDir()
	past := time.Now().Add(-24 * time.Hour)
	for i := range 1000 {
		folder := filepath.Join(dir, fmt.Sprintf("p%d", i))
		os.Mkdir(folder, 0o755)
		for j := range 5 {
			name := filepath.Join(folder, fmt.Sprintf("%d.jsonl", j))
			if err := os.WriteFile(name, nil, 0o644); err != nil {
				b.Fatal(err)
			}
			os.Chtimes(name, past, past)
		}
		os.Chtimes(folder, past, past)
	}
	os.Chtimes(dir, past, past)
	tr := newTree(Options{Paths: []string{dir}}, notifier{})
	tr.sweep(allFiles)
	for _, c := range []struct {
		name string
		d    depth
	}{{"young", recentFiles}, {"everything", allFiles}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				tr.sweep(c.d)
			}
		})
	}
}
