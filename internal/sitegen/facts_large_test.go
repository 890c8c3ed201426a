package sitegen

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"viewer/internal/sitedata"
	"viewer/internal/testing/schemacheck"
)

// factsIn returns the facts of all sessions of a large site, each as JSON, found through its lists.
func factsIn(t *testing.T, dir string) []string {
	t.Helper()
	load := func(name, schema string, to any) {
		t.Helper()
		data := readFile(t, filepath.Join(dir, filepath.FromSlash(name)))
		if err := schemacheck.Validate(schemacheck.Load(t, schema), data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := json.Unmarshal(data, to); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	var root struct {
		Sessions int
		Months   []struct {
			File     string
			Sessions int
		}
	}
	load(sitedata.FactsName, "sessions-root.json", &root)
	var all []string
	for _, m := range root.Months {
		var month struct {
			Sessions int
			Projects []struct {
				Sessions int
				Files    []string
			}
		}
		load(m.File, "sessions-month.json", &month)
		ofMonth := len(all)
		for _, p := range month.Projects {
			ofProject := len(all)
			for _, name := range p.Files {
				var some []json.RawMessage
				load(name, "sessions.json", &some)
				for _, one := range some {
					all = append(all, string(one))
				}
			}
			if n := len(all) - ofProject; n != p.Sessions {
				t.Errorf("%s lists %d sessions of a project, want the %d of its files", m.File, p.Sessions, n)
			}
		}
		if n := len(all) - ofMonth; n != m.Sessions || n != month.Sessions {
			t.Errorf("%s is listed with %d and has %d sessions, want %d", m.File, m.Sessions, month.Sessions, n)
		}
	}
	if len(all) != root.Sessions {
		t.Errorf("%s lists %d sessions, want the %d of its files", sitedata.FactsName, root.Sessions, len(all))
	}
	slices.Sort(all)
	return all
}

// TestLargeFacts: a large site has the same facts as a small one. If a session grows, only one file of facts changes.
// Shards give the same files.
func TestLargeFacts(t *testing.T) {
	source := copyOf(t, testdata)
	settle(t, source)
	small := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test"}
	mustBuild(t, small)
	var listed []json.RawMessage
	if err := json.Unmarshal(readFile(t, filepath.Join(small.Out, sitedata.FactsName)), &listed); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, one := range listed {
		want = append(want, string(one))
	}
	slices.Sort(want)
	large := small
	large.Out, large.Large = t.TempDir(), 3
	mustBuild(t, large)
	if got := factsIn(t, large.Out); !slices.Equal(got, want) {
		t.Errorf("got facts of %d sessions that differ from the %d of a small site", len(got), len(want))
	}

	sharded := large
	sharded.Out = t.TempDir()
	buildShards(t, sharded, 2, 1, 0)
	if _, err := Merge(t.Context(), Options{Out: sharded.Out, Version: "test", Large: 3}); err != nil {
		t.Fatal(err)
	}
	sameSite(t, large.Out, sharded.Out)

	file := filepath.Join(source, "-home-mara-ovenbell", mainFiles(t, source, "-home-mara-ovenbell")[0])
	appendTo(t, file, `{"type":"user","uuid":"aaaaaaaa-1111-4000-8000-00000000000a","timestamp":"2027-01-02T00:00:00Z",`+
		`"message":{"role":"user","content":"and now the oven"}}`+"\n")
	var changed []string
	for _, name := range mustBuild(t, large).Changed {
		if strings.HasPrefix(name, factsFolder) || name == sitedata.FactsName {
			changed = append(changed, name)
		}
	}
	if len(changed) != 1 {
		t.Errorf("a session that grew changes %v, want one file of facts", changed)
	}
	again := large
	again.Out = t.TempDir()
	mustBuild(t, again)
	compareTrees(t, again.Out, large.Out)

	large.Large = 0 // below the limit the site is small again
	mustBuild(t, large)
	mustBuild(t, small)
	compareTrees(t, small.Out, large.Out)
	if _, err := os.Stat(filepath.Join(large.Out, filepath.FromSlash(factsFolder))); err == nil {
		t.Error("the folder of facts of a large site still exists in a small one")
	}
}

// TestLargeSiteReader: queries to a large site give the same answers as to a small one.
func TestLargeSiteReader(t *testing.T) {
	out := [2]string{t.TempDir(), t.TempDir()}
	var views [2]*sitedata.View
	for i, dir := range out {
		mustBuild(t, Options{Sources: []string{testdata}, Out: dir, Version: "test", Large: 3 * i})
		if err := sitedata.NewReader(dir).Read(func(v *sitedata.View) error { views[i] = v; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	all, err := views[0].Sessions(sitedata.Chosen{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []sitedata.Chosen{{}, {Project: all[0].Project}, {Project: strings.ToUpper(all[0].Project[:3])},
		{Since: "2026"}, {Until: "2026-06"}, {Since: "2026-06-02", Until: "2026-07-01"}, {Project: "nothing"}} {
		chosen := func(v *sitedata.View) (ids []string) {
			some, err := v.Sessions(c)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range some {
				day := s.Start.UTC().Format("2006-01-02")
				if strings.Contains(strings.ToLower(s.Project), strings.ToLower(c.Project)) && day >= c.Since &&
					(c.Until == "" || day[:len(c.Until)] <= c.Until) {
					ids = append(ids, s.ID)
				}
			}
			slices.Sort(ids)
			return ids
		}
		if one, two := chosen(views[0]), chosen(views[1]); !slices.Equal(one, two) {
			t.Errorf("%+v: got %[3]d sessions of the large site, want %[2]d", c, len(one), len(two))
		}
	}
	for _, s := range all {
		for _, id := range []string{s.ID, s.Folder(), s.ID[:6], "nothing"} {
			one, err := views[0].Named(id)
			two, failed := views[1].Named(id)
			if err != nil || failed != nil || len(one) != len(two) || len(one) == 1 && one[0].Page != two[0].Page {
				t.Errorf("%s: %d sessions and %d of the large site, errors %v and %v",
					id, len(one), len(two), err, failed)
			}
		}
	}
}
