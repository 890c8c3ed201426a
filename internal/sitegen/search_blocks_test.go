package sitegen

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"viewer/internal/search"
	"viewer/internal/sitegen/segments"
)

// TestBlockInParts: writing a block at once and in parts gives the same files.
func TestBlockInParts(t *testing.T) {
	s := NewSite(Options{Sources: []string{testdata}, Out: filepath.Join(t.TempDir(), "site"), Version: "test"})
	if _, err := s.Build(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var sessions []indexed
	for _, k := range s.last.Sessions {
		if !k.Empty {
			sessions = append(sessions, indexed{Session: k})
		}
	}
	slices.SortFunc(sessions, func(a, b indexed) int { return strings.Compare(a.Folder, b.Folder) })
	files := func(parts int) map[string][]byte {
		s.out.StartBuild()
		b := &indexBuild{builder: &builder{out: s.out, segments: segments.New(s.out, s.last)}}
		defer b.segments.Close()
		block := &blockBuild{Listing: search.Listing{Name: "new"}, layout: search.Whole}
		if err := b.writeBlock(block, sessions, parts); err != nil || block.size == 0 {
			t.Fatalf("got %d shards of %d bytes, error %v", block.Shards, block.size, err)
		}
		all := make(map[string][]byte)
		for _, name := range s.out.Names(search.Folder + "new") {
			data, err := s.out.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all[name] = data
			if err := s.out.Write(name, nil); err != nil { // so that the next write must replace it
				t.Fatal(err)
			}
		}
		if len(all) != block.Shards+1 {
			t.Errorf("%d parts make %d files, want a directory and %d shards", parts, len(all), block.Shards)
		}
		return all
	}
	want := files(1)
	for _, parts := range []int{2, 32} {
		for name, data := range files(parts) {
			if !bytes.Equal(data, want[name]) {
				t.Errorf("%d parts: %s has %d bytes, want the same %d as at once", parts, name, len(data),
					len(want[name]))
			}
		}
	}
}
