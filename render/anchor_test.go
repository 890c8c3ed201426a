package render

import (
	"strings"
	"testing"

	"viewer/internal/testing/golden"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestAnchorsExist: each anchor that a page says it has exists on it, for all golden cases of this package and of
// normalize.
func TestAnchorsExist(t *testing.T) {
	for _, pattern := range []string{"testdata/*/*.txtar", "../normalize/testdata/*/*.txtar"} {
		for _, path := range golden.Glob(t, pattern) {
			a := golden.Open(t, path)
			if !a.Has("in.jsonl") {
				continue
			}
			f := transcript.Read("in.jsonl", []byte(a.Section(t, "in.jsonl")))
			b := Open(Session{Main: &f, Folder: "s", Conversation: normalize.Build(normalize.Input{ID: "s", Main: &f})})
			pages := make(map[string]string)
			for i := range b.Len() {
				s := b.Draw(i, nil)
				pages[s.Page.Name] = string(s.Page.HTML)
			}
			for anchor, page := range b.b.data.anchorPages {
				if !strings.Contains(pages[page], `id="`+anchor+`"`) {
					t.Errorf("%s: page %[3]s has no element with id %[2]s", path, anchor, page)
				}
			}
		}
	}
}
