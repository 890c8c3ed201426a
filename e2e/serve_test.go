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

// A served site is shown by viewer serve, from a folder of sources that a test changes.
type served struct {
	source, site string
	address      string // http://127.0.0.1:4880/
	process      *exec.Cmd
	output       *bytes.Buffer
	flags        []string // more flags of the command
}

// newServed creates a folder of sources with one project and no session.
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

// append appends a whole line to a session file at once, as the program does.
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

// start starts viewer serve, at the previous address if there was one.
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
	s.output = new(bytes.Buffer)
	s.process = exec.Command(command, append([]string{"serve", s.source, "-o", s.site, "--port", port}, s.flags...)...)
	s.process.Stderr = s.output
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
		t.Fatalf("viewer serve: %v\n%s", err, s.output)
	}
	s.address = strings.TrimSpace(line)
	go io.Copy(io.Discard, out)
}

// stop interrupts the server as Ctrl-C does. It does not wait for the minutes that a request may take.
func (s *served) stop(t testing.TB) {
	t.Helper()
	began := time.Now()
	if err := s.process.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	s.process.Wait()
	if code := s.process.ProcessState.ExitCode(); code != 130 || time.Since(began) > 20*time.Second {
		t.Errorf("after Ctrl-C: got exit code %d after %v\n%s", code, time.Since(began), s.output)
	}
}
