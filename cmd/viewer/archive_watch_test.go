//go:build unix

package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"viewer/internal/archive/store"
)

// archivedText returns the newest version of a file in an archive, or "" if there is none.
func archivedText(t *testing.T, dir, path string) string {
	a, err := store.Open(t.Context(), dir)
	if err != nil { // the first line of the archive is not written yet
		return ""
	}
	defer a.Close()
	for _, k := range a.Keys() {
		if k.Path == path {
			c := a.Content(a.Newest(k))
			defer c.Close()
			text, err := io.ReadAll(c)
			if err != nil {
				t.Error(err)
			}
			return string(text)
		}
	}
	return ""
}

// TestArchiveWatch checks that viewer archive --watch archives changes soon and prints nothing about them. It must
// continue after a run that was killed, and after another process has released the archive.
func TestArchiveWatch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := sources{t, filepath.Join(dir, "projects")}
	s.write(one, promptLine(1))
	out := filepath.Join(dir, "kept")
	follow := []string{"archive", s.dir, "-o", out, "--machine", "m", "--watch", "--every", "10ms"}
	r := startProgram(t, "watching for changes", follow...)
	current := func(what, name string) {
		t.Helper()
		want := s.read(name)
		r.await("to archive "+what, func() bool { return archivedText(t, out, name) == want })
	}
	current("what there was", one)
	s.append(one, promptLine(2))
	current("an append", one)
	s.append(two, promptLine(3))
	current("a new session", two)
	s.append(spill, "a long output\n")
	current("a new file of it", spill)
	if text := strings.Count(r.messages(), "\n"); text != 2 {
		t.Errorf("got %d lines of messages, want 2:\n%s", text, r.messages())
	}
	if err := r.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = r.cmd.Wait()
	s.append(one, promptLine(4))

	// Another process holds the archive.
	w, err := store.Create(t.Context(), out)
	if err != nil {
		t.Fatal(err)
	}
	r = startProgram(t, "another viewer archives into", follow...)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	current("what was appended in between", one)
	r.await("to go on", func() bool { return strings.Contains(r.messages(), "watching for changes") })
	if w, err = store.Create(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	n := strings.Count(r.messages(), "another viewer archives into")
	s.append(two, promptLine(5))
	r.await("to say that it waits", func() bool {
		return strings.Count(r.messages(), "another viewer archives into") > n
	})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	current("when it has the archive again", two)
	r.await("to say so", func() bool { return strings.Contains(r.messages(), "the archive is up to date again") })

	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = r.cmd.Wait()
	if code := r.cmd.ProcessState.ExitCode(); code != exitInterrupted {
		t.Errorf("after SIGTERM: exit code %d, want %d\n%s", code, exitInterrupted, r.messages())
	}
	if output, err := exec.Command("viewer", "archive", "verify", out, s.dir).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}

// TestArchiveWatchEmpty: with --watch the default folders may have no session yet, but a folder that is named must have
// one.
func TestArchiveWatchEmpty(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	s := sources{t, filepath.Join(home, ".claude", "projects")}
	out := filepath.Join(home, "kept")
	r := &process{t: t, cmd: exec.Command("viewer", "archive", "-o", out, "--watch", "--every", "10ms")}
	r.cmd.Env = append(os.Environ(), "HOME="+home, "CLAUDE_CONFIG_DIR=")
	r.start("watching for changes")
	if !strings.Contains(r.messages(), "no sessions in "+s.dir+" yet: waiting for the first") {
		t.Errorf("got messages\n%s\nwant that it waits for the first session", r.messages())
	}
	s.append(one, promptLine(1))
	r.await("to archive the first", func() bool { return archivedText(t, out, one) == promptLine(1) })
	r.stop()

	s.check(os.MkdirAll(filepath.Join(home, "none"), 0o755))
	output, err := exec.Command("viewer", "archive", filepath.Join(home, "none"), "-o", out, "--watch").CombinedOutput()
	if err == nil || !strings.Contains(string(output), "no sessions in "+filepath.Join(home, "none")) {
		t.Errorf("a named folder without sessions: %v, want an error that names it\n%s", err, output)
	}
}
