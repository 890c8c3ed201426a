package render

import (
	"reflect"
	"testing"
)

// TestPageStore: stored pages are read as written, and truncated data is not used.
func TestPageStore(t *testing.T) {
	page := &cachedPage{
		signature: signature{1, 2, 3}, outline: "<li>",
		entries: []ledgerEntry{{}, {kind: "tool Foo", generic: true}, {}}, marked: []bool{true, true, false},
		steps: []outlineStep{{Href: "a", Text: "b", Icon: "term", Look: "d", anchor: "e", merges: true}},
		lookups: &lookups{
			pages: map[string]string{"x": "2.html"}, calls: map[string]string{"toolu_1": ""},
			lines:     map[string]lineTarget{"l": {"changes.html", true}},
			spilled:   map[string]foundData{"out": newFoundData([]byte("text"), true)},
			workflows: map[string]foundData{"w": {}},
		},
	}
	m := &PageCache{
		pages:        map[string]*cachedPage{"2.html": page, "3.html": page},
		changesPages: map[string]signature{"changes.html": {4, 5}, "changes-2.html": {6}},
	}
	data := string(m.AppendPages(nil))
	b := &Pages{new(pagesData)}
	if !b.UsePages(data) || !reflect.DeepEqual(b.b.cache, m) {
		t.Fatalf("read %+v, want %+v", b.b.cache, m)
	}
	for n := range len(data) {
		if cut := (&Pages{new(pagesData)}); cut.UsePages(data[:n]) || cut.b.cache != nil {
			t.Fatalf("%d bytes of %d are accepted, want an error", n, len(data))
		}
	}
}
