package store

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"viewer/internal/archive"
)

// TestGroups: small new files are packed together, and each can be appended to later. Equal files are stored once.
func TestGroups(t *testing.T) {
	dir, want := filepath.Join(t.TempDir(), "kept"), make(map[string]string)
	w, err := Create(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	add := func(name, text string, result Result) {
		t.Helper()
		want[name] = text
		if got, err := w.Add(logOf(name, text), day1); err != nil || got != result {
			t.Errorf("%s: got %d, error %v, want %d", name, got, err, result)
		}
	}
	for n := range 40 {
		add(fmt.Sprintf("%02d.jsonl", n), strings.Repeat(fmt.Sprintf("line of %d\n", n), 60), Added)
	}
	add("copy.jsonl", want["07.jsonl"], Copied)
	add("empty.jsonl", "", Added)
	add("empty too.jsonl", "", Copied)
	add("large.jsonl", strings.Repeat("a line of a large one\n", 100_000), Added)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if n := len(w.Streams); n != 2 {
		t.Errorf("the archive has %d streams, want 2", n)
	}
	if got := contents(t, dir); !maps.Equal(got, want) {
		t.Errorf("the archive has %d files, want %d", len(got), len(want))
	}
	add("07.jsonl", want["07.jsonl"]+"and on\n", Appended)
	add("39.jsonl", want["39.jsonl"]+"and on\n", Appended)
	add("08.jsonl", want["08.jsonl"][:100], Shortened)
	add("09.jsonl", "another one\n", Shortened)
	add("10.jsonl", strings.Replace(want["10.jsonl"], "line", "LINES", 1), Rewritten)
	add("new.jsonl", "new\n", Added)
	add("new.jsonl", "new\nand on\n", Appended) // while it waits to be packed with others
	add("07.jsonl", want["07.jsonl"]+"and on\n", Appended)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, dir); !maps.Equal(got, want) {
		t.Errorf("the archive has %d files, want %d", len(got), len(want))
	}
}

// TestGroupDamage: if a frame of many files was packed again with another line, the line is reported with its file, and
// the other files as uncertain. If the frame cannot be unpacked, all of its files are reported.
func TestGroupDamage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kept")
	w, err := Create(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for _, name := range []string{"a", "b", "c"} {
		text := fmt.Sprintf("%x\n%x\n%x\n", sha256.Sum256([]byte(name)), sha256.Sum256([]byte(name+"2")), name)
		all += text
		if _, err := w.Add(logOf(name+".jsonl", text), day1); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	streams, err := filepath.Glob(filepath.Join(dir, "data", "*", "*.zst"))
	if err != nil || len(streams) != 1 {
		t.Fatal(streams, err)
	}
	f, packed := archive.Pack([]byte(all))
	second := strings.Index(all, fmt.Sprintf("%x", sha256.Sum256([]byte("b2"))))
	var forged []byte // with another digit in the second line of b, and the same size
	for digit := 0; len(forged) != len(packed) && digit < 64; digit++ {
		edited := []byte(all)
		edited[second+digit] ^= 1
		_, forged = archive.Pack(edited)
	}
	checks := 8 + 2*f.Lines // as in package archive
	copy(forged[int64(len(forged))-checks:], packed[int64(len(packed))-checks:])
	flaws := func(stream []byte) (said []string) {
		t.Helper()
		if err := os.WriteFile(streams[0], stream, 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		if err := a.Verify(t.Context(), func(f Flaw) { said = append(said, f.String()) }); err != nil {
			t.Fatal(err)
		}
		slices.Sort(said)
		return said
	}
	const at = "m/home/mara/projects/"
	if got := flaws(forged); !slices.Equal(got, []string{
		at + "a.jsonl: it is not what was archived", at + "b.jsonl:2: this line is not as it was archived",
		at + "c.jsonl: it is not what was archived",
	}) {
		t.Errorf("an edit: got %q", got)
	}
	if got := flaws(packed[:10]); len(got) != 3 ||
		!strings.HasPrefix(got[1], at+"b.jsonl:1: it cannot be unpacked: ") {
		t.Errorf("a truncated file: got %q, want all 3 files reported", got)
	}
	if got := flaws(packed); len(got) > 0 {
		t.Errorf("without damage: got %q, want none", got)
	}
}
