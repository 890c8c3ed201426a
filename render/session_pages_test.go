package render

import (
	"bytes"
	"sync"
	"testing"

	"viewer/internal/testing/corpusgen"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestPagesAtTheSameTime draws the pages of a session one after the other and in parallel, which must give the same
// bytes.
func TestPagesAtTheSameTime(t *testing.T) {
	f := transcript.Read("s.jsonl", corpusgen.Session(3, 8_000_000))
	s := Session{Conversation: normalize.Build(normalize.Input{ID: "s", Main: &f}), Main: &f, Folder: "s"}
	one, many := Open(s), Open(s)
	if one.Len() < 8 {
		t.Fatalf("got %d pages, want more to draw in parallel", one.Len())
	}
	want, got := make([]DrawnPage, one.Len()), make([]DrawnPage, one.Len())
	var all sync.WaitGroup
	for i := range want {
		if i == 0 {
			continue
		}
		want[i] = one.Draw(i, nil)
		all.Go(func() { got[i] = many.Draw(i, nil) })
	}
	all.Wait()
	want[0], got[0] = one.Draw(0, nil), many.Draw(0, nil)
	for i := range want {
		if page := want[i].Page; got[i].Page.Name != page.Name || !bytes.Equal(got[i].Page.HTML, page.HTML) {
			t.Errorf("page %s differs if all are drawn in parallel", page.Name)
		}
	}
}
