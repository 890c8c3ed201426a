//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"viewer/internal/testing/corpusgen"
)

// TestInterrupt stops a build of many sessions: exit code 130, no half file,
// and the next build completes the site.
func TestInterrupt(t *testing.T) {
	viewer, dir := builtProgram(t), t.TempDir()
	project := filepath.Join(dir, "projects", "-w")
	if err := os.MkdirAll(project, 0o755); err != nil {
		t.Fatal(err)
	}
	session := corpusgen.Session(1, 4_000_000)
	for _, name := range strings.Fields("a b c d e f g h i j k l") {
		if err := os.WriteFile(filepath.Join(project, name+".jsonl"), session, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "out")
	cmd := exec.Command(viewer, "build", filepath.Dir(project), "-o", out)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for { // until the first page is there
		if pages, _ := filepath.Glob(filepath.Join(out, "s", "*", "index.html")); len(pages) > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the exit code tells
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	pages, _ := filepath.Glob(filepath.Join(out, "s", "*", "*.html"))
	for _, p := range pages {
		if html, err := os.ReadFile(p); err != nil || !strings.HasSuffix(string(html), "</html>\n") {
			t.Errorf("%s is not whole: %v", p, err)
		}
	}
	if _, err := os.Stat(filepath.Join(out, "index.html")); err == nil {
		t.Skip("the build was done before it could be stopped")
	}
	if msg, err := exec.Command(viewer, "build", filepath.Dir(project), "-o", out).CombinedOutput(); err != nil {
		t.Errorf("building again: %v\n%s", err, msg)
	}
	if left, _ := filepath.Glob(filepath.Join(out, ".viewer", "new-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
