package render

import (
	"strings"
	"testing"
)

// TestLongOutput draws a text that is too long for a page: the page has its beginning, and a file all of it.
func TestLongOutput(t *testing.T) {
	d := emptyPage()
	s := strings.Repeat("high water <9 m>\n", 8000)
	o := d.plain(s)
	if o.Lines != 8000 || o.All != "more" || o.FullText.Size != "136.0 KB, 8,000 lines" {
		t.Errorf("Lines, All, Size = %d, %q, %q, want 8000, more, 136.0 KB, 8,000 lines", o.Lines, o.All,
			o.FullText.Size)
	}
	if n := len(o.Head) + len(o.Rest); n > 2*excerptText {
		t.Errorf("got %d bytes of HTML on the page, want about %d", n, excerptText)
	}
	if len(d.media.files) != 1 || string(d.media.files[0].Data) != strings.TrimRight(s, "\n") ||
		o.FullText.Href != "../../"+d.media.files[0].Name {
		t.Errorf("files = %d, href %q: want one that holds the whole text", len(d.media.files), o.FullText.Href)
	}

	line := d.plain(strings.Repeat("é", maxText))
	if strings.Contains(string(line.Head), "\uFFFD") || line.FullText.Size != "131.1 KB, 1 line" || line.Rest != "" {
		t.Errorf("one long line: Size %q, Rest of %d bytes; want 131.1 KB, 1 line, none, and no broken character",
			line.FullText.Size, len(line.Rest))
	}
}

func TestFold(t *testing.T) {
	d := emptyPage()
	for _, c := range []struct {
		lines int
		folds bool
	}{{1, false}, {screenful, false}, {screenful + slack, false}, {screenful + slack + 1, true}, {500, true}} {
		o := d.numbered(strings.TrimSuffix(strings.Repeat("x\n", c.lines), "\n"), "a.txt", 10)
		if (o.Rest != "") != c.folds {
			t.Errorf("%d lines: folds = %v, want %v", c.lines, o.Rest != "", c.folds)
		}
		if c.folds && (strings.Count(o.HeadGutter, "\n") != screenful || !strings.HasPrefix(o.RestGutter, "34\n")) {
			t.Errorf("%d lines: gutters %q and %q, want %d lines, then from 34", c.lines, o.HeadGutter, o.RestGutter,
				screenful)
		}
	}
	if o := d.terminal(" \n\t\n"); o != nil {
		t.Errorf("blank output = %+v, want nil", o)
	}
	if o := d.numbered("\n\nthird", "", 1); o == nil || o.Lines != 3 {
		t.Errorf("a text that starts with blank lines: %+v, want 3 lines", o)
	}
}
