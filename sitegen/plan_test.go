package sitegen

import (
	"strings"
	"testing"

	"viewer/render"
)

// TestTellApart names projects of one name by the folder above, and projects
// that cannot be told apart that way by a hash of their folder.
func TestTellApart(t *testing.T) {
	named := func(name, cwd string) *project {
		return &project{Project: render.Project{Name: name}, cwd: cwd, folder: &folder{name: cwd}}
	}
	projects := []*project{
		named("site", "/home/mara/work/site"), named("Site", `C:\private\Site`), named("tides", "/home/mara/tides"), named("site", "/site"),
	}
	tellApart(projects)
	var got []string
	for _, p := range projects {
		got = append(got, p.Name)
	}
	if want := "work/site private/Site tides site"; strings.Join(got, " ") != want {
		t.Errorf("names are %q, want %q", got, want)
	}
	d := distinct{}
	owner := func(name string) func() string { return func() string { return name } }
	one, other := d.of("site", owner("-a-site")), d.of("Site", owner("-b-site"))
	if one != "site" || other == "Site" || !strings.HasPrefix(other, "Site-") || other == d.of("site", owner("-c-site")) {
		t.Errorf("the second of two names is %q after %q, want it told apart", other, one)
	}
}

// TestJoinFolders joins a project that lies in two sources, and nothing else.
func TestJoinFolders(t *testing.T) {
	fo := func(name string) *folder { return &folder{name: name, sessions: []*session{{}}} }
	got := joinFolders([]*folder{fo("-w-tides"), fo("fixtures"), fo("-w-tides"), fo("fixtures")})
	if len(got) != 3 || len(got[0].sessions) != 2 || len(got[1].sessions) != 1 {
		t.Errorf("%d folders, want 3: the two of -w-tides joined, the others as they are", len(got))
	}
}
