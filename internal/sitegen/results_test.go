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

// checkResults looks on the pages of a site for the texts of all results: a record may be drawn and a text in
// it be left out. Neighbouring words are what is looked for, since drawings change all else: a report that
// nobody shows is a long row of them, the remark of a tool that it has done its work a short one.
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
							t.Errorf("%s: %s: on no page: %s ...", g.Result.Record.Pos, name, missing)
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

// pairs are hashes of neighbouring words.
type pairs map[uint64]bool

var pairSeed = maphash.MakeSeed()

// longestRemark is how many words in a row may be on no page: what the program remarks on the result of each edit.
const longestRemark = 26

// escapes are how colours and titles are set.
var escapes = regexp.MustCompile(`\x1b(?:\[[0-9;?]*[a-zA-Z]|\][^\x07\x1b]*(?:\x07|\x1b\\))`)

// pairsOf gives the pairs of words of a text, each with the second one. What holds no letter, as numbers of lines, is
// no word.
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

// withoutTags is the text of a page. Elements that stand inside of words leave nothing behind.
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
