package state

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"viewer/internal/fingerprint"
	"viewer/internal/insights"
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

// TestLeftInFile reads a state: what few builds decode stays in its file, also when that is replaced. It is copied if
// the spool has other data.
func TestLeftInFile(t *testing.T) {
	s := newStoredSite(t)
	drawn := render.Drawing{
		Summary: render.Summary{Folder: "a", Title: "Fix the parser"}, Files: []render.ChangedFile{{Path: "parser.go"}},
		Insights: insights.Session{Rows: []insights.Row{{Name: "go test", Count: 2}}},
	}
	want, total := NewSession("facts", []string{"s/a/index.html"}, &drawn), new(insights.Total)
	total.Add(0, &drawn.Insights)
	id, written := fingerprint.Digest{7}, New(fingerprint.Digest{1})
	written.Sessions[id], written.InsightSums[id] = want, NewInsightSum(total)
	for _, c := range []struct {
		what   string
		same   bool   // the program is the same
		before string // data in the spool
		kept   int    // bytes in memory
	}{
		{"in the file", true, "", int(want.details.ends[ledgerDetail])},
		{"in the file of another program", false, "", 0},
		{"copied", true, "other data", int(want.details.ends[ledgerDetail])},
	} {
		if err := written.Write(s.out, nil); err != nil {
			t.Fatal(err)
		}
		spool := s.spool()
		if _, err := spool.Put([]byte(c.before)); err != nil {
			t.Fatal(err)
		}
		base := written.Base
		if !c.same {
			base = fingerprint.Digest{2}
		}
		k := Read(s.out, base)
		k.ReadSessions(s.out, spool)
		if err := New(written.Base).Write(s.out, nil); err != nil { // replaces the file
			t.Fatal(err)
		}
		got := k.Sessions[id]
		if got == nil || len(got.details.memory) != c.kept {
			t.Fatalf("%s: read %+v, want %d bytes of its details in memory", c.what, got, c.kept)
		}
		if got.details.all() != want.details.all() || got.Title() != "Fix the parser" ||
			!reflect.DeepEqual(got.Files(), drawn.Files) || !reflect.DeepEqual(got.Insights(nil), drawn.Insights) {
			t.Errorf("%s: the details are %q, want %q", c.what, got.details.all(), want.details.all())
		}
		sum, is := k.InsightSums[id]
		if is != c.same || is && (sum.memory != "" || sum.all() != encodeTotal(total)) {
			t.Errorf("%s: read the sum %+v, want one in the spool if the program is the same", c.what, sum)
		}
		if err := spool.Err(); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
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
