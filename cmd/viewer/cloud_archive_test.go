//go:build cloud && linux

package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// TestBucketArchive archives into a bucket: an append writes little, and reading and restoring give the original files.
// Failed requests are retried, and a run that was interrupted is continued.
func TestBucketArchive(t *testing.T) {
	t.Parallel()
	s := newBucketServer(t)
	dir := t.TempDir()
	folder := filepath.Join(dir, "projects")
	if err := os.CopyFS(folder, os.DirFS("../../testdata/projects")); err != nil {
		t.Fatal(err)
	}
	kept := s.address("logs/kept")
	run := func() string { t.Helper(); return s.mustRun("archive", folder, "-o", kept, "--machine", "m") }

	// The first run fails between the frame and the manifest. The second one continues while the server is busy.
	var puts, size, requests atomic.Int64
	s.fail = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut && puts.Add(1) > 1 {
			w.WriteHeader(http.StatusForbidden)
			return true
		}
		return false
	}
	if output, err := s.viewer("archive", folder, "-o", kept, "--machine", "m"); err == nil ||
		!strings.Contains(output, "viewer: error: writing s3://logs/kept/") {
		t.Errorf("without permission to write: error %v, want one that names the address\n%s", err, output)
	}
	s.fail = func(w http.ResponseWriter, r *http.Request) bool {
		if requests.Add(1)%3 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, `<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Told to.</Message></Error>`)
			return true
		}
		return false
	}
	if output := run(); !strings.Contains(output, " new; ") ||
		!strings.Contains(output, "written to s3://logs/kept\n") {
		t.Errorf("the first complete run prints\n%s\nwant the counts and the address", output)
	}
	count := func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut {
			puts.Add(1)
			size.Add(r.ContentLength)
		}
		return false
	}
	s.fail = count
	puts.Store(0)
	if output := run(); puts.Load() > 0 || !strings.Contains(output, "unchanged; 0 B written") {
		t.Errorf("without changes: %d objects put, want none:\n%s", puts.Load(), output)
	}
	s.mustRun("archive", "verify", kept, folder)

	// An append.
	files, err := filepath.Glob(filepath.Join(folder, "-home-mara-ovenbell", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	f, err := os.OpenFile(files[0], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	line := promptLine(1)
	if _, err := f.WriteString(line); err != nil {
		t.Fatal(err)
	}
	f.Close()
	size.Store(0)
	if run(); puts.Load() > 2 || size.Load() > int64(len(line))+4<<10 {
		t.Errorf("an append of %d bytes puts %d objects of %d bytes, want at most 2 objects and 4 KB more than the append",
			len(line), puts.Load(), size.Load())
	}
	t.Logf("an append of %d bytes puts %d objects of %d bytes", len(line), puts.Load(), size.Load())
	s.fail = nil

	s.checkArchive(folder, dir)
	s.checkRefusals(folder)
}

// mustRun runs the program, which has to succeed.
func (s *bucketServer) mustRun(args ...string) string {
	s.Helper()
	output, err := s.viewer(args...)
	if err != nil {
		s.Fatalf("%v: %v\n%s", args, err, output)
	}
	return output
}

// checkArchive checks that an archive in a bucket gives the same results as one in a folder, and that it can be
// restored.
func (s *bucketServer) checkArchive(folder, dir string) {
	s.Helper()
	kept := s.address("logs/kept")
	disk, onDisk, inBucket := filepath.Join(dir, "kept"), filepath.Join(dir, "site"), filepath.Join(dir, "site2")
	s.mustRun("archive", folder, "-o", disk, "--machine", "m")
	s.mustRun("build", disk, "-o", onDisk)
	s.mustRun("build", kept, "-o", inBucket)
	if diff, err := exec.Command("diff", "-r", "--exclude=.viewer", onDisk, inBucket).CombinedOutput(); err != nil {
		s.Errorf("the site differs from that of a folder: %v\n%.2000s", err, diff)
	}
	if output := s.mustRun("build", kept, "-o", inBucket); !strings.Contains(output, "rendered 0, ") {
		s.Errorf("a build without changes: got %s, want nothing rendered", output)
	}
	if a, b := s.mustRun("list", disk), s.mustRun("list", kept); a != b {
		s.Errorf("list prints\n%s\nwant, as for a folder,\n%s", b, a)
	}
	if output := s.mustRun("search", "ovenbell", "--source", kept); !strings.Contains(output, "ovenbell") {
		s.Errorf("search prints\n%s\nwant a hit", output)
	}
	to := filepath.Join(dir, "restored")
	s.mustRun("archive", "restore", kept, "-o", to)
	if diff, err := exec.Command("diff", "-r", folder, filepath.Join(to, "m", folder)).CombinedOutput(); err != nil {
		s.Errorf("the restored folder differs: %v\n%.2000s", err, diff)
	}
	r := &process{t: s.T, cmd: s.command("serve", kept, "--port", "0")}
	r.start("serving; press Ctrl-C to stop")
	if !strings.Contains(r.messages(), "s3://logs/kept is not watched: ") {
		s.Errorf("serve prints\n%s\nwant that the bucket is not watched", r.messages())
	}
	r.stop()

	// One archive is added to another, in both directions.
	s.mustRun("archive", kept, "-o", filepath.Join(dir, "other"))
	output := s.mustRun("archive", filepath.Join(dir, "other"), "-o", kept)
	if !strings.Contains(output, "0 B written") {
		s.Errorf("adding an archive again: got %s, want nothing written", output)
	}
}

// checkRefusals checks the errors for missing objects and for places that cannot hold an archive.
func (s *bucketServer) checkRefusals(folder string) {
	s.Helper()
	kept := s.address("logs/kept")
	team := s.address("logs/team/projects")
	if output, err := s.viewer("archive", team, "-o", s.address("logs/team/projects/kept")); err == nil ||
		!strings.Contains(output, "s3://logs/team/projects/kept is inside s3://logs/team/projects") {
		s.Errorf("an archive inside its source: error %v\n%s", err, output)
	}
	for name := range s.objects("kept/data") {
		if _, err := s.backend.DeleteObject("logs", "kept/data/"+name); err != nil {
			s.Fatal(err)
		}
		break
	}
	if output, err := s.viewer("archive", "verify", kept); err == nil || !strings.Contains(output, " is gone\n") {
		s.Errorf("verify without an object: error %v, want one that names it\n%s", err, output)
	}
	if output, err := s.viewer("archive", "verify", s.address("logs/team")); err == nil ||
		!strings.Contains(output, "reading s3://logs/team: not an archive") {
		s.Errorf("verify of something else: error %v\n%s", err, output)
	}
	if output, err := s.viewer("archive", folder, "-o", s.address("logs/team")); err == nil ||
		!strings.Contains(output, "s3://logs/team contains other files") {
		s.Errorf("over other files: error %v\n%s", err, output)
	}
	if output, err := s.viewer("archive", folder, "-o", s.address("nowhere/kept")); err == nil ||
		!strings.Contains(output, "s3://nowhere/kept: no such bucket") {
		s.Errorf("without a bucket: error %v\n%s", err, output)
	}
}

// TestBucketArchivers has three machines archive into one bucket at the same time, several times.
func TestBucketArchivers(t *testing.T) {
	t.Parallel()
	s := newBucketServer(t)
	kept := s.address("logs/kept")
	var all sync.WaitGroup
	folders := make(map[string]string)
	for _, machine := range []string{"laptop", "desk", "build"} {
		folder := filepath.Join(t.TempDir(), "projects")
		folders[machine] = folder
		if err := os.CopyFS(folder, os.DirFS("../../testdata/projects/-home-mara-ovenbell")); err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			for n := range 3 {
				files := sources{t, folder}
				name := fmt.Sprintf("-w/%08d-0000-4000-8000-00000000000%d.jsonl", len(machine), n/2)
				files.append(name, promptLine(n)+promptLine(n+len(machine)))
				if text, err := s.viewer("archive", folder, "-o", kept, "--machine", machine); err != nil {
					t.Errorf("%s: %v\n%s", machine, err, text)
				}
			}
		})
	}
	all.Wait()
	to := t.TempDir()
	for _, args := range [][]string{{"archive", "verify", kept}, {"archive", "restore", kept, "-o", to}} {
		if output, err := s.viewer(args...); err != nil {
			t.Errorf("%v: %v\n%s", args, err, output)
		}
	}
	for machine, folder := range folders {
		diff, err := exec.Command("diff", "-r", folder, filepath.Join(to, machine, folder)).CombinedOutput()
		if err != nil {
			t.Errorf("%s: the restored folder differs: %v\n%.2000s", machine, err, diff)
		}
	}
}
