package render

import (
	"reflect"
	"testing"

	"viewer/normalize"
	"viewer/stats"
)

func TestTouchedFiles(t *testing.T) {
	d := newDrawer(new(normalize.Conversation), stats.Prices{})
	d.pages = map[string]string{"a": "index.html", "b": "2.html", "c": "2.html"}
	d.page = "index.html"
	edited := func(path string, added, removed int) row {
		r := row{Path: path, Changes: true}
		r.change(added, removed)
		return r
	}
	// Pages are drawn from the last to the first.
	d.job = 1
	d.touch(edited("src/b.go", 3, 0), "b")
	d.touch(edited("a.go", 1, 2), "c")
	d.job = 0
	d.touch(edited("a.go", 40, 1), "a")
	d.touch(row{Path: "read.go"}, "a")
	d.undone = 1
	d.touch(edited("rewound.go", 1, 1), "a")

	b := book{d: d, jobs: make([]job, 2)}
	want := []fileEntry{
		{Href: "#a", Name: "a.go", Facts: changes(41, 3)},
		{Href: "2.html#b", Dir: "src/", Name: "b.go", Facts: changes(3, 0)},
	}
	if got := b.touchedFiles(); !reflect.DeepEqual(got, want) {
		t.Errorf("touched files:\n got %+v\nwant %+v", got, want)
	}
}
