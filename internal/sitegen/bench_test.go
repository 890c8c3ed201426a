package sitegen

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"viewer/internal/testing/corpusgen"
)

// inventedFolder writes 20 MB of sessions in 150 files.
func inventedFolder(b *testing.B) (folder string, size int64) {
	b.Helper()
	folder = b.TempDir()
	for f := range corpusgen.Folder(corpusgen.Options{Seed: 1, Bytes: 20_000_000, Sessions: 150}) {
		name := filepath.Join(folder, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			b.Fatal(err)
		}
		size += int64(len(f.Data))
	}
	return folder, size
}

func benchBuild(b *testing.B, folder, out string) Report {
	b.Helper()
	report, err := Build(context.Background(), Options{Sources: []string{folder}, Out: out, Version: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	return report
}

// BenchmarkBuildCold builds a folder for the first time.
func BenchmarkBuildCold(b *testing.B) {
	folder, size := inventedFolder(b)
	out := filepath.Join(b.TempDir(), "site")
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		if r := benchBuild(b, folder, out); r.Reused > 0 {
			b.Fatalf("%d sessions reused, want none", r.Reused)
		}
		b.StopTimer()
		if err := os.RemoveAll(out); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// BenchmarkBuildWarm builds again without changes.
func BenchmarkBuildWarm(b *testing.B) {
	folder, size := inventedFolder(b)
	out := filepath.Join(b.TempDir(), "site")
	benchBuild(b, folder, out)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		if r := benchBuild(b, folder, out); r.Rendered > 0 {
			b.Fatalf("%d sessions drawn, want none", r.Rendered)
		}
	}
}

// BenchmarkAppend builds after each new record of a session of some 3 MB, among 150 others.
func BenchmarkAppend(b *testing.B) {
	folder, _ := inventedFolder(b)
	out := filepath.Join(b.TempDir(), "site")
	session := filepath.Join(folder, "-w-running", "11111111-2222-4333-8444-555555555555.jsonl")
	lines := bytes.SplitAfter(corpusgen.Session(2, 6_000_000), []byte{'\n'})
	start := len(lines) / 2
	if err := os.Mkdir(filepath.Dir(session), 0o755); err != nil {
		b.Fatal(err)
	}
	write := func(data []byte, flags int) {
		f, err := os.OpenFile(session, os.O_CREATE|os.O_WRONLY|flags, 0o644)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := f.Write(data); err != nil {
			b.Fatal(err)
		}
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
	}
	write(bytes.Join(lines[:start], nil), os.O_TRUNC)
	benchBuild(b, folder, out)
	next, written := start, 0
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		if next == len(lines) {
			b.Fatal("the session is too short for b.N appends: make it longer")
		}
		write(lines[next], os.O_APPEND)
		next++
		b.StartTimer()
		r := benchBuild(b, folder, out)
		if r.Rendered > 1 {
			b.Fatalf("%d sessions drawn, want 1", r.Rendered)
		}
		written += r.Written
	}
	b.ReportMetric(float64(written)/float64(next-start), "files/op")
}
