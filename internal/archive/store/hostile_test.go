package store

import (
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"viewer/internal/archive"
)

// TestHostileManifest: records that somebody made up are reported, or their content is. Nothing panics, takes memory
// that nothing needs, goes on for ever, or writes outside of its folder.
func TestHostileManifest(t *testing.T) {
	content := []byte("one\ntwo\n")
	frame, packed := archive.Pack(content)
	frame.Stream = archive.StreamName(frame.Sum, 0)
	good := func() archive.Record {
		return archive.Record{
			Machine: "m", Folder: "/home/mara/projects", Path: "-w/a.jsonl", Size: frame.To, Sum: frame.Sum,
			Parts: []archive.Part{{Stream: frame.Stream, To: frame.To}}, Frames: []archive.Frame{frame},
		}
	}
	empty := sha256.Sum256(nil)
	for name, change := range map[string]func(*archive.Record){
		"a frame of a size that no memory has": func(r *archive.Record) { r.Frames[0].Packed = math.MaxInt64 / 2 },
		"fewer lines than none":                func(r *archive.Record) { r.Frames[0].Lines = -5 },
		"more lines than numbers":              func(r *archive.Record) { r.Frames[0].Lines = math.MaxInt64 },
		"an empty frame": func(r *archive.Record) {
			f := r.Frames[0]
			f.To = 0
			f.Sum = empty
			rest := r.Frames[0]
			rest.At = f.Packed
			r.Frames = []archive.Frame{f, rest}
		},
		"more content than there is": func(r *archive.Record) {
			r.Frames[0].To, r.Parts[0].To, r.Size = 1000, 1000, 1000
		},
		"less content than there is":   func(r *archive.Record) { r.Frames[0].To, r.Parts[0].To, r.Size = 3, 3, 3 },
		"a part of nothing":            func(r *archive.Record) { r.Parts[0].Stream = archive.StreamName(empty, 1) },
		"a part behind the end":        func(r *archive.Record) { r.Parts[0].From, r.Parts[0].To = 8, 16 },
		"a part from behind to before": func(r *archive.Record) { r.Parts[0].From, r.Size = 16, -8 },
		"a stream in another folder":   func(r *archive.Record) { r.Frames[0].Stream = "../../../../etc/passwd.zst" },
		"a path upwards":               func(r *archive.Record) { r.Path = "../../../up.jsonl" },
		"a path upwards in the middle": func(r *archive.Record) { r.Path = "-w/../../../../up.jsonl" },
		"an absolute path":             func(r *archive.Record) { r.Path = "/up.jsonl" },
		"no path":                      func(r *archive.Record) { r.Path = "" },
		"a folder upwards":             func(r *archive.Record) { r.Folder = "/../../../.." },
		"a machine upwards":            func(r *archive.Record) { r.Machine = "../.." },
		"a machine in the root":        func(r *archive.Record) { r.Machine = "/" },
		"a name with a zero":           func(r *archive.Record) { r.Path = "a\x00b.jsonl" },
		"a folder of Windows":          func(r *archive.Record) { r.Folder = `C:\..\..` },
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "kept")
			var chain archive.Chain
			r := good()
			change(&r)
			manifest := chain.Append(nil, archive.Record{Format: archive.Format})
			manifest = chain.Append(manifest, r)
			stream := filepath.Join(dir, filepath.FromSlash(archive.StreamPath(frame.Stream)))
			if err := os.MkdirAll(filepath.Dir(stream), 0o700); err != nil {
				t.Fatal(err)
			}
			writeFile(t, stream, append(append([]byte{}, packed...), packed...))
			writeFile(t, filepath.Join(dir, archive.ManifestName), manifest)
			readHostile(t, dir)
		})
	}
}

// readHostile does all that is done with an archive, and demands that nothing is written outside of a folder.
func readHostile(t *testing.T, dir string) {
	t.Helper()
	a, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if err := a.Verify(t.Context(), func(Flaw) {}); err != nil {
		t.Error(err)
	}
	outer := t.TempDir()
	restored := filepath.Join(outer, "a", "b", "c", "restored")
	if err := os.MkdirAll(restored, 0o700); err != nil {
		t.Fatal(err)
	}
	to, err := os.OpenRoot(restored)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	for _, k := range a.Keys() {
		for _, r := range a.Files[k] {
			c := a.Content(r)
			text, err := io.ReadAll(c)
			if err == nil && int64(len(text)) != r.Size {
				t.Errorf("%d bytes are read of %d, and nobody says so", len(text), r.Size)
			}
			c.Close()
			_, _, _ = a.Restore(to, r, "")
		}
	}
	for _, files := range a.Folders() {
		for _, p := range files.Paths {
			f, err := files.Open(p)
			if err != nil {
				t.Error(err)
				continue
			}
			_, _ = io.Copy(io.Discard, f)
			f.Close()
		}
	}
	for at := filepath.Dir(restored); at != filepath.Dir(outer); at = filepath.Dir(at) {
		if entries, err := os.ReadDir(at); err != nil || len(entries) != 1 {
			t.Errorf("%s has %d entries, %v", at, len(entries), err)
		}
	}
}

// TestRestorePrivate: what is restored can be read by its owner only, as the archive, and goes nowhere by a link.
func TestRestorePrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	dir, out := filepath.Join(t.TempDir(), "kept"), t.TempDir()
	mustAdd(t, dir, logOf("a/b.jsonl", "one\n"))
	a, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	to, err := os.OpenRoot(out)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	r := a.Newest(a.Keys()[0])
	name, _, err := a.Restore(to, r, "")
	if err != nil {
		t.Fatal(err)
	}
	for at := name; at != out; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", at, info.Mode(), err)
		}
	}
	outside := t.TempDir()
	writeFile(t, filepath.Join(outside, "b.jsonl"), []byte("of others"))
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	for at, link := range map[string]string{name: filepath.Join(outside, "b.jsonl"), filepath.Dir(name): outside} {
		if err := os.Remove(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		if err := os.Symlink(link, at); err != nil {
			t.Skip(err)
		}
		if _, _, err := a.Restore(to, r, ""); err == nil {
			t.Errorf("a link at %s was followed or replaced", at)
		}
		if err := os.Remove(at); err != nil {
			t.Fatal(err)
		}
	}
	if string(readFile(t, filepath.Join(outside, "b.jsonl"))) != "of others" {
		t.Error("a file of others was changed")
	}
}
