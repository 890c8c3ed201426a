package state

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"viewer/internal/sitegen/output"
	"viewer/render"
)

// TestSpooledSession compares a session in a spool with the same one in memory.
func TestSpooledSession(t *testing.T) {
	drawn := render.Drawing{Summary: render.Summary{Folder: "a", Title: "Fix the parser", Notes: 3}}
	drawn.Ledger.Read = 7
	made := func() *Session { return NewSession("facts", []string{"s/a/index.html", "assets/x.css"}, &drawn) }
	spool := new(output.Spool)
	defer spool.Close()
	want, got := made(), made()
	got.Spool(spool)
	if _, err := spool.Put(make([]byte, 2<<20)); err != nil || !spool.InFile() {
		t.Fatalf("the spool is not in a file: %v", err)
	}
	if !got.Same(want) || !want.Same(got) || got.Encode() != want.Encode() {
		t.Errorf("the spool returns %q, want %q", got.Encode(), want.Encode())
	}
	if title := got.Summary().Title; title != "Fix the parser" {
		t.Errorf("got the title %q, want Fix the parser", title)
	}
	drawn.Ledger.Read = 8
	if got.Same(made()) {
		t.Error("a session with another ledger counts as the same")
	}
	if err := spool.Err(); err != nil {
		t.Error(err)
	}
}

// TestSpoolFails has a spool whose file cannot be read: its sessions are empty, and Err returns the reason.
func TestSpoolFails(t *testing.T) {
	spool := new(output.Spool)
	k := NewSession("", []string{"s/a/index.html"}, &render.Drawing{Summary: render.Summary{Folder: "a"}})
	k.Spool(spool)
	if _, err := spool.Put(make([]byte, 2<<20)); err != nil {
		t.Fatal(err)
	}
	spool.Close()
	if files := k.Outputs(); len(files) > 0 {
		t.Errorf("got %q from a closed file, want nothing", files)
	}
	if spool.Err() == nil {
		t.Error("Err() = nil, want the reason")
	}
}

// TestSpoolWithoutFolder: without a folder for temporary files, sessions stay in memory, including those put before.
func TestSpoolWithoutFolder(t *testing.T) {
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, filepath.Join(t.TempDir(), "missing"))
	}
	spool := new(output.Spool)
	defer spool.Close()
	early, err := spool.Put([]byte("early"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := spool.Put(make([]byte, 2<<20)); err == nil {
		t.Fatal("a spool in memory accepts 2 MB, want an error")
	}
	if runtime.GOOS != "windows" { // where TMP is taken as it is
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		t.Setenv("TMPDIR", file)
		want := "no folder " + file + " for temporary files"
		if _, err := new(output.Spool).Put(make([]byte, 2<<20)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("with a file for temporary files: got %v, want %q", err, want)
		}
	}
	if data, err := spool.Get(early); err != nil || string(data) != "early" {
		t.Errorf("got %q, %v, want early", data, err)
	}
	k := NewSession("", nil, &render.Drawing{Summary: render.Summary{Title: "Fix the parser"}})
	k.Spool(spool)
	if title := k.Summary().Title; title != "Fix the parser" || spool.Err() != nil {
		t.Errorf("got the title %q, error %v, want Fix the parser", title, spool.Err())
	}
}
