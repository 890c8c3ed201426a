package store

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"viewer/internal/archive"
)

// scattered writes an archive with one file of n single bytes, each in another frame than the byte before it.
func scattered(t *testing.T, n int) (dir string) {
	t.Helper()
	whole, packed := archive.Pack(bytes.Repeat([]byte("0123456789abcdef"), archive.FrameSize/16))
	const frames = 3 // more than are kept
	r := archive.Record{
		Machine: "m", Folder: "/w", Path: "a.jsonl", Size: int64(n), Frames: framesOf(whole, frames, whole.Packed),
	}
	h := sha256.New()
	for i := range int64(n) {
		at := i%frames*archive.FrameSize + i/frames*2
		r.Parts = append(r.Parts, archive.Part{Stream: r.Frames[0].Stream, From: at, To: at + 1})
		h.Write([]byte("0123456789abcdef"[at%16:][:1]))
	}
	r.Sum = archive.Sum(h.Sum(nil))
	var chain archive.Chain
	manifest := chain.Append(chain.Append(nil, archive.Record{Format: archive.Format}), r)
	dir = filepath.Join(t.TempDir(), "kept")
	stream := filepath.Join(dir, filepath.FromSlash(archive.StreamPath(r.Frames[0].Stream)))
	if err := os.MkdirAll(filepath.Dir(stream), 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, stream, bytes.Repeat(packed, frames))
	writeFile(t, filepath.Join(dir, archive.ManifestName), manifest)
	return dir
}

// TestScattered: a file in millions of parts, each of which needs another frame, is not read to its end. The error says
// why. A few such parts are read.
func TestScattered(t *testing.T) {
	for _, c := range []struct {
		parts int
		free  int64 // bytes that may still be unpacked without regard to what is read
		want  error
	}{
		{1000, 30 * archive.FrameSize, errScattered},
		{20, 30 * archive.FrameSize, nil},
	} {
		a, err := Open(t.Context(), scattered(t, c.parts))
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		if len(a.Faults) > 0 {
			t.Fatal(a.Faults)
		}
		a.effort.unpacked.Store(freeEffort - c.free)
		to, err := os.OpenRoot(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer to.Close()
		if _, _, err := a.Restore(to, a.Newest(a.Keys()[0]), ""); !errors.Is(err, c.want) {
			t.Errorf("%d parts: error %v, want %v", c.parts, err, c.want)
		}
		a.effort.unpacked.Store(freeEffort - c.free)
		var flaws []string
		if err := a.Verify(t.Context(), func(f Flaw) { flaws = append(flaws, f.String()) }); err != nil {
			t.Fatal(err)
		}
		var want []string
		if c.want != nil {
			want = []string{"m/w/a.jsonl: " + c.want.Error()}
		}
		if !slices.Equal(flaws, want) {
			t.Errorf("%d parts: verify reports %q, want %q", c.parts, flaws, want)
		}
	}
}

// TestRewrittenEffort reads versions of a file that was changed here and there, again and again. Their parts alternate
// between frames, each of which is unpacked about once.
func TestRewrittenEffort(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kept")
	text := []byte(strings.Repeat("ebb and flood, moon and pump\n", 100_000))
	const path = "-w/a.jsonl"
	var versions [][]byte
	for v := range 4 {
		for at := v*5000 + 20_000; at < len(text); at += 2 * blockSize {
			copy(text[at:], fmt.Sprintf("%08d", v*1_000_000+at))
		}
		f := logOf(path, string(text))
		f.Mod += int64(v)
		mustAdd(t, dir, f)
		versions = append(versions, bytes.Clone(text))
	}
	a, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for i, r := range a.Files[a.Keys()[0]] {
		a.effort.unpacked.Store(0)
		c := a.Content(r)
		got, err := io.ReadAll(c)
		c.Close()
		if err != nil || !bytes.Equal(got, versions[i]) {
			t.Errorf("version %d has %d other bytes, error %v", i, len(got), err)
		}
		if n := a.effort.unpacked.Load(); n > 4*r.Size {
			t.Errorf("version %d of %d bytes in %d parts: %d bytes were unpacked", i, r.Size, len(r.Parts), n)
		}
	}
	last := a.Newest(a.Keys()[0])
	if len(last.Parts) < 10 {
		t.Fatalf("the last version has %d parts, which tests little", len(last.Parts))
	}
	c := a.Content(last)
	defer c.Close()
	if err := iotest.TestReader(io.NewSectionReader(c, 0, last.Size), versions[3]); err != nil {
		t.Error(err)
	}
}

// TestManyDamages: a file of which many streams are damaged is read once to count the line of the damage, and not once
// for each.
func TestManyDamages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kept")
	var chain archive.Chain
	manifest := chain.Append(nil, archive.Record{Format: archive.Format})
	r := archive.Record{Machine: "m", Folder: "/w", Path: "a.jsonl", Time: time.Unix(0, 0).UTC()}
	h := sha256.New()
	const streams = 50
	for i := range streams {
		content := fmt.Appendf(nil, "line %d\n", i)
		h.Write(content)
		f, packed := archive.Pack(content)
		f.Stream = archive.StreamName(f.Sum, 0)
		r.Frames = append(r.Frames, f)
		r.Parts = append(r.Parts, archive.Part{Stream: f.Stream, To: f.To})
		r.Size += f.To
		file := filepath.Join(dir, filepath.FromSlash(archive.StreamPath(f.Stream)))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			packed[len(packed)/2] ^= 1
		}
		writeFile(t, file, packed)
	}
	r.Sum = archive.Sum(h.Sum(nil))
	writeFile(t, filepath.Join(dir, archive.ManifestName), chain.Append(manifest, r))
	a, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	flaws, lines := 0, 0
	err = a.Verify(t.Context(), func(f Flaw) {
		flaws++
		if f.Line > 0 {
			lines++
		}
	})
	if err != nil || flaws != streams-1 || lines != 1 {
		t.Errorf("%d flaws of which %d have lines, error %v; want %d and 1", flaws, lines, err, streams-1)
	}
}
