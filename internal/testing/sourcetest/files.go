package sourcetest

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/testing/corpus"
	"viewer/normalize"
)

// Counts are the numbers of items in a session, including its agents. Tokens are counted as by transcript.Usage.
type Counts struct{ Prompts, Calls, Results, Input, Cached, Written, Output int64 }

// Count counts the items of a conversation.
func Count(c *normalize.Conversation) Counts {
	n := Counts{Prompts: int64(c.Prompts())}
	for inner := range c.All() {
		for g := range inner.Groups() {
			if g.Call != nil {
				n.Calls++
			}
			if g.Result != nil {
				n.Results++
			}
		}
		for _, turn := range inner.Turns {
			u := turn.Usage()
			for _, r := range turn.Requests {
				if r.OfSession {
					u = u.Add(r.Usage)
				}
			}
			n.Input, n.Cached = n.Input+u.Input, n.Cached+u.CacheRead
			n.Output, n.Written = n.Output+u.Output, n.Written+u.CacheWrite
		}
	}
	return n
}

// SharedFiles returns the files with some extensions in a folder of ../shared, such as "agents/pi", by their names
// relative to it. If there are none the test is skipped with the reason.
func SharedFiles(t *testing.T, folder string, endings ...string) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	for _, root := range corpus.Glob(t, folder) {
		err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !slices.Contains(endings, filepath.Ext(p)) {
				return err
			}
			name, err := filepath.Rel(root, p)
			if err != nil {
				return err
			}
			data, err := os.ReadFile(p)
			files[filepath.ToSlash(name)] = data
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// A Counter counts the items of a file with knowledge of its format only.
type Counter func(name string, data []byte) Counts

// Sweep draws files. Each one must have a balanced ledger, the items that an independent count finds, and no unknown
// records except the kinds in unknown, which have a reason. Files that are not of the source are skipped.
func Sweep(t *testing.T, s sources.Source, files map[string][]byte, unknown map[string]string, count Counter) {
	t.Helper()
	n := 0
	for name, data := range files {
		if !s.Match(sources.NewHead(data)) {
			continue
		}
		c, ledger := Draw(t, s, name, data)
		for kind := range ledger.Generic {
			if unknown[kind] == "" {
				t.Errorf("%s: has an unknown record: %s", name, kind)
			}
		}
		if got, want := Count(c), count(name, data); got != want {
			t.Errorf("%s: got %+v, counted %+v", name, got, want)
		}
		n++
	}
	if n == 0 {
		t.Error("no file is of the source")
	}
	t.Logf("%d files counted", n)
}
