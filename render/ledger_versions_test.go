package render

import (
	"bytes"
	"strings"
	"testing"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestVersionRows: the ledger names the versions of the program, but not more than fit on a line.
func TestVersionRows(t *testing.T) {
	for _, c := range []struct {
		versions   []string
		name, text string
	}{
		{[]string{"2.1.1"}, "version of the program", "2.1.1"},
		{[]string{"1", "2"}, "versions of the program", "1, 2"},
		{[]string{"1", "2", "3", "4", "5", "6", "7"}, "versions of the program", "1, 2, 3, 4, 5 and 2 more"},
		{[]string{strings.Repeat("1", 99)}, "version of the program", strings.Repeat("1", 39) + "…"},
		{nil, "", ""},
	} {
		conversation := new(normalize.Conversation)
		conversation.Facts.Versions = c.versions
		var got LedgerRow
		for _, got = range versionRows(conversation) {
		}
		if got.Name != c.name || got.Count != c.text {
			t.Errorf("%+v: got %+v", c, got)
		}
	}
}

// TestVersionOnPage: what a page is made of has the version.
func TestVersionOnPage(t *testing.T) {
	f := transcript.Read("s.jsonl", []byte(`{"type":"user","uuid":"u","sessionId":"s","version":"2.1.7",`+
		`"message":{"role":"user","content":"Ask"}}`))
	c := normalize.Build(normalize.Input{ID: "s", Main: &f})
	page := DrawSession(Session{Conversation: c, Main: &f, Folder: "s"}).Pages[0].HTML
	_, rest, ok := bytes.Cut(page, []byte("version of the program"))
	if !ok || !bytes.Contains(rest[:40], []byte("2.1.7")) {
		t.Errorf("the page lacks the version")
	}
}
