package search

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"viewer/internal/packed"
	"viewer/internal/testing/corpus"
)

// cutFiles returns the files of a divided layout of a few invented sessions, with the texts of their units.
func cutFiles(t *testing.T) map[string]string {
	t.Helper()
	files := make(map[string]string)
	write := func(f File) error {
		text, err := packed.Read(f.Data)
		files[f.Name] = text
		return err
	}
	read := func(name string) ([]byte, error) { return packed.Script(name, files[name]), nil }
	var listings []Listing
	var blocks []TermBlock
	for _, name := range []string{"64-1", "64-2", "last"} {
		var entries []Entry
		for i := range 3 {
			folder := fmt.Sprintf("%s-%d", name, i)
			text := string(appendDocument(nil, Document{Anchor: "m1", Kind: Answer}, "lamps and a kiln in "+folder))
			unit, err := ReadUnit("index.search.js", packed.Script("index.search.js", text))
			if err != nil {
				t.Fatal(err)
			}
			files["s/"+folder+"/index.search.js"] = text
			entries = append(entries, Entry{Folder: folder, Title: "Lamps", Project: name, Units: []Unit{unit}})
		}
		shards, _, err := WriteBlock(Cut, name, slices.Values(entries), write)
		if err != nil {
			t.Fatal(err)
		}
		listings = append(listings, Listing{Name: name, Shards: shards, Sessions: 3, Units: 3})
		if LevelOf(name) != "" {
			blocks = append(blocks, TermBlock{name, shards})
		}
	}
	d := NewTermDirectory("64", blocks)
	for group := range d.Groups(blocks) {
		if err := d.WriteGroup(group, blocks, read, write); err != nil {
			t.Fatal(err)
		}
	}
	projects := []ProjectBlocks{{"64-1", []int{0}}, {"64-2", []int{1}}, {"last", []int{2}}}
	for _, f := range []File{CutContents(listings, []TermDirectory{d}), ProjectsFile(projects)} {
		if err := write(f); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestDamagedCut damages or removes one file of an index at a time. A query must give an answer or fail, and never
// panic.
func TestDamagedCut(t *testing.T) {
	files := cutFiles(t)
	ask := func(files map[string]string, query string) (int, error) {
		x, err := OpenIndex(func(name string) ([]byte, error) {
			text, ok := files[name]
			if !ok {
				return nil, fs.ErrNotExist
			}
			return packed.Script(name, text), nil
		})
		if err != nil {
			return 0, err
		}
		found, err := x.Find(ParseQuery(query, Options{}), 100)
		return len(found.Groups), err
	}
	if n, err := ask(files, "lamps kiln"); n != 9 || err != nil {
		t.Fatalf("got %d sessions, want 9: error %v", n, err)
	}
	if n, err := ask(files, "lamps project:64"); n != 6 || err != nil {
		t.Fatalf("got %d sessions of two projects, want 6: error %v", n, err)
	}
	empty := maps.Clone(files)
	for name := range files {
		if strings.HasPrefix(name, shardPrefix("last")) && IsShard(name) {
			empty[name] = string(appendRow(nil, "", row{term: "lamps"}))
		}
	}
	if n, err := ask(empty, "lamps"); err == nil {
		t.Errorf("got %d sessions from a term without postings, want an error", n)
	}
	r := rand.New(rand.NewPCG(1, 9))
	failed, times := 0, 20
	if corpus.Full() {
		times = 60
	}
	for name, text := range files {
		if strings.HasPrefix(name, "s/") {
			continue
		}
		for range times {
			damaged := make(map[string]string, len(files))
			for other, text := range files {
				damaged[other] = text
			}
			at := r.IntN(len(text) + 1)
			switch r.IntN(4) {
			case 0:
				damaged[name] = text[:at]
			case 1:
				damaged[name] = text[:at] + string(rune(r.IntN(256))) + text[at:]
			case 2:
				damaged[name] = text[:at] + "\x00\xff" + text[min(len(text), at+2):]
			default:
				delete(damaged, name)
			}
			for _, query := range []string{"lamps kiln", "lam*", "lambs", "lamps project:last", "kind:answer"} {
				if _, err := ask(damaged, query); err != nil {
					failed++
				}
			}
		}
	}
	if failed < 100 {
		t.Errorf("%d queries failed, want at least 100: others did not read the damaged file", failed)
	}
}
