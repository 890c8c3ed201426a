package zed_test

import (
	"reflect"
	"strings"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/zed"
	"viewer/internal/testing/sourcetest"
)

// TestSplit: each row is a thread, compressed or not. One that cannot be decompressed is an error when it is read.
func TestSplit(t *testing.T) {
	data := sourcetest.File(t, "threads.db")
	parts := sourcetest.Split(t, zed.Source{}, data, 3)
	cases := sourcetest.Cases(t, "zed_*")
	for i, name := range []string{"zed_thread", "zed_packed"} {
		read, err := parts[i].Read()
		if err != nil || string(read) != strings.TrimSuffix(string(cases[name]), "\n") {
			t.Errorf("error %v: got thread %s\n%s\nwant\n%s", err, parts[i].Name, read, cases[name])
		}
		if !(zed.Source{}).Match(sources.NewHead(read)) {
			t.Errorf("Match does not recognize %.60s", read)
		}
	}
	if _, err := parts[2].Read(); err == nil || !strings.Contains(err.Error(), parts[2].Name+" cannot be unpacked") {
		t.Errorf("a truncated thread: got error %v", err)
	}
	sourcetest.Version(t, zed.Source{}, data, 3, "2026-05-01T08:10:00Z", "2026-05-01T08:10:01Z", 0)
}

// TestMatch: other documents are not those of Zed.
func TestMatch(t *testing.T) {
	other := sources.NewHead([]byte(`{"version":"0.3.0","title":"x","messages":[]}`))
	if (zed.Source{}).Match(other) || (zed.Source{}).Wants("a.json") {
		t.Error("a JSON document is accepted as a thread")
	}
	if got := (zed.Source{}).FolderOf(sourcetest.Cases(t, "zed_thread")["zed_thread"]); got != "/w/hedge" {
		t.Errorf("got folder %q, want /w/hedge", got)
	}
	want := []string{"/d/zed/threads", "/h/Library/Application Support/Zed/threads", "/d/Zed/threads"}
	if got := (zed.Source{}).Folders(func(string) string { return "/d" }, "/h"); !reflect.DeepEqual(got, want) {
		t.Errorf("got folders %q", got)
	}
}

// TestDraw: the golden cases are drawn with the tokens of all requests.
func TestDraw(t *testing.T) {
	c, _ := sourcetest.Draw(t, zed.Source{}, "t", sourcetest.Cases(t, "zed_thread")["zed_thread"])
	want := sourcetest.Counts{Prompts: 1, Calls: 2, Results: 2, Input: 120, Output: 30, Cached: 900, Written: 7}
	if got := sourcetest.Count(c); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestDamaged: of a damaged database, the rest is read.
func TestDamaged(t *testing.T) {
	sourcetest.Damage(t, zed.Source{}, "testdata/threads.db")
}

// FuzzTranslate: any thread becomes records or problems, and nothing panics.
func FuzzTranslate(f *testing.F) {
	sourcetest.Fuzz(f, zed.Source{}, sourcetest.Cases(f, "zed_*"))
}
