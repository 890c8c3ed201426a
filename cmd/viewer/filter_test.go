package main

import (
	"os"
	"path"
	"path/filepath"
	"testing"
)

func TestProjectPath(t *testing.T) {
	here := filepath.Join(t.TempDir(), "a[b", "c")
	if err := os.MkdirAll(here, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(here)
	t.Setenv("HOME", "/home/mara")
	t.Setenv("USERPROFILE", "/home/mara")
	for pattern, want := range map[string]string{
		".": here, "./": here, "..": filepath.Dir(here), "./x/*": filepath.Join(here, "x", "y"),
		"~/tides": "/home/mara/tides",
		"tides":   "tides", "/work/*": "/work/*", "-home-mara-*": "-home-mara-tides", ".tides": ".tides",
		`C:\work\tides`: "C:/work/tides",
	} {
		got := projectPath(pattern)
		if ok, err := path.Match(got, filepath.ToSlash(want)); err != nil || !ok && got != want {
			t.Errorf("projectPath(%q) = %q, which does not match %q (%v)", pattern, got, want, err)
		}
	}
}
