package sitegen

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"viewer/internal/search"
	"viewer/internal/sitedata"
	"viewer/internal/testing/corpus"
	"viewer/internal/testing/manysessions"
)

// TestCutSearch: the divided index of a large site gives the answers of an undivided one with few files, and an
// incremental build gives the index of a clean one.
func TestCutSearch(t *testing.T) {
	corpus.Long(t)
	sessions := 720 // blocks of two sizes, and an incomplete one
	if testing.Short() {
		sessions = 200 // blocks of one size
	}
	source := t.TempDir()
	if err := manysessions.Write(source, sessions); err != nil {
		t.Fatal(err)
	}
	settle(t, source)
	whole := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
	cut := whole
	cut.Out, cut.Large = t.TempDir(), 100
	mustBuild(t, cut)
	if !testing.Short() {
		mustBuild(t, whole)
		compareAnswers(t, whole.Out, cut.Out)
	}

	sharded := cut
	sharded.Out = t.TempDir()
	buildShards(t, sharded, 3, 2, 0, 1)
	if _, err := Merge(t.Context(), Options{Out: sharded.Out, Version: "test", Large: 100}); err != nil {
		t.Fatal(err)
	}
	sameSite(t, cut.Out, sharded.Out)

	for i, n := range []int{3, 90, sessions * 2 / 3} { // in blocks of all sizes
		text := "a new word: quokka" + fmt.Sprint(i)
		appendTo(t, filepath.Join(source, manysessions.Path(n)), manysessions.Record(n, 5, "user", text))
		r := mustBuild(t, cut)
		if r.Written > 20 {
			t.Errorf("one more record in session %d writes %d files, want at most 20: %v", n, r.Written, r.Changed)
		}
		t.Logf("session %d: %d files: %v", n, r.Written, r.Changed)
	}
	for n := 3; n < sessions; n += 60 { // in several blocks of the same size
		appendTo(t, filepath.Join(source, manysessions.Path(n)), manysessions.Record(n, 6, "user", "a numbat"))
	}
	mustBuild(t, cut)
	if testing.Short() {
		return // with the race detector each kind of build has run; comparing with clean builds adds nothing
	}
	again := cut
	again.Out = t.TempDir()
	mustBuild(t, again)
	compareTrees(t, again.Out, cut.Out)
	if !corpus.Full() {
		return // the three builds below take as long as everything above
	}
	if err := os.Remove(filepath.Join(source, manysessions.Path(sessions-1))); err != nil { // this changes all blocks
		t.Fatal(err)
	}
	cut.Prune, whole.Prune = true, true
	mustBuild(t, cut)
	again.Out = t.TempDir()
	mustBuild(t, again)
	compareTrees(t, again.Out, cut.Out)
	mustBuild(t, whole)
	compareAnswers(t, whole.Out, cut.Out)
}

// compareAnswers runs queries on a small and a large site of the same sessions.
func compareAnswers(t *testing.T, whole, cut string) {
	t.Helper()
	wholeIndex, err := sitedata.Index(whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		query string
		all   bool // few enough hits that both must give all of them
	}{
		{"unique7", true}, {"unique30*", true}, {"scarcely", true}, {"scarcely seen", true}, {`"scarcely seen"`, true},
		{"seen unique57", true}, {"scarcely project:project-3", true}, {"scarcely -project:project-3", true},
		{"scarcely after:2026-11-10", true}, {"scarcely before:2026-11-05 after:2026-10-28", true},
		{"scarcely kind:answer", true}, {"scarcely kind:prompt", true}, {"scarcely agent:claude-code", true},
		{"scarcely agent:codex", true}, {"scarcely is:error", true}, {"scarcely model:fable", true},
		{"scarcely model:opus", true}, {"unique7 unique8", true}, {"unikue7", true}, {"scarcley", true},
		{"zzzz", true}, {"kind:prompt after:2026-11-20", true}, {manysessions.Word(1), false},
		{manysessions.Word(1) + " " + manysessions.Word(2), false}, {manysessions.Word(900), false},
		{manysessions.Word(3) + " unique9", true}, {"project:project-5 " + manysessions.Word(4), false},
		{"is:error", true},
	} {
		var asked []string
		cutIndex, err := search.OpenIndex(func(name string) ([]byte, error) {
			asked = append(asked, name)
			return os.ReadFile(filepath.Join(cut, filepath.FromSlash(name)))
		})
		if err != nil {
			t.Fatal(err)
		}
		q := search.ParseQuery(c.query, search.Options{})
		enough := 10
		if c.all {
			enough = 1000
		}
		want, err := wholeIndex.Find(q, enough)
		if err != nil {
			t.Fatal(err)
		}
		got, err := cutIndex.Find(search.ParseQuery(c.query, search.Options{}), enough)
		if err != nil {
			t.Fatalf("%s: %v", c.query, err)
		}
		one, other := folders(want), folders(got)
		if c.all && !slices.Equal(one, other) || !c.all && (len(other) < min(len(one), 10)) {
			t.Errorf("%s: found %d sessions, but %d in the large site\n%v\n%v", c.query, len(one), len(other),
				one, other)
		}
		if got.Partial != want.Partial || fmt.Sprint(got.Near) != fmt.Sprint(want.Near) {
			t.Errorf("%s: partial %v, but %v in the large site; near %v, but %v",
				c.query, want.Partial, got.Partial, want.Near, got.Near)
		}
		slices.Sort(asked)
		if n := len(slices.Compact(slices.Clone(asked))); !c.all && n > 30 || n < len(asked) && !got.Partial {
			t.Errorf("%s: reads %d files, %d of them twice; want at most 30 and none", c.query, n, len(asked)-n)
		}
		if c.all {
			continue
		}
		for _, g := range got.Groups {
			if g.Session.Title == "" || g.Session.Project == "" {
				t.Errorf("%s: a hit in a session without title or project: %+v", c.query, g.Session)
			}
			docs, err := cutIndex.Documents(g.Session.Folder)
			same, failed := wholeIndex.Documents(g.Session.Folder)
			if err != nil || failed != nil || fmt.Sprint(docs) != fmt.Sprint(same) {
				t.Errorf("%s has %d documents, but %d in the large site; errors %v, %v", g.Session.Folder, len(same),
					len(docs), err, failed)
			}
		}
	}
}

// folders returns the folders of the sessions with hits, each with the number of hits.
func folders(f search.Found) []string {
	var all []string
	for _, g := range f.Groups {
		all = append(all, strings.Join([]string{g.Session.Folder, g.Session.Project, fmt.Sprint(len(g.Hits))}, " "))
	}
	slices.Sort(all)
	return all
}
