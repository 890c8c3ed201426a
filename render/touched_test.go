package render

import (
	"reflect"
	"testing"
	"time"

	"viewer/internal/stats"
	"viewer/normalize"
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
	at := time.Date(2026, 3, 2, 9, 5, 0, 0, time.UTC)
	// Pages are drawn from the last to the first.
	d.job = 1
	d.touch(edited("src/b.go", 3, 0), "b", at)
	d.touch(edited("a.go", 1, 2), "c", at)
	d.job = 0
	d.touch(edited("a.go", 40, 1), "a", time.Time{})
	d.touch(row{Path: "read.go"}, "a", at)
	d.undone = 1
	d.touch(edited("rewound.go", 1, 1), "a", at)

	b := book{d: d, jobs: make([]job, 2)}
	want := []fileEntry{
		{Href: "#a", Name: "a.go", Facts: changes(41, 3), Changes: []changeEntry{
			{Href: "#a", Facts: changes(40, 1)}, {Href: "2.html#c", When: newStamp(at, "time", "15:04"), Facts: changes(1, 2)},
		}},
		{Href: "2.html#b", Dir: "src/", Name: "b.go", Facts: changes(3, 0)},
	}
	if got, n := b.touchedFiles(); n != 2 || !reflect.DeepEqual(got, want) {
		t.Errorf("touched files:\n got %+v\nwant %+v", got, want)
	}

	d.undone = 0
	for range 40 {
		d.touch(edited("often.go", 1, 0), "a", at)
	}
	files, _ := b.touchedFiles()
	if often := files[1]; len(often.Changes) != 30 || often.More != "and 10 more changes" || often.Facts[0].Text != "+40" {
		t.Errorf("a file that was changed 40 times has %d links, %q, %v", len(often.Changes), often.More, often.Facts)
	}
}
