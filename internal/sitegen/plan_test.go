package sitegen

import (
	"path"
	"strings"
	"testing"

	"viewer/render"
)

// TestTellApart: projects with the same name are named by the part of their paths that differs. If the paths do not
// differ, the name has a hash of the folder.
func TestTellApart(t *testing.T) {
	named := func(name, cwd string) *project {
		return &project{Project: render.Project{Name: name}, cwd: cwd, folder: &folder{name: cwd}}
	}
	for _, test := range []struct{ cwds, want string }{
		{`/home/mara/work/site C:\private\Site /home/mara/tides /site`, "work/site private/Site tides site"},
		{"/home/mara/work/site /home/noor/work/site", "mara/work/site noor/work/site"},
		{"/home/mara/work/new/site /home/noor/work/new/site /srv/site", "mara/…/site noor/…/site srv/site"},
		{"/mnt/mds4xgl3/buildroot /mnt/SNMP_PLAN_E/buildroot", "mds4xgl3/buildroot SNMP_PLAN_E/buildroot"},
		{"/w/a/site /w/a/site /w/b/site", "a/site a/site b/site"}, // the same folder, as far as known
	} {
		var projects []*project
		for cwd := range strings.FieldsSeq(test.cwds) {
			projects = append(projects, named(path.Base(strings.ReplaceAll(cwd, `\`, "/")), cwd))
		}
		disambiguate(projects)
		var got []string
		for _, p := range projects {
			got = append(got, p.Name)
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s: got names %q, want %q", test.cwds, got, test.want)
		}
	}
	d := distinct{}
	owner := func(name string) func() string { return func() string { return name } }
	one, other := d.of("site", owner("-a-site")), d.of("Site", owner("-b-site"))
	third := ""
	for range 5 {
		third = d.of("site", owner("-b-site"))
	}
	if len(third) != len(other) {
		t.Errorf("the sixth name is %q, want the length of the second", third)
	}
	if one != "site" || other == "Site" || !strings.HasPrefix(other, "Site-") ||
		other == d.of("site", owner("-c-site")) {
		t.Errorf("the second of two names is %q after %q, want a different one with a hash", other, one)
	}
}

// TestJoinFolders: a project in two sources is joined to one, and no others are.
func TestJoinFolders(t *testing.T) {
	fo := func(name string) *folder {
		return &folder{name: name, ofPath: name[0] == '-', sessions: []*session{{}}}
	}
	got := joinByName([]*folder{fo("-w-tides"), fo("fixtures"), fo("-w-tides"), fo("fixtures")})
	if len(got) != 3 || len(got[0].sessions) != 2 || len(got[1].sessions) != 1 {
		t.Errorf("%d folders, want 3: the two of -w-tides joined, the others unchanged", len(got))
	}
}
