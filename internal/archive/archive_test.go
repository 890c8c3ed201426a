package archive

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func lines(n int) [][]byte {
	all := make([][]byte, n)
	for i := range all {
		all[i] = fmt.Appendf(nil, `{"type":"user","uuid":"%08d","message":{"content":"line %d of many"}}`+"\n", i, i*i)
	}
	return all
}

func joined(lines [][]byte) []byte { return bytes.Join(lines, nil) }

// TestCompare: a change of a file is reported with its line.
func TestCompare(t *testing.T) {
	all := lines(5)
	at := func(picked ...int) (text string) {
		for _, i := range picked {
			text += string(all[i])
		}
		return text
	}
	for _, c := range []struct {
		name, sealed, now string
		want              Finding
	}{
		{"same", at(0, 1, 2), at(0, 1, 2), Finding{Same, 0}},
		{"empty", "", "", Finding{Same, 0}},
		{"appended", at(0, 1), at(0, 1, 2), Finding{Appended, 3}},
		{"begun", "", at(0), Finding{Appended, 1}},
		{"an incomplete line continues", at(0) + "{\"typ", at(0) + "{\"type\":1}\n" + at(1), Finding{Appended, 2}},
		{"another end of an incomplete line", at(0) + "{\"typ", at(0) + "{\"tip\":1}\n", Finding{Edited, 2}},
		{"truncated", at(0, 1, 2), at(0, 1), Finding{Truncated, 3}},
		{"truncated in a line", at(0, 1, 2), at(0, 1, 2)[:len(at(0, 1))+9], Finding{Truncated, 3}},
		{"emptied", at(0), "", Finding{Truncated, 1}},
		{"without the last line end", at(0, 1), strings.TrimSuffix(at(0, 1), "\n"), Finding{Truncated, 2}},
		{"dropped", at(0, 1, 2, 3), at(0, 2, 3), Finding{Dropped, 2}},
		{"the first is dropped", at(0, 1, 2, 3), at(1, 2, 3), Finding{Dropped, 1}},
		{"dropped and appended", at(0, 1, 2), at(0, 2, 3, 4), Finding{Dropped, 2}},
		{"the one before the last", at(0, 1, 2), at(0, 2), Finding{Dropped, 2}},
		{"inserted", at(0, 1, 2), at(0, 4, 1, 2), Finding{Inserted, 2}},
		{"moved", at(0, 1, 2, 3), at(0, 2, 1, 3), Finding{Reordered, 2}},
		{"moved far", at(0, 1, 2, 3), at(3, 1, 2, 0), Finding{Reordered, 1}},
		{"edited", at(0, 1, 2), strings.Replace(at(0, 1, 2), "line 1", "line 7", 1), Finding{Edited, 2}},
		{"cut short", at(0, 1, 2), strings.Replace(at(0, 1, 2), "1 of many\"}}", "", 1), Finding{CutShort, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Compare(strings.NewReader(c.sealed), strings.NewReader(c.now))
			if err != nil || got != c.want {
				t.Errorf("got %v in line %d, error %v, want %v in line %d",
					got.Change, got.Line, err, c.want.Change, c.want.Line)
			}
			if c.want.Change.Honest() != strings.HasPrefix(c.now, c.sealed) {
				t.Error("Honest() is false for an append, or true for another change")
			}
		})
	}
}

// TestFrame: unpacking a frame gives its content, and a change is reported with its line, even if the changed content
// was packed again.
func TestFrame(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, content := range [][]byte{
		nil, []byte("x"), []byte("\n"), joined(lines(1)), joined(lines(300)), []byte("a\nb"),
	} {
		f, packed := Pack(content)
		got, err := f.Unpack(packed)
		if err != nil || !bytes.Equal(got, content) {
			t.Fatalf("packed %d bytes, got %d, error %v", len(content), len(got), err)
		}
		for range 50 {
			broken := bytes.Clone(packed)
			broken[random.IntN(len(broken))] ^= byte(1 << random.IntN(8))
			if got, err := f.Unpack(broken); err == nil && !bytes.Equal(got, content) {
				t.Fatal("a changed frame gives other content without an error")
			}
		}
		for range 20 {
			if len(content) == 0 {
				continue
			}
			edited := bytes.Clone(content)
			at := random.IntN(len(edited))
			edited[at] ^= 1
			_, again := Pack(edited)
			forged := f
			forged.Packed = int64(len(again))
			checks := checksOf(content)
			copy(again[len(again)-min(len(checks), len(again)):], checks)
			_, err := forged.Unpack(again)
			var damage *Damage
			if want := int64(bytes.Count(content[:at], []byte("\n"))); !errors.As(err, &damage) ||
				damage.Line != want && content[at] != '\n' && edited[at] != '\n' {
				t.Fatalf("line %d was edited: got error %+v, want that line", want, err)
			}
		}
	}
}

// TestChain: each change of a manifest is detected, and an incomplete last line is ignored.
func TestChain(t *testing.T) {
	var c Chain
	manifest := c.Append(nil, Record{Format: Format})
	for i, name := range []string{"a.jsonl", "b/\xff.jsonl", "c\n.jsonl"} {
		f, _ := Pack(joined(lines(i + 1)))
		f.Stream = StreamName(f.Sum, i)
		manifest = c.Append(manifest, Record{
			Machine: "m", Folder: "/home/mara", Path: name, Size: f.To, Sum: f.Sum, Time: time.Unix(1e9, 0).UTC(),
			Parts: []Part{{f.Stream, 0, f.To}}, Frames: []Frame{f},
		})
	}
	x, faults, err := ReadIndex(manifest)
	if err != nil || faults != nil || len(x.Files) != 3 || x.Chain != c || x.Size != int64(len(manifest)) {
		t.Fatalf("got %d files, faults %v, error %v; want 3 files", len(x.Files), faults, err)
	}
	if x.Newest(Key{"m", "/home/mara", "b/\xff.jsonl"}) == nil {
		t.Error("a name that is not UTF-8 is lost")
	}
	if !IsManifest(manifest[:100]) || IsManifest([]byte(`{"type":"user"} {"viewerArchive":`)) {
		t.Error("IsManifest does not recognize the start of a manifest, or accepts other JSON")
	}
	for at := range manifest {
		for _, bit := range []byte{1, 32} {
			broken := bytes.Clone(manifest)
			broken[at] ^= bit
			x, faults, err := ReadIndex(broken)
			if err == nil && len(faults) == 0 && x.Chain == c && x.Size == int64(len(broken)) {
				t.Fatalf("byte %d of the manifest can be changed without an error", at)
			}
		}
		x, faults, err := ReadIndex(manifest[:at])
		if err != nil || faults != nil || x.Size > int64(at) {
			t.Fatalf("a manifest that ends after %d bytes: faults %v, error %v; want none", at, faults, err)
		}
	}
	text := bytes.SplitAfter(manifest, []byte("\n"))
	text[1], text[2] = text[2], text[1]
	if _, faults, _ := ReadIndex(bytes.Join(text, nil)); len(faults) == 0 || faults[0].Line != 2 {
		t.Errorf("swapped lines: got faults %v, want one in line 2", faults)
	}
}

func TestParts(t *testing.T) {
	parts := []Part{{"a", 10, 20}, {"b", 0, 5}, {"a", 20, 30}}
	for _, c := range []struct {
		from, to int64
		want     string
	}{
		{0, 25, "[{a 10 20} {b 0 5} {a 20 30}]"}, {0, 10, "[{a 10 20}]"}, {5, 12, "[{a 15 20} {b 0 2}]"},
		{15, 25, "[{a 20 30}]"}, {3, 3, "[]"},
	} {
		if got := fmt.Sprint(Slice(parts, c.from, c.to)); got != c.want {
			t.Errorf("%d to %d: got %s, want %s", c.from, c.to, got, c.want)
		}
	}
	if got := fmt.Sprint(Join([]Part{{"a", 0, 5}}, Part{"a", 5, 9})); got != "[{a 0 9}]" {
		t.Error(got)
	}
}

// TestMutations: each change of a sealed log is found with its line, and an append is never reported as a change.
func TestMutations(t *testing.T) {
	mutations, appends := 1_000, 100
	if os.Getenv("VIEWER_TORTURE") != "" {
		mutations, appends = 10_000, 1_000
	}
	random := rand.New(rand.NewPCG(26, 2))
	compare := func(sealed, now []byte) Finding {
		f, err := Compare(bytes.NewReader(sealed), bytes.NewReader(now))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for i := range mutations {
		all := lines(2 + random.IntN(60))
		sealed := joined(all)
		at := random.IntN(len(all))
		now := slices.Clone(all)
		want := Finding{Line: at + 1}
		switch i % 6 {
		case 0:
			want.Change = Edited
			now[at] = bytes.Replace(now[at], []byte("line"), []byte("lime"), 1)
		case 1:
			want.Change = Dropped
			if now = slices.Delete(now, at, at+1); at == len(all)-1 {
				want.Change = Truncated
			}
		case 2:
			want.Change = Reordered
			at = random.IntN(len(all) - 1)
			want.Line = at + 1
			now[at], now[at+1] = now[at+1], now[at]
		case 3:
			want.Change = Truncated
			now = now[:at]
		case 4:
			want.Change = CutShort
			if now[at] = append(bytes.Clone(now[at][:20]), '\n'); at == len(all)-1 {
				now[at] = now[at][:20]
				want.Change = Truncated
			}
		case 5:
			want.Change = Inserted
			now = slices.Insert(now, at, []byte(`{"type":"user","uuid":"other"}`+"\n"))
		}
		if got := compare(sealed, joined(now)); got != want {
			t.Fatalf("mutation %d of %d lines: got %v in line %d, want %v in line %d",
				i, len(all), got.Change, got.Line,
				want.Change, want.Line)
		}
	}
	for range appends {
		text := joined(lines(1 + random.IntN(60)))
		if got := compare(text[:random.IntN(len(text)+1)], text); !got.Change.Honest() {
			t.Fatalf("an append: got %v in line %d, want an append", got.Change, got.Line)
		}
	}
}
