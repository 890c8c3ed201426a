package store

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"viewer/internal/archive"
)

// TestHostileManifest: forged records, or their contents, are reported. Nothing panics, allocates memory without need,
// runs forever, or writes outside of its folder.
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
		"less content than there is": func(r *archive.Record) { r.Frames[0].To, r.Parts[0].To, r.Size = 3, 3, 3 },
		"a part of nothing":          func(r *archive.Record) { r.Parts[0].Stream = archive.StreamName(empty, 1) },
		"a part after the end":       func(r *archive.Record) { r.Parts[0].From, r.Parts[0].To = 8, 16 },
		"a part of negative size":    func(r *archive.Record) { r.Parts[0].From, r.Size = 16, -8 },
		"the same part twice": func(r *archive.Record) {
			r.Parts, r.Size = append(r.Parts, r.Parts[0]), 2*r.Size
		},
		"parts that overlap": func(r *archive.Record) {
			r.Parts = []archive.Part{{Stream: frame.Stream, To: 5}, {Stream: frame.Stream, From: 4, To: 8}}
			r.Size = 9
		},
		"the sum of another content":   func(r *archive.Record) { r.Sum = empty },
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

// readHostile performs all operations on an archive, and checks that nothing is written outside of a folder.
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
				t.Errorf("got %d bytes of %d without an error", len(text), r.Size)
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
			t.Errorf("%s has %d entries, error %v, want 1", at, len(entries), err)
		}
	}
}

// TestClaimedSizes: a manifest that claims much more content than the archive has takes no memory or space on the disk
// for it. Each file that cannot be restored is named, with the cause.
func TestClaimedSizes(t *testing.T) {
	whole, packed := archive.Pack(bytes.Repeat([]byte("0123456789abcdef"), archive.FrameSize/16))
	const checks = 8 + 2                                   // bytes of the sum of its line
	bomb := bytes.Repeat(packed[:len(packed)-checks], 256) // 1 GB that zstd packs into some KB
	stream := archive.StreamName(whole.Sum, 0)
	record := func(path string, frames []archive.Frame, parts ...archive.Part) archive.Record {
		r := archive.Record{Machine: "m", Folder: "/w", Path: path, Sum: whole.Sum, Parts: parts, Frames: frames}
		for _, p := range parts {
			r.Size += p.To - p.From
		}
		return r
	}
	part := func(n int64) archive.Part { return archive.Part{Stream: stream, To: n * archive.FrameSize} }
	for name, c := range map[string]struct {
		records func(yield func(archive.Record) bool)
		data    []byte
		cause   string // in the error of each file that is not restored
		faults  int
		files   int // restored
	}{
		"1 TB in frames that are not there": {
			records: func(yield func(archive.Record) bool) {
				const n = 1 << 18
				yield(record("a.jsonl", framesOf(whole, n, whole.Packed), part(n)))
			},
			data: packed, cause: stream + ".zst: it cannot be unpacked: it is shorter than it was",
		},
		"1 TB in one frame": {
			records: func(yield func(archive.Record) bool) {
				f := framesOf(whole, 1, whole.Packed)
				f[0].To = 1 << 40
				yield(record("a.jsonl", f, archive.Part{Stream: stream, To: 1 << 40}))
			},
			data: packed, faults: 1,
		},
		"1 TB in the same frame again and again": {
			records: func(yield func(archive.Record) bool) {
				again := slices.Repeat([]archive.Part{part(1)}, 1<<18)
				yield(record("a.jsonl", framesOf(whole, 1, whole.Packed), again...))
			},
			data: packed, faults: 1,
		},
		"parts of nothing": {
			records: func(yield func(archive.Record) bool) {
				r := record("a.jsonl", framesOf(whole, 1, whole.Packed), part(1))
				r.Parts = append(r.Parts, slices.Repeat([]archive.Part{{Stream: stream}}, 1<<16)...)
				yield(r)
			},
			data: packed, faults: 1,
		},
		"a path of a million folders": {
			records: func(yield func(archive.Record) bool) {
				yield(record(strings.Repeat("a/", 1<<20)+"a.jsonl", framesOf(whole, 1, whole.Packed), part(1)))
			},
			data: packed, faults: 1,
		},
		"many small files that are not there": {
			records: func(yield func(archive.Record) bool) {
				f := framesOf(whole, 1, whole.Packed)
				f[0].Sum = sha256.Sum256(nil)
				for i := range int64(2000) {
					r := record(fmt.Sprint(i, ".jsonl"), f, archive.Part{Stream: stream, From: i, To: i + 1})
					f = nil
					yield(r)
				}
			},
			data: packed[:100], cause: stream + ".zst: it cannot be unpacked: it is shorter than it was",
		},
		"a frame that unpacks to 1 GB": {
			records: func(yield func(archive.Record) bool) {
				f := framesOf(whole, 1, int64(len(bomb)))
				yield(record("a.jsonl", f, part(1)))
			},
			data: bomb, cause: stream + ".zst: it cannot be unpacked: ",
		},
		"another file in frames that are whole": {
			records: func(yield func(archive.Record) bool) {
				r := record("a.jsonl", framesOf(whole, 1, whole.Packed), part(1))
				r.Frames[0].Sum, r.Sum = r.Sum, sha256.Sum256(nil)
				yield(r)
			},
			data: packed, cause: "a.jsonl: its content differs from the manifest",
		},
		"what is there": {
			records: func(yield func(archive.Record) bool) {
				yield(record("a.jsonl", framesOf(whole, 1, whole.Packed), part(1)))
			},
			data: packed, files: 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "kept")
			var chain archive.Chain
			manifest := chain.Append(nil, archive.Record{Format: archive.Format})
			for r := range c.records {
				manifest = chain.Append(manifest, r)
			}
			at := filepath.Join(dir, filepath.FromSlash(archive.StreamPath(stream)))
			if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
				t.Fatal(err)
			}
			writeFile(t, at, c.data)
			writeFile(t, filepath.Join(dir, archive.ManifestName), manifest)
			a, err := Open(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			if len(a.Faults) != c.faults {
				t.Errorf("the manifest has the faults %v, want %d", a.Faults, c.faults)
			}
			to, err := os.OpenRoot(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			defer to.Close()
			files := 0
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for _, k := range a.Keys() {
				_, _, err := a.Restore(to, a.Newest(k), "")
				switch {
				case err == nil:
					files++
				case !strings.Contains(err.Error(), c.cause) || !strings.Contains(err.Error(), k.Path):
					t.Fatalf("%v, want %q", err, c.cause)
				}
			}
			runtime.ReadMemStats(&after)
			perFile := 12 * archive.FrameSize * max(1, len(a.Keys()))
			if used := after.TotalAlloc - before.TotalAlloc; used > uint64(perFile) {
				t.Errorf("restoring allocates %d MB", used>>20)
			}
			left, err := filepath.Glob(filepath.Join(to.Name(), "m", "w", "*"))
			if err != nil || files != c.files || len(left) != c.files {
				t.Errorf("%d files are restored, and %q are there, %v, want %d", files, left, err, c.files)
			}
		})
	}
}

// framesOf returns n frames with the content of a whole one, and a size in the file.
func framesOf(whole archive.Frame, n int, packed int64) []archive.Frame {
	all := make([]archive.Frame, n)
	for i := range all {
		f := whole
		f.Stream, f.Packed, f.At = archive.StreamName(f.Sum, 0), packed, int64(i)*packed
		f.From, f.To = int64(i)*archive.FrameSize, int64(i+1)*archive.FrameSize
		all[i] = f
	}
	return all
}

// TestRestorePrivate: like the archive, restored files are readable by their owner only, and links are not followed.
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
			t.Errorf("%s: got mode %v, error %v, want no access for others", at, info.Mode(), err)
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
			t.Errorf("restoring over a link at %s succeeds, want an error", at)
		}
		if err := os.Remove(at); err != nil {
			t.Fatal(err)
		}
	}
	if string(readFile(t, filepath.Join(outside, "b.jsonl"))) != "of others" {
		t.Error("a file of others was changed")
	}
}
