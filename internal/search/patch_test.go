package search

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"viewer/internal/packed"
	"viewer/internal/testing/corpus"
)

// TestPatch changes sessions of a block at random, repeatedly. A patch must give the files and the size of a block that
// is built again.
func TestPatch(t *testing.T) {
	seeds := uint64(6)
	if corpus.Full() {
		seeds = 20
	}
	for seed := range 2 * seeds {
		layout := Layout(seed % 2)
		r := rand.New(rand.NewPCG(seed, 1))
		unit := func(page int) Unit {
			t := unitBuilders.Get().(*unitBuilder)
			defer unitBuilders.Put(t)
			t.begin()
			for range 1 + r.IntN(400) {
				t.addTerm(fmt.Appendf(nil, "%c%c%d", 'a'+r.IntN(26), 'a'+r.IntN(3), r.IntN(9)), uint8(r.IntN(4)))
			}
			return t.end(Unit{Page: fmt.Sprintf("%d.html", page+1), First: r.IntN(3), Last: 5})
		}
		entries := make([]Entry, 1+r.IntN(400))
		for i := range entries {
			entries[i] = Entry{Folder: fmt.Sprint("s", i), Title: "a title", Project: fmt.Sprint("p", i%7)}
			for page := range 1 + r.IntN(3) {
				entries[i].Units = append(entries[i].Units, unit(page))
			}
		}
		files, size := written(layout, entries)
		for _, passes := range []int{1, 2, 8, 64} {
			compareParts(t, layout, entries, passes, files, size)
		}
		kept := 0
		for range 8 {
			p := NewPatch(layout, "b", shardsAmong(files), size)
			changed := r.IntN(len(entries))
			if r.IntN(3) == 0 {
				changed = len(entries) - 1
			}
			first := 0
			for i, e := range entries {
				now := e
				now.Units = append([]Unit{}, e.Units...)
				if i == changed {
					now.Units[r.IntN(len(now.Units))] = unit(0)
					if i == len(entries)-1 && r.IntN(2) == 0 {
						now.Units = append(now.Units, unit(9))
					}
					if r.IntN(2) == 0 {
						now.Title += "!"
					}
				}
				p.Session(i, first, e, now)
				first += len(e.Units)
				entries[i] = now
			}
			want, wantSize := written(layout, entries)
			got, gotSize, err := p.Files(func(name string) ([]byte, error) {
				for _, f := range files {
					if f.Name == name {
						return f.Data, nil
					}
				}
				return nil, errShard
			})
			if (err == nil) != (len(want) == len(files)) {
				t.Fatalf("seed %d: got %d files, then %d: error %v", seed, len(files), len(want), err)
			}
			if err == nil {
				kept++
				if gotSize != wantSize {
					t.Fatalf("seed %d: the size is %d, want %d", seed, gotSize, wantSize)
				}
				for _, g := range got {
					for i := range files {
						if files[i].Name == g.Name {
							files[i] = g
						}
					}
				}
				for i := range want {
					if want[i].Name != files[i].Name || !bytes.Equal(want[i].Data, files[i].Data) {
						t.Fatalf("seed %d: %s differs from that of a new block", seed, want[i].Name)
					}
				}
			}
			files, size = want, wantSize
		}
		if kept == 0 {
			t.Errorf("seed %d: no block was patched, want some", seed)
		}
	}
}

// compareParts compares the files of a block that is built in parts with one that is built at once.
func compareParts(t *testing.T, layout Layout, entries []Entry, parts int, want []File, wantSize int) {
	t.Helper()
	var got []File
	write := func(f File) error {
		got = append(got, f)
		return nil
	}
	b := NewBlockParts(layout, "b", parts, new(memoryStore))
	b.full = 200
	for _, e := range entries {
		if err := b.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	size := 0
	for part := range parts {
		n, err := b.Size(part)
		if err != nil {
			t.Fatal(err)
		}
		size += n
	}
	if size != wantSize {
		t.Fatalf("%d parts: got %d bytes of rows, want %d", parts, size, wantSize)
	}
	got = append(got, b.Listing()...)
	for part := range parts {
		if err := b.Write(part, size, write); err != nil {
			t.Fatal(err)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d parts: got %d files, want %d", parts, len(got), len(want))
	}
	listed := len(want) - shardsAmong(want)
	slices.SortFunc(
		got[listed:],
		func(a, b File) int { return cmp.Or(len(a.Name)-len(b.Name), strings.Compare(a.Name, b.Name)) },
	)
	for i := range want {
		if got[i].Name != want[i].Name || !bytes.Equal(got[i].Data, want[i].Data) {
			t.Fatalf("%d parts: %s differs from that of a block that is built at once", parts, want[i].Name)
		}
	}
}

// memoryStore is a Store in memory.
type memoryStore [][]byte

func (s *memoryStore) Put(data []byte) (int, error) {
	*s = append(*s, bytes.Clone(data))
	return len(*s) - 1, nil
}

func (s *memoryStore) Get(id int) ([]byte, error) { return (*s)[id], nil }

// shardsAmong returns the number of shards among the files of a block.
func shardsAmong(files []File) int {
	n := 0
	for _, f := range files {
		if IsShard(f.Name) {
			n++
		}
	}
	return n
}

func written(layout Layout, entries []Entry) ([]File, int) {
	w := newBlockWriter("b")
	w.layout = layout
	for _, e := range entries {
		w.add(e)
	}
	return w.files()
}

// files returns the files of the block, the directory first, and the size of its rows.
func (w *blockWriter) files() ([]File, int) {
	size := w.size()
	files := w.listing.files()
	_ = w.shards(Shards(size), func(f File) error {
		files = append(files, f)
		return nil
	})
	return files, size
}

// TestDamagedShard reads invalid shards.
func TestDamagedShard(t *testing.T) {
	files, size := written(Whole, []Entry{{Folder: "s", Units: []Unit{{terms: "\x04a\x04b", count: 2}}}})
	text, err := packed.Read(files[1].Data)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(text) {
		for _, damage := range []string{text[:n], text[:n] + "\xff" + text[n:], text[:n] + "\x00" + text[n:]} {
			p := NewPatch(Whole, "b", 1, size)
			p.Session(0, 0, Entry{}, Entry{Units: []Unit{{terms: "\x04a\x04c", count: 2}}})
			// The result does not matter, as long as nothing panics.
			_, _, _ = p.Files(func(name string) ([]byte, error) { return packed.Script(name, damage), nil })
		}
	}
}
