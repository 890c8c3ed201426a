package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// checker returns the path of a file that .ci/checkers downloads. Without it the test is skipped, but fails in
// continuous integration, where nobody would notice a skipped test.
func checker(t testing.TB, name string) string {
	t.Helper()
	file := filepath.Join("node_modules", filepath.FromSlash(name))
	if _, err := os.Stat(file); err != nil {
		lacks(t, "%s is not there: run make checkers at the root", name)
	}
	return file
}

// program returns the path of a program that a checker needs.
func program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		lacks(t, "%s is not installed: run make checkers at the root", name)
	}
	return path
}

func lacks(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}
