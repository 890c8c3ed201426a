package render

import (
	"strings"
	"testing"

	"viewer/internal/testing/htmlcheck"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestContinued draws a turn over many pages. Without scripts, a later page names the prompt that it continues, and the
// first page the number of pages. A file for scripts has the outline of all pages, in which invisible characters are
// visible.
func TestContinued(t *testing.T) {
	s := new(sessionWriter)
	s.prompt(5)
	for range 40 {
		s.text(20_000)
	}
	s.prompt(3)
	s.text(10)
	s.lines[0] = strings.Replace(s.lines[0], "ppppp", "pp\u200bppp", 1)
	f := transcript.Read("s.jsonl", []byte(strings.Join(s.lines, "\n")+"\n"))
	c := normalize.Build(normalize.Input{ID: "s", Main: &f})
	c.Facts.CustomTitle = "Given"
	planned := Open(Session{Conversation: c, Main: &f, Folder: "s"})
	if planned.Len() < 3 {
		t.Fatalf("%d pages, want at least 3", planned.Len())
	}
	htmlcheck.Run(t, string(planned.Draw(1, nil).Page.HTML),
		htmlcheck.In(".out .toc .cont a", htmlcheck.HasText("ppU+200Bppp")),
		htmlcheck.Has(".out .toc[start='2']"), // so that the entry has the number 1
		htmlcheck.In(".turn .cont", htmlcheck.HasText("continues prompt 1: ppU+200Bppp")),
		htmlcheck.In(".pager span", htmlcheck.IsText("Page 2")),
		htmlcheck.In("main > .meta a[href^='index.html#']", htmlcheck.HasText("ppU+200Bppp")),
		htmlcheck.HasNot(".out .toc li:not(.cont)"),
	)
	first := string(planned.Draw(0, nil).Page.HTML)
	htmlcheck.Run(t, first,
		htmlcheck.In(".pager span", htmlcheck.IsText("Page 1 of "+count(planned.Len()))),
		htmlcheck.Has(".pager + #page-ledger"))
	pages, outline, _ := strings.Cut(planned.Outlines(), "\n")
	summary, outline, _ := strings.Cut(outline, "\n")
	if want := "index.html " + count(planned.Len()); pages != want {
		t.Errorf("the outline has the pages %q, want %q", pages, want)
	}
	_, outline, _ = strings.Cut(outline, "</div>\n") // skip how it ended
	if strings.Contains(outline, "\u200b") || !strings.Contains(outline, "ppU+200Bppp") {
		t.Error("the outline of all pages has an invisible character, want its number")
	}
	if !strings.HasPrefix(summary, "2 prompts") || strings.Count(outline, "<li><a") != 2 ||
		!strings.Contains(first, outline) {
		t.Errorf("the outline of all pages is %q, %q; want that of the first page", summary, outline)
	}
}
