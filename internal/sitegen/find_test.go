package sitegen

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// closedFS is a file system in which some files cannot be read.
type closedFS struct {
	fstest.MapFS
	closed string
}

func (f closedFS) ReadFile(name string) ([]byte, error) {
	if strings.Contains(name, f.closed) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return f.MapFS.ReadFile(name)
}

func (f closedFS) Open(name string) (fs.File, error) {
	if strings.Contains(name, f.closed) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return f.MapFS.Open(name)
}

const oneRecord = `{"type":"user","uuid":"11111111-aaaa-4111-8111-111111111111","message":{"role":"user","content":"One"}}`

// TestUnreadableFile: a file that cannot be read is named as a problem, and all others are built.
func TestUnreadableFile(t *testing.T) {
	source := closedFS{fstest.MapFS{
		"-w/open.jsonl":         {Data: []byte(oneRecord)},
		"-w/closed.jsonl":       {Data: []byte(oneRecord)},
		"-w/agent-closed.jsonl": {Data: []byte(oneRecord)},
	}, "closed"}
	out := t.TempDir()
	report, err := Build(context.Background(), Options{Sample: source, Out: out, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if report.Sessions != 1 {
		t.Errorf("%d sessions, want 1: the one that can be read", report.Sessions)
	}
	var got []string
	for _, p := range report.Problems {
		got = append(got, p.String())
	}
	want := "-w/closed.jsonl: permission denied\n-w/agent-closed.jsonl: permission denied"
	if strings.Join(got, "\n") != want {
		t.Errorf("problems\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	index, err := os.ReadFile(filepath.Join(out, "index.html"))
	if err != nil || !strings.Contains(string(index), "closed.jsonl") {
		t.Errorf("the index (error %v) does not name the unreadable file", err)
	}
}

// TestNothingReadable: if no file can be read, the build fails.
func TestNothingReadable(t *testing.T) {
	source := closedFS{fstest.MapFS{"-w/closed.jsonl": {Data: []byte(oneRecord)}}, "closed"}
	_, err := Build(context.Background(), Options{Sample: source, Out: t.TempDir(), Version: "test"})
	if err == nil || !strings.HasPrefix(err.Error(), "reading -w/closed.jsonl: ") {
		t.Errorf("Build() = %v, want an error that names the file", err)
	}
}
