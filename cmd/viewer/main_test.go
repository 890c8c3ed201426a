package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/rogpeppe/go-internal/testscript"

	"viewer/internal/facts"
	"viewer/internal/markup"
	"viewer/internal/program"
	"viewer/internal/sitegen"
	"viewer/internal/testing/corpus"
	"viewer/internal/testing/scratch"
)

func TestMain(m *testing.M) {
	// With the race detector a program sleeps for a second before it exits, which would slow down hundreds of runs.
	os.Setenv("GORACE", strings.TrimSpace(os.Getenv("GORACE")+" atexit_sleep_ms=0"))
	testscript.Main(cleanup{m}, map[string]func(){"viewer": mainWithoutFaults})
}

// mainWithoutFaults is main, but exits with 99 if a panic was recovered.
func mainWithoutFaults() {
	code := run(os.Args[1:])
	if n := sitegen.Faults() + markup.Recovered() + program.Recovered(); n > 0 {
		fmt.Fprintf(os.Stderr, "FAIL: %d panics\n", n)
		code = 99
	}
	os.Exit(code)
}

// cleanup runs the tests without the settings of the user, and then removes the folder of builtProgram.
type cleanup struct{ *testing.M }

func (m cleanup) Run() int {
	scratch.InMemory()
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "VIEWER_") && name != corpus.All && name != "VIEWER_TORTURE" {
			os.Unsetenv(name)
		}
	}
	code := m.M.Run()
	if programFolder != "" {
		os.RemoveAll(programFolder)
	}
	return code
}

// builtProgram returns the path of the program as go install builds it from a clone, in a folder that any user may
// read. It is built once.
func builtProgram(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("the built program has no race detector, so this test runs without it")
	}
	viewer, err := buildProgram()
	if err != nil {
		t.Fatal(err)
	}
	return viewer
}

var programFolder string

var buildProgram = sync.OnceValues(func() (string, error) {
	var err error
	if programFolder, err = os.MkdirTemp("", "viewer-tests-"); err != nil {
		return "", err
	}
	if err := os.Chmod(programFolder, 0o755); err != nil {
		return "", err
	}
	viewer := filepath.Join(programFolder, "viewer")
	install := exec.Command("go", "install", "./cmd/viewer")
	install.Dir, install.Env = "../..", append(os.Environ(), "GOBIN="+programFolder)
	if out, err := install.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return viewer, os.Chmod(viewer, 0o755)
})

// TestScript runs the program as a user does. The name of a script is its subject.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			t.Cleanup(func() { os.Remove(filepath.Dir(e.WorkDir)) }) // which is left if -run takes only some scripts
			home := filepath.Join(e.WorkDir, "home")
			e.Setenv("HOME", home)
			e.Setenv("USERPROFILE", home) // for Windows, like the next two
			e.Setenv("AppData", filepath.Join(home, ".config"))
			e.Setenv("LocalAppData", filepath.Join(home, ".cache"))
			e.Setenv("GORACE", os.Getenv("GORACE"))
			e.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			return os.MkdirAll(home, 0o755)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			// Write a file of allowed signers with the key of mara.
			"signers": func(ts *testscript.TestScript, _ bool, args []string) {
				key := ts.ReadFile(args[0])
				ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte("mara@example.org "+key), 0o644))
			},
			"sleep": func(ts *testscript.TestScript, _ bool, args []string) {
				d, err := time.ParseDuration(strings.Join(args, " "))
				ts.Check(err)
				time.Sleep(d)
			},
			"exits":  exits,
			"encode": encode,
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "parquet":
				return facts.Parquet() != nil, nil
			case "full":
				return corpus.Full(), nil
			}
			return false, fmt.Errorf("unknown condition %s", name)
		},
		UpdateScripts:       os.Getenv("UPDATE") != "",
		RequireExplicitExec: true,
	})
}

// exits runs a program that must exit with a code: exits 3 viewer report ...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARG...]")
	}
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		ended := (*exec.ExitError)(nil)
		if !errors.As(err, &ended) {
			ts.Fatalf("%v", err)
		}
		code = ended.ExitCode()
	}
	if want, err := strconv.Atoi(args[0]); err != nil || code != want {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// encode writes a file in another form: encode utf16 FROM TO writes UTF-16 as PowerShell does, encode gzip FROM TO
// compresses, encode truncated FROM TO writes the first half, and encode beginning FROM TO the first bytes.
func encode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: encode FORM FROM TO")
	}
	data := []byte(ts.ReadFile(args[1]))
	var b bytes.Buffer
	switch args[0] {
	case "utf16":
		for _, unit := range utf16.Encode([]rune("\ufeff" + string(data))) {
			b.Write([]byte{byte(unit), byte(unit >> 8)})
		}
	case "gzip":
		w := gzip.NewWriter(&b)
		_, err := w.Write(data)
		ts.Check(errors.Join(err, w.Close()))
	case "truncated":
		b.Write(data[:len(data)/2])
	case "beginning": // of which nothing can be unpacked
		b.Write(data[:4])
	default:
		ts.Fatalf("unknown form %s", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), b.Bytes(), 0o644))
}
