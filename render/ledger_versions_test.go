package render

import (
	"testing"

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
