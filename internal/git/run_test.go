package git

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"viewer/internal/testing/plaingit"
)

// repository creates a repository with two commits of a file, and with settings that would start a program. It returns
// the folder, and the file that the program would create.
func repository(t *testing.T) (dir, mark string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	plaingit.Use(t)
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+who+"_DATE", "2026-05-12T10:00:00Z")
	}
	dir = t.TempDir()
	mark = filepath.Join(t.TempDir(), "started")
	program := filepath.Join(t.TempDir(), "program")
	write(t, program, "#!/bin/sh\ntouch '"+mark+"'\ncat\n", 0o755)
	must(t, Transfer, dir, "init", "--quiet", "--initial-branch=main")
	write(t, filepath.Join(dir, "tide.go"), "package tide\n", 0o644)
	must(t, Transfer, dir, "add", ".")
	must(t, Transfer, dir, "commit", "--quiet", "-m", "Begin")
	must(t, Transfer, dir, "mv", "tide.go", "moon.go")
	must(t, Transfer, dir, "commit", "--quiet", "-m", "Call it moon")
	for _, setting := range []string{"core.fsmonitor", "core.pager", "diff.external", "diff.own.textconv",
		"gpg.program"} {
		must(t, Transfer, dir, "config", setting, program)
	}
	must(t, Transfer, dir, "config", "log.showSignature", "true")
	write(t, filepath.Join(dir, ".gitattributes"), "*.go diff=own\n", 0o644)
	for _, hook := range []string{"pre-commit", "post-checkout", "post-index-change", "reference-transaction"} {
		write(t, filepath.Join(dir, ".git", "hooks", hook), "#!/bin/sh\ntouch '"+mark+"'\n", 0o755)
	}
	return dir, mark
}

func write(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func must(t *testing.T, policy Policy, dir string, args ...string) string {
	t.Helper()
	out, err := Run(t.Context(), policy, dir, args...)
	if err != nil {
		t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return out
}

// TestNoProgramStarts: neither policy starts programs that the settings of a repository name.
func TestNoProgramStarts(t *testing.T) {
	dir, mark := repository(t)
	file := ReadFile(t.Context(), filepath.Join(dir, "moon.go"))
	if file.Root == "" || file.Revision == "" || len(file.Names) != 1 || len(file.lines) != 1 {
		t.Errorf("got facts of the file %+v", file)
	}
	if all, err := Log(t.Context(), dir, "HEAD~1..HEAD"); err != nil || len(all) != 1 ||
		all[0].Subject != "Call it moon" {
		t.Errorf("got the log %+v, error %v", all, err)
	}
	if all := WorkTrees(t.Context(), dir); len(all) != 1 {
		t.Errorf("got worktrees %q, want 1", all)
	}
	must(t, Read, dir, "status", "--porcelain")
	write(t, filepath.Join(dir, "ebb.go"), "package tide\n", 0o644)
	must(t, Transfer, dir, "add", ".")
	must(t, Transfer, dir, "commit", "--quiet", "-m", "Add the ebb")
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program of the repository was started")
	}
	if err := exec.Command("git", "-C", dir, "status").Run(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(mark); err != nil {
		t.Error("git without the policies does not start the program either, so this test proves nothing")
	}
}

// TestPolicies: only Transfer may fetch, and only Transfer ignores the repository of the environment.
func TestPolicies(t *testing.T) {
	dir, _ := repository(t)
	other := t.TempDir()
	must(t, Transfer, other, "init", "--quiet")
	if _, err := Run(t.Context(), Read, other, "fetch", "--quiet", "--", dir, "main"); err == nil {
		t.Error("fetch succeeds with the policy Read, want an error")
	}
	must(t, Transfer, other, "fetch", "--quiet", "--", dir, "main")

	t.Setenv("GIT_DIR", filepath.Join(dir, ".git"))
	if got := must(t, Transfer, other, "rev-parse", "--git-dir"); got != ".git\n" {
		t.Errorf("Transfer uses the repository %q", got)
	}
	if got := must(t, Read, other, "rev-parse", "--git-dir"); got != filepath.Join(dir, ".git")+"\n" {
		t.Errorf("Read uses the repository %q", got)
	}
	for policy, want := range map[Policy]bool{Read: true, Transfer: false} {
		if got := slices.Contains(environment(policy), "GIT_TERMINAL_PROMPT=0"); got != want {
			t.Errorf("policy %d: GIT_TERMINAL_PROMPT=0 is set: %v, want %v", policy, got, want)
		}
	}
}

// TestTransferKeepsBytes: files are committed byte for byte, whatever the settings of the repository are.
func TestTransferKeepsBytes(t *testing.T) {
	dir, _ := repository(t)
	must(t, Transfer, dir, "config", "core.autocrlf", "true")
	attributes := filepath.Join(t.TempDir(), "attributes")
	write(t, attributes, "* text eol=crlf\n", 0o644)
	must(t, Transfer, dir, "config", "core.attributesFile", attributes)
	must(t, Transfer, dir, "config", "core.excludesFile", attributes)
	const text = "one\r\ntwo\n"
	write(t, filepath.Join(dir, "lines.txt"), text, 0o644)
	must(t, Transfer, dir, "add", "lines.txt")
	if got := must(t, Transfer, dir, "cat-file", "blob", ":lines.txt"); got != text {
		t.Errorf("%q is committed as %q", text, got)
	}
}

func TestErrors(t *testing.T) {
	dir, _ := repository(t)
	if _, err := Run(t.Context(), Read, dir, "cat-file", "blob", "none"); err == nil ||
		err.Error() != "Not a valid object name none" {
		t.Errorf("a missing object: got error %v", err)
	}
	if _, err := Run(t.Context(), Read, dir, "rev-parse", "--verify", "--quiet", "none"); err == nil {
		t.Error("git fails without a message: got no error")
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Run(stopped, Read, dir, "version"); !errors.Is(err, context.Canceled) {
		t.Errorf("with a canceled context: got error %v", err)
	}
	t.Setenv("PATH", "")
	if _, err := Run(t.Context(), Transfer, dir, "version"); !errors.Is(err, ErrNotInstalled) {
		t.Errorf("without git: got error %v, want ErrNotInstalled", err)
	}
}
