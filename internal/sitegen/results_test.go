package sitegen

import (
	"context"
	"hash/maphash"
	"html"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"unicode"

	"viewer/normalize"
)

// checkResults looks for the texts of all results on the pages of a site, because a record may be drawn without one of
// its texts. It looks for pairs of consecutive words, because drawings change everything else. A long sequence of
// missing pairs is a text that is left out; a short one may be a standard remark of a tool.
func checkResults(t *testing.T, out string, o Options) {
	t.Helper()
	media := make(pairs)
	media.addFiles(t, filepath.Join(out, "media"), ".txt")
	var mu sync.Mutex
	err := o.EachSession(context.Background(), false, func(s Chosen) error {
		if s.Empty {
			return nil
		}
		shown := make(pairs)
		mu.Lock()
		defer mu.Unlock()
		shown.addFiles(t, filepath.Join(out, "s", s.Folder), ".html")
		for c := range s.Conversation.All() {
			for g := range c.Groups() {
				name := "a result"
				if g.Call != nil {
					name = g.Call.Name
				}
				if g.Result == nil || c.Derived {
					continue
				}
				for _, b := range g.Result.Block.Content {
					text, _ := normalize.ResultText(b.Text)
					missing := ""
					for pair, word := range pairsOf(escapes.ReplaceAllString(text, " ")) {
						if shown[pair] || media[pair] {
							missing = ""
						} else if missing += " " + word; strings.Count(missing, " ") > longestRemark {
							t.Errorf("%s: %s: missing on all pages: %s ...", g.Result.Record.Pos, name, missing)
							break
						}
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// pairs are hashes of pairs of consecutive words.
type pairs map[uint64]bool

var pairSeed = maphash.MakeSeed()

// longestRemark is the number of consecutive words that may be missing: as many as the program's remark on the result
// of each edit.
const longestRemark = 26

// escapes matches sequences for colours and titles.
var escapes = regexp.MustCompile(`\x1b(?:\[[0-9;?]*[a-zA-Z]|\][^\x07\x1b]*(?:\x07|\x1b\\))`)

// pairsOf returns the pairs of words of a text, each with its second word. Words without a letter, such as line
// numbers, are left out.
func pairsOf(text string) iter.Seq2[uint64, string] {
	return func(yield func(uint64, string) bool) {
		before := ""
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}) {
			if strings.IndexFunc(word, unicode.IsLetter) < 0 {
				continue
			}
			if before != "" && !yield(maphash.String(pairSeed, before+" "+word), word) {
				return
			}
			before = word
		}
	}
}

func (p pairs) addFiles(t *testing.T, dir, ext string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) || err == nil && filepath.Ext(path) != ext {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := string(data)
		if ext == ".html" {
			text = html.UnescapeString(withoutTags(text))
		}
		for pair := range pairsOf(text) {
			p[pair] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// withoutTags returns the text of a page. Elements inside of words are replaced by nothing, not by a space.
func withoutTags(page string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(page, "<")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		name := strings.TrimLeft(after[:min(12, len(after))], "/")
		end := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLower(r) })
		switch name[:max(end, 0)] {
		case "p", "div", "br", "li", "tr", "td", "th", "pre", "details", "summary", "section", "table":
			b.WriteByte('\n')
		}
		_, page, _ = strings.Cut(after, ">")
	}
}
