package sitegen

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"viewer/internal/outcome"
	"viewer/internal/packed"
	"viewer/internal/search"
	"viewer/internal/sitegen/segments"
	"viewer/internal/testing/corpus"
	"viewer/internal/testing/corpusgen"
	"viewer/normalize"
	"viewer/render"
)

// TestSearchRecall: random messages are found by each of their words.
func TestSearchRecall(t *testing.T) {
	if testing.Short() {
		t.Skip("searches with one goroutine, and reads sessions as TestTestdata does: the race detector finds nothing more")
	}
	recall(t, 1000, testdata)
}

// TestSearchRecallCorpus does the same with some 1,000 messages of real sessions, without the largest.
func TestSearchRecallCorpus(t *testing.T) {
	small := slices.DeleteFunc(realSessions(t), func(dir string) bool {
		return filepath.Base(filepath.Dir(dir)) == "large"
	})
	samples := 300
	if corpus.Full() {
		samples = 1000
	}
	recall(t, 1+samples/len(small), small...)
}

func recall(t *testing.T, wanted int, sources ...string) {
	for _, source := range sources {
		t.Run(filepath.Base(source), func(t *testing.T) {
			sessions := openSessions(t, Options{Sources: []string{source}, Version: "test"})
			random := rand.New(rand.NewPCG(1, 1))
			samples, missed := 0, 0
			perSession := 1 + wanted/len(sessions)
			for _, s := range sessions {
				planned := render.Open(s)
				units := slices.Collect(search.Units(search.Session{
					Conversation: s.Conversation, Title: outcome.Title(s.Conversation), Spilled: s.Spilled,
					Page: planned.PageOf,
				}))
				index := search.NewIndex([]search.Entry{{Folder: s.Folder, Units: units}})
				texts := readable(s.Conversation, planned.PageOf)
				for range perSession {
					if len(texts) == 0 {
						break
					}
					samples++
					text := texts[random.IntN(len(texts))]
					words := plainWords.FindAllString(text.text, -1)
					if len(words) == 0 {
						continue
					}
					for range 4 {
						word := words[random.IntN(len(words))]
						answer, err := index.Find(search.ParseQuery(word, search.Options{}), 1<<30)
						if err != nil {
							t.Fatal(err)
						}
						found := slices.ContainsFunc(answer.Groups, func(g search.Group) bool {
							return slices.ContainsFunc(g.Hits, func(h search.Hit) bool {
								return h.Anchor == text.anchor
							})
						})
						if !found {
							missed++
							t.Errorf("%s: %q does not find %s, which contains it: %.80q", s.Folder, word,
								text.anchor, text.text)
						}
					}
				}
			}
			t.Logf("%d messages, %d words missed", samples, missed)
			if samples == 0 {
				t.Fatal("found no messages to search for")
			}
		})
	}
}

var plainWords = regexp.MustCompile(`[\p{L}\p{N}\p{M}]+`)

type visibleText struct{ anchor, text string }

// readable returns the visible texts of messages, each with the anchor of its message.
func readable(c *normalize.Conversation, pageOf func(string) string) []visibleText {
	var all []visibleText
	add := func(anchor, text string) {
		if text != "" && !strings.Contains(text, "\x1b") && pageOf(anchor) != "" {
			all = append(all, visibleText{anchor, text})
		}
	}
	for inner := range c.All() {
		for _, turn := range inner.Turns {
			for _, m := range turn.Prompt {
				if turn.Prompt[0].Kind == normalize.Prompt {
					add(turn.Prompt[0].Anchor, m.Text)
				}
			}
			for _, item := range turn.Items {
				switch it := item.(type) {
				case *normalize.Message:
					if it.Rule == "" {
						add(it.Anchor, it.Text)
					}
				case *normalize.Group:
					if it.Call != nil {
						var input any
						if json.Unmarshal(it.Call.Block.Input, &input) == nil {
							for _, text := range stringsIn(input) {
								add(it.Head().Anchor, text)
							}
						}
					}
					if it.Result != nil {
						for _, b := range it.Result.Block.Content {
							text, reminder := normalize.ResultText(b.Text)
							add(it.Head().Anchor, text)
							add(it.Head().Anchor, reminder)
						}
					}
				}
			}
		}
	}
	return all
}

func stringsIn(v any) []string {
	var all []string
	switch v := v.(type) {
	case string:
		if len(v) < 2000 || strings.Contains(v[:2000], " ") {
			all = append(all, v)
		}
	case []any:
		for _, e := range v {
			all = append(all, stringsIn(e)...)
		}
	case map[string]any:
		for _, e := range v {
			all = append(all, stringsIn(e)...)
		}
		slices.Sort(all)
	}
	return all
}

// TestSearchShards counts the files of the index that one more record changes: the text of its page, and the shards of
// words that are new to the session.
func TestSearchShards(t *testing.T) {
	source := copyOf(t, testdata)
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
	mustBuild(t, o)
	file := filepath.Join(source, "-srv-nightwatch", mainFiles(t, source, "-srv-nightwatch")[0])
	for _, c := range []struct {
		text string
		most int
	}{
		{"the", 2}, // also the new day
		{"zebrafish quokka", 3},
		{"quokka zebrafish", 2},
	} {
		appendRecord(t, file, c.text)
		var written []string
		for _, name := range mustBuild(t, o).Changed {
			if strings.Contains(name, "search") {
				written = append(written, name)
			}
		}
		if len(written) > c.most || len(written) == 0 {
			t.Errorf("a record %q wrote %v, want at most %d files of the index", c.text, written, c.most)
		}
	}
}

// listedPages returns the files in a list of pages. Each must exist with its search texts.
func listedPages(t *testing.T, folder, list string) (listed []string) {
	t.Helper()
	for line := range strings.Lines(list + "\n") {
		var page string
		var units int
		if _, err := fmt.Sscanf(line, "%s %d\n", &page, &units); err != nil || units < 1 {
			t.Fatalf("%q is not a page with a number of texts: %v", line, err)
		}
		listed = append(listed, page+".html")
		for i := range units {
			name := search.Unit{Page: page + ".html", Number: i}.Name()
			if u, err := search.ReadUnit(name,
				read(t, filepath.Join(folder, filepath.FromSlash(name)))); err != nil ||
				len(u.ReadDocuments()) == 0 {
				t.Errorf("%s: got %d documents, error %v; want some", name, len(u.ReadDocuments()), err)
			}
		}
	}
	return listed
}

// TestSearchPages checks the files with which a page of a session searches the other pages: a list, and the texts of
// each page, also in a site without an index. An append only writes the texts of the page that it changes.
func TestSearchPages(t *testing.T) {
	for _, none := range []bool{false, true} {
		source := t.TempDir()
		file := filepath.Join(source, "-srv-long", "aa.jsonl")
		size := 2_000_000
		if corpus.Full() {
			size = 4_000_000
		}
		write(t, file, corpusgen.Session(3, size))
		write(t, filepath.Join(source, "-srv-long", "bb.jsonl"), corpusgen.Session(4, 10_000))
		o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test", NoSearch: none}
		mustBuild(t, o)
		folder := filepath.Join(o.Out, "s", "aa")
		list, err := packed.Read(read(t, filepath.Join(folder, "pages.js")))
		if err != nil {
			t.Fatal(err)
		}
		list, outline, _ := strings.Cut(list, "\n\n")
		if !strings.Contains(outline, `<a href="2.html#`) {
			t.Errorf("pages.js has no outline of all pages: %.200q", outline)
		}
		listed := listedPages(t, folder, list)
		var pages []string
		walkFiles(t, folder, func(path string) {
			name, err := filepath.Rel(folder, path)
			// pages of net changes have no text of their own
			if err == nil && strings.HasSuffix(name, ".html") && !strings.HasPrefix(name, "changes") {
				pages = append(pages, filepath.ToSlash(name))
			}
		})
		own := slices.DeleteFunc(slices.Clone(listed), func(page string) bool {
			return strings.HasPrefix(page, "agents/")
		})
		for i, page := range own { // agents follow the page that calls them
			if want := fmt.Sprintf("%d.html", i+1); i > 0 && page != want || i == 0 && page != "index.html" {
				t.Errorf("pages.js lists %s as page %d of the session, want them in order", page, i+1)
			}
		}
		if len(own) < 4 || listed[0] != "index.html" ||
			!slices.Equal(slices.Sorted(slices.Values(listed)), slices.Sorted(slices.Values(pages))) {
			t.Errorf("pages.js lists %q, want %q", listed, pages)
		}
		if _, err := os.Stat(filepath.Join(o.Out, "s", "bb", "pages.js")); err == nil {
			t.Error("a session of one page has a pages.js, want none")
		}
		appendRecord(t, file, "And the end")
		last := 0
		for _, page := range pages {
			if n, err := strconv.Atoi(strings.TrimSuffix(page, ".html")); err == nil {
				last = max(last, n)
			}
		}
		written := 0
		for _, name := range mustBuild(t, o).Changed {
			if strings.HasPrefix(name, "s/") && strings.HasSuffix(name, ".html") {
				written++
			}
			if strings.HasPrefix(name, "s/") && strings.HasSuffix(name, ".js") &&
				name != "s/aa/pages.js" && // its outline has the last prompt
				!strings.HasPrefix(name, fmt.Sprintf("s/aa/%d.search", last)) {
				t.Errorf("an append to page %d also writes %s", last, name)
			}
		}
		if written == 0 || written > 2 {
			t.Errorf("an append writes %d pages of the session, want the first and the last", written)
		}
	}
}

// TestSearchPatch appends to a session while the segments of all others are empty files. Its block must be patched
// without them, to the bytes of a clean build.
func TestSearchPatch(t *testing.T) {
	source := copyOf(t, testdata)
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
	mustBuild(t, o)
	file := filepath.Join(source, "-srv-nightwatch", mainFiles(t, source, "-srv-nightwatch")[0])
	names, err := filepath.Glob(filepath.Join(o.Out, filepath.FromSlash(segments.Dir), "*"))
	if err != nil {
		t.Fatal(err)
	}
	spoiled := 0
	for _, name := range names {
		if filepath.Base(name) != stem(file) {
			write(t, name, []byte("nobody reads this"))
			spoiled++
		}
	}
	appendRecord(t, file, "A zebrafish and a quokka")
	mustBuild(t, o)
	for _, name := range names {
		if string(read(t, name)) == "nobody reads this" {
			spoiled--
		}
	}
	if spoiled != 0 || len(names) < 5 {
		t.Errorf("%d of %d parts were made again for a record in another session, want none", spoiled, len(names))
	}
	compareClean(t, o)
}

// TestSearchPart removes the segments that a build stores for the next one. They must be made again, and the index must
// be complete.
func TestSearchPart(t *testing.T) {
	source := copyOf(t, testdata)
	o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
	mustBuild(t, o)
	clean := o
	clean.Out = t.TempDir()
	for i, damage := range []func(string){
		func(name string) { remove(t, name) },
		func(name string) { write(t, name, []byte("something else")) },
	} {
		names, err := filepath.Glob(filepath.Join(o.Out, filepath.FromSlash(segments.Dir), "*"))
		if err != nil || len(names) < 5 {
			t.Fatalf("found %d parts, error %v; want at least 5", len(names), err)
		}
		for _, name := range names {
			damage(name)
		}
		appendRecord(t, filepath.Join(source, "-srv-nightwatch", mainFiles(t, source, "-srv-nightwatch")[0]),
			fmt.Sprint("And so on ", i))
		mustBuild(t, o)
		mustBuild(t, o)
		mustBuild(t, clean)
		compareTrees(t, clean.Out, o.Out)
	}
}

// openSessions reads sessions in the order of their files.
func openSessions(t testing.TB, o Options) []render.Session {
	t.Helper()
	var mu sync.Mutex
	var found []Chosen
	err := o.EachSession(context.Background(), false, func(s Chosen) error {
		mu.Lock()
		defer mu.Unlock()
		if !s.Empty {
			found = append(found, s)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(found, func(a, b Chosen) int { return cmp.Compare(a.At, b.At) })
	all := make([]render.Session, len(found))
	for i, s := range found {
		all[i] = s.Session
	}
	return all
}
