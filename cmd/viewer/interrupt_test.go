//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"viewer/internal/testing/corpusgen"
)

// TestInterrupt stops a build of many sessions: the exit code is 130, no page is incomplete, and the next build
// completes the site.
func TestInterrupt(t *testing.T) {
	viewer, dir := builtProgram(t), t.TempDir()
	project := filepath.Join(dir, "projects", "-w")
	if err := os.MkdirAll(project, 0o755); err != nil {
		t.Fatal(err)
	}
	session := corpusgen.Session(1, 3_000_000)
	for _, name := range strings.Fields("a b c d e f") {
		if err := os.WriteFile(filepath.Join(project, name+".jsonl"), session, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out := interrupted(t, viewer, filepath.Dir(project), dir)
	pages, _ := filepath.Glob(filepath.Join(out, "s", "*", "*.html"))
	for _, p := range pages {
		if html, err := os.ReadFile(p); err != nil || !strings.HasSuffix(string(html), "</html>\n") {
			t.Errorf("%s has no end (error %v)", p, err)
		}
	}
	if msg, err := exec.Command(viewer, "build", filepath.Dir(project), "-o", out).CombinedOutput(); err != nil {
		t.Errorf("building again: %v\n%s", err, msg)
	}
	if _, err := os.Stat(filepath.Join(out, "index.html")); err != nil {
		t.Errorf("the next build does not complete the site: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(out, ".viewer", "new-*")); len(left) > 0 {
		t.Errorf("temporary files are left: %v", left)
	}
}

// interrupted returns the folder of a build that was interrupted. On a busy machine a build may end before it can be
// interrupted, so it tries several times.
func interrupted(t *testing.T, viewer, source, dir string) string {
	t.Helper()
	for try := range 5 {
		out := filepath.Join(dir, "out"+strconv.Itoa(try))
		var messages strings.Builder
		build := exec.Command(viewer, "build", source, "-o", out)
		build.Stderr = &messages
		code := stopAtFirstPage(t, build, out)
		_, err := os.Stat(filepath.Join(out, "index.html"))
		switch {
		case err == nil && (code == 0 || code == exitInterrupted):
			t.Logf("a build ended before it could be interrupted, with exit code %d", code)
		case code != exitInterrupted:
			t.Fatalf("exit code %d, want %d", code, exitInterrupted)
		default:
			if want := "viewer: interrupted; " + leavesSite + "\n"; messages.String() != want {
				t.Errorf("an interrupted build says %q, want %q", messages.String(), want)
			}
			return out
		}
	}
	t.Fatal("all builds ended before they could be interrupted")
	return ""
}

// stopAtFirstPage interrupts a build when the first page of a session exists, and returns its exit code.
func stopAtFirstPage(t *testing.T, cmd *exec.Cmd, out string) int {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for {
		if pages, _ := filepath.Glob(filepath.Join(out, "s", "*", "index.html")); len(pages) > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the exit code is returned
	return cmd.ProcessState.ExitCode()
}

// TestInterruptedInput interrupts commands that write nothing while they read standard input. They say no more than
// that, and the copy of the input is removed.
func TestInterruptedInput(t *testing.T) {
	for _, args := range [][]string{{"check", "-"}, {"list", "-"}, {"show", "-"}, {"stats", "-"}} {
		r := startReading(t, exec.Command(builtProgram(t), args...))
		r.end(syscall.SIGINT)
	}
}

// TestClosedTerminal: when its terminal is closed, a command ends as after an interrupt, unless nohup started it.
func TestClosedTerminal(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("commands inherit that this signal is ignored")
	}
	r := startReading(t, exec.Command(builtProgram(t), "check", "-"))
	r.end(syscall.SIGHUP)

	r = startReading(t, exec.Command("nohup", builtProgram(t), "check", "-"))
	if err := r.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	r.end(syscall.SIGTERM)
}

// TestClosedOutput: a command whose output is not read to its end removes the copy of standard input.
func TestClosedOutput(t *testing.T) {
	viewer, log := builtProgram(t), corpusgen.Session(1, 300_000)
	for _, name := range []string{"show", "export", "check", "report"} {
		temp := t.TempDir()
		cmd := exec.Command(viewer, name, "-")
		cmd.Env = append(os.Environ(), "TMPDIR="+temp)
		cmd.Stdin = bytes.NewReader(log)
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		reader.Close()
		cmd.Stdout = writer
		if err := cmd.Run(); err != nil {
			t.Errorf("viewer %s: %v", name, err)
		}
		writer.Close()
		if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
			t.Errorf("viewer %s leaves %v, error %v", name, left, err)
		}
	}
}

// A reading is a command that reads standard input.
type reading struct {
	t        *testing.T
	cmd      *exec.Cmd
	temp     string // the folder of temporary files
	messages strings.Builder
}

// startReading starts a command and waits until it reads standard input.
func startReading(t *testing.T, cmd *exec.Cmd) *reading {
	t.Helper()
	r := &reading{t: t, cmd: cmd, temp: t.TempDir()}
	cmd.Env = append(os.Environ(), "TMPDIR="+r.temp)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	cmd.Stderr = &r.messages
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for {
		if files, _ := filepath.Glob(filepath.Join(r.temp, "*", "*", "*")); len(files) > 0 {
			return r
		}
		time.Sleep(time.Millisecond)
	}
}

// end sends a signal to the command, which must end as after an interrupt.
func (r *reading) end(s os.Signal) {
	r.t.Helper()
	if err := r.cmd.Process.Signal(s); err != nil {
		r.t.Fatal(err)
	}
	_ = r.cmd.Wait() // the exit code is checked
	code, said := r.cmd.ProcessState.ExitCode(), r.messages.String()
	if code != exitInterrupted || said != "viewer: interrupted\n" {
		r.t.Errorf("%q: exit code %d after %q, want %d and only that it was interrupted",
			r.cmd.Args, code, said, exitInterrupted)
	}
	if left, err := os.ReadDir(r.temp); err != nil || len(left) > 0 {
		r.t.Errorf("%q leaves %v, error %v", r.cmd.Args, left, err)
	}
}
