package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// builtSite returns the folder of the site of all test sessions, built once by the command.
func builtSite(t testing.TB) string {
	t.Helper()
	return mustBuild(t, buildSite)
}

// longSite returns the folder of the site of one invented session with at least five pages, one of them of an agent.
func longSite(t testing.TB) string {
	t.Helper()
	return mustBuild(t, buildLongSite)
}

func mustBuild(t testing.TB, site func() (string, error)) string {
	t.Helper()
	dir, err := site()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

var buildSite = sync.OnceValues(func() (string, error) {
	from, err := filepath.Abs(*source)
	if err != nil {
		return "", err
	}
	return build("site", from)
})

var buildLongSite = sync.OnceValues(func() (string, error) {
	from := filepath.Join(work, "long")
	// With this seed page 3 has a prompt, and calls inside of closed details.
	if err := goRun("generating a long session", "go", "run", "./internal/testing/corpusgen/gen", "-huge", "-seed", "5",
		"-mb", "3", "-o", from); err != nil {
		return "", err
	}
	return build("longsite", from)
})

// bigSite returns the folder of the site of 50 MB of invented sessions.
func bigSite(t testing.TB) string {
	t.Helper()
	return mustBuild(t, buildBigSite)
}

var buildBigSite = sync.OnceValues(func() (string, error) {
	from := filepath.Join(work, "big")
	if err := goRun("generating 50 MB of sessions", "go", "run", "./internal/testing/corpusgen/gen", "-mb", "50", "-o",
		from); err != nil {
		return "", err
	}
	return build("bigsite", from)
})

// sessionSite builds a site of one session, and returns the address of its page in it.
func sessionSite(t testing.TB, id, log string) (root, page string) {
	t.Helper()
	from := filepath.Join(work, id, "-home-ada-pier")
	err := os.MkdirAll(from, 0o755)
	if err == nil {
		err = os.WriteFile(filepath.Join(from, id+".jsonl"), []byte(log), 0o644)
	}
	if err == nil {
		root, err = build("site-"+id, filepath.Dir(from))
	}
	if err != nil {
		t.Fatal(err)
	}
	return root, "s/" + id + "/index.html"
}

// build builds a site in the working folder of this run.
func build(name, from string) (string, error) {
	if _, err := os.Stat(from); err != nil {
		return "", fmt.Errorf("no sessions to build a site from: %w", err)
	}
	site := filepath.Join(work, name)
	return site, runViewer("build", from, "-o", site)
}

var buildCommand = sync.OnceValues(func() (string, error) {
	command := filepath.Join(work, "viewer")
	return command, goRun("building the command", "go", "build", "-o", command, "./cmd/viewer")
})

// runViewer runs the command at the root of the repository.
func runViewer(args ...string) error {
	command, err := buildCommand()
	if err != nil {
		return err
	}
	return goRun("viewer "+strings.Join(args, " "), command, args...)
}

// goRun runs a command at the root of the repository.
func goRun(what, name string, args ...string) error {
	command := exec.Command(name, args...)
	command.Dir = ".."
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", what, err, out)
	}
	return nil
}
