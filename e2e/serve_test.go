package e2e

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A served site is one that viewer serve shows, of a folder of sources that a test changes.
type served struct {
	source, site string
	address      string // http://127.0.0.1:4880/
	process      *exec.Cmd
	said         *bytes.Buffer
	flags        []string // more of the command
}

// newServed makes a folder of sources with one project, and no session in it yet.
func newServed(t testing.TB) *served {
	t.Helper()
	dir := t.TempDir()
	s := &served{source: filepath.Join(dir, "projects"), site: filepath.Join(dir, "site")}
	if err := os.MkdirAll(filepath.Join(s.source, "-home-mara-tides"), 0o755); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *served) file(name string) string { return filepath.Join(s.source, "-home-mara-tides", name) }

// append writes to the end of a session file, as the program does: a whole line at once.
func (s *served) append(t testing.TB, name string, text []byte) {
	t.Helper()
	f, err := os.OpenFile(s.file(name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = f.Write(text)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// start has the command serve, at the address of before if there was one.
func (s *served) start(t testing.TB) {
	t.Helper()
	command, err := buildCommand()
	if err != nil {
		t.Fatal(err)
	}
	port := "0"
	if s.address != "" {
		port = strings.TrimSuffix(s.address[strings.LastIndexByte(s.address, ':')+1:], "/")
	}
	s.said = new(bytes.Buffer)
	s.process = exec.Command(command, append([]string{"serve", s.source, "-o", s.site, "--port", port}, s.flags...)...)
	s.process.Stderr = s.said
	out, err := s.process.StdoutPipe()
	if err == nil {
		err = s.process.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	process := s.process
	t.Cleanup(func() { process.Process.Kill(); process.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		process.Wait()
		t.Fatalf("viewer serve: %v\n%s", err, s.said)
	}
	s.address = strings.TrimSpace(line)
	go io.Copy(io.Discard, out)
}

// stop ends the server as Ctrl-C does.
func (s *served) stop(t testing.TB) {
	t.Helper()
	began := time.Now()
	if err := s.process.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	s.process.Wait()
	if code := s.process.ProcessState.ExitCode(); code != 130 || time.Since(began) > 2*time.Second {
		t.Errorf("after Ctrl-C: exit code %d in %v\n%s", code, time.Since(began), s.said)
	}
}
