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

// TestBucketArchive keeps sessions in a bucket: an append writes little, and what is read and restored is what there
// was. Requests that fail are repeated, and a run that was cut off is continued.
func TestBucketArchive(t *testing.T) {
	t.Parallel()
	s := newBucketServer(t)
	dir := t.TempDir()
	folder := filepath.Join(dir, "projects")
	if err := os.CopyFS(folder, os.DirFS("../../testdata/projects")); err != nil {
		t.Fatal(err)
	}
	kept := s.address("logs/kept")
	run := func() string { t.Helper(); return s.must("archive", folder, "-o", kept, "--machine", "m") }

	// The first run is cut off between the frame and the manifest, and the second one goes on while the server is busy.
	var puts, size, requests atomic.Int64
	s.fail = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut && puts.Add(1) > 1 {
			w.WriteHeader(http.StatusForbidden)
			return true
		}
		return false
	}
	if said, err := s.viewer("archive", folder, "-o", kept, "--machine", "m"); err == nil ||
		!strings.Contains(said, "viewer: error: writing s3://logs/kept/") {
		t.Errorf("a run that may not write: %v\n%s", err, said)
	}
	s.fail = func(w http.ResponseWriter, r *http.Request) bool {
		if requests.Add(1)%3 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, `<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Told to.</Message></Error>`)
			return true
		}
		return false
	}
	if said := run(); !strings.Contains(said, " new; ") || !strings.Contains(said, "written to s3://logs/kept\n") {
		t.Errorf("the first whole run says\n%s", said)
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
	if said := run(); puts.Load() > 0 || !strings.Contains(said, "unchanged; 0 B written") {
		t.Errorf("nothing is new, and it puts %d objects:\n%s", puts.Load(), said)
	}
	s.must("archive", "verify", kept, folder)

	// An append.
	files, err := filepath.Glob(filepath.Join(folder, "-home-mara-ovenbell", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	f, err := os.OpenFile(files[0], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	line := said(1)
	if _, err := f.WriteString(line); err != nil {
		t.Fatal(err)
	}
	f.Close()
	size.Store(0)
	if run(); puts.Load() > 2 || size.Load() > int64(len(line))+4<<10 {
		t.Errorf("an append of %d bytes puts %d objects of %d bytes", len(line), puts.Load(), size.Load())
	}
	t.Logf("an append of %d bytes puts %d objects of %d bytes", len(line), puts.Load(), size.Load())
	s.fail = nil

	s.readArchive(folder, dir)
	s.refuseArchive(folder)
}

// must runs the program, which has to end well.
func (s *bucketServer) must(args ...string) string {
	s.Helper()
	said, err := s.viewer(args...)
	if err != nil {
		s.Fatalf("%v: %v\n%s", args, err, said)
	}
	return said
}

// readArchive demands that an archive in a bucket is read as one in a folder, and restored.
func (s *bucketServer) readArchive(folder, dir string) {
	s.Helper()
	kept := s.address("logs/kept")
	disk, onDisk, inBucket := filepath.Join(dir, "kept"), filepath.Join(dir, "site"), filepath.Join(dir, "site2")
	s.must("archive", folder, "-o", disk, "--machine", "m")
	s.must("build", disk, "-o", onDisk)
	s.must("build", kept, "-o", inBucket)
	if diff, err := exec.Command("diff", "-r", "--exclude=.viewer", onDisk, inBucket).CombinedOutput(); err != nil {
		s.Errorf("the site is not that of a folder: %v\n%.2000s", err, diff)
	}
	if said := s.must("build", kept, "-o", inBucket); !strings.Contains(said, "rendered 0, ") {
		s.Errorf("a build without a change: %s", said)
	}
	if a, b := s.must("list", disk), s.must("list", kept); a != b {
		s.Errorf("listed are\n%s\nand in a folder\n%s", b, a)
	}
	if said := s.must("search", "ovenbell", "--source", kept); !strings.Contains(said, "ovenbell") {
		s.Errorf("found is\n%s", said)
	}
	to := filepath.Join(dir, "restored")
	s.must("archive", "restore", kept, "-o", to)
	if diff, err := exec.Command("diff", "-r", folder, filepath.Join(to, "m", folder)).CombinedOutput(); err != nil {
		s.Errorf("restored is something else: %v\n%.2000s", err, diff)
	}
	r := &running{t: s.T, cmd: s.command("serve", kept, "--port", "0")}
	r.start("serving; press Ctrl-C to stop")
	if !strings.Contains(r.saying(), "s3://logs/kept is not watched: ") {
		s.Errorf("serve says\n%s", r.saying())
	}
	r.stop()

	// One archive is added to another, in both directions.
	s.must("archive", kept, "-o", filepath.Join(dir, "other"))
	if said := s.must("archive", filepath.Join(dir, "other"), "-o", kept); !strings.Contains(said, "0 B written") {
		s.Errorf("it added what is there: %s", said)
	}
}

// refuseArchive demands that what is gone or changed is told, and what is no place for an archive.
func (s *bucketServer) refuseArchive(folder string) {
	s.Helper()
	kept := s.address("logs/kept")
	team := s.address("logs/team/projects")
	if said, err := s.viewer("archive", team, "-o", s.address("logs/team/projects/kept")); err == nil ||
		!strings.Contains(said, "s3://logs/team/projects/kept lies in s3://logs/team/projects") {
		s.Errorf("%v\n%s", err, said)
	}
	for name := range s.objects("kept/data") {
		if _, err := s.backend.DeleteObject("logs", "kept/data/"+name); err != nil {
			s.Fatal(err)
		}
		break
	}
	if said, err := s.viewer("archive", "verify", kept); err == nil || !strings.Contains(said, " is gone\n") {
		s.Errorf("an object is gone: %v\n%s", err, said)
	}
	if said, err := s.viewer("archive", "verify", s.address("logs/team")); err == nil ||
		!strings.Contains(said, "reading s3://logs/team: not an archive") {
		s.Errorf("%v\n%s", err, said)
	}
	if said, err := s.viewer("archive", folder, "-o", s.address("logs/team")); err == nil ||
		!strings.Contains(said, "s3://logs/team holds other files") {
		s.Errorf("%v\n%s", err, said)
	}
	if said, err := s.viewer("archive", folder, "-o", s.address("nowhere/kept")); err == nil ||
		!strings.Contains(said, "s3://nowhere/kept: no such bucket") {
		s.Errorf("%v\n%s", err, said)
	}
}

// TestBucketArchivers: three machines archive into one bucket at the same time, again and again.
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
				files.append(name, said(n)+said(n+len(machine)))
				if text, err := s.viewer("archive", folder, "-o", kept, "--machine", machine); err != nil {
					t.Errorf("%s: %v\n%s", machine, err, text)
				}
			}
		})
	}
	all.Wait()
	to := t.TempDir()
	for _, args := range [][]string{{"archive", "verify", kept}, {"archive", "restore", kept, "-o", to}} {
		if said, err := s.viewer(args...); err != nil {
			t.Errorf("%v: %v\n%s", args, err, said)
		}
	}
	for machine, folder := range folders {
		diff, err := exec.Command("diff", "-r", folder, filepath.Join(to, machine, folder)).CombinedOutput()
		if err != nil {
			t.Errorf("%s: restored is something else: %v\n%.2000s", machine, err, diff)
		}
	}
}
