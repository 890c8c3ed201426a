package filepages

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"viewer/assets"
	"viewer/internal/testing/corpus"
	"viewer/internal/testing/htmlcheck"
	"viewer/render"
	"viewer/render/indexpages"
	"viewer/render/page"
)

// TestProjectPath: files are named relative to the root of their project, whichever worktree a session ran in.
func TestProjectPath(t *testing.T) {
	for _, c := range []struct{ name, cwd, root, want string }{
		{"src/a.go", "/r", "/r", "src/a.go"},
		{"/r/src/a.go", "/r/src/deep", "/r", "src/a.go"},
		{"a.go", "/r/src", "/r", "src/a.go"},
		{"/r/.claude/worktrees/fix/src/a.go", "/r", "/r", "src/a.go"},
		{"src/a.go", "/r/.claude/worktrees/fix", "/r", "src/a.go"},
		{"/r/src/a.go", "/r/.claude/worktrees/fix", "/r", "src/a.go"},
		{"src/a.go", "/elsewhere/r-fix", "/r", "src/a.go"},
		{"~/r/a.go", "~/r/x", "~/r", "a.go"},
		{`C:\r\src\a.go`, `C:\r`, `C:\r`, "src/a.go"},
		{"a b/ä'.go", "", "", "a b/ä'.go"},
		{"/etc/hosts", "/r", "/r", "outside /etc/hosts"},
		{"/rest/a.go", "/r", "/r", "outside /rest/a.go"},
		{"../up.go", "", "", "outside ../up.go"},
		{"~/.claude/plans/a.md", "~/r", "~/r", "outside ~/.claude/plans/a.md"},
	} {
		got, outside := projectPath(c.name, c.cwd, c.root)
		if outside {
			got = "outside " + got
		}
		if got != c.want {
			t.Errorf("%s of a session in %s: got %s, want %s", c.name, c.cwd, got, c.want)
		}
	}
	if got := projectRoot([]Session{{CWD: "/r/src"}, {CWD: "/r/src"}, {CWD: "/r"}, {CWD: "/x"}}); got != "/r" {
		t.Errorf("got the root %s", got)
	}
}

// sessionsChangingFiles returns sessions of a project that together changed so many files, each session some of them.
func sessionsChangingFiles(files, each int) []Session {
	var all []Session
	for n := 0; n*each < files; n++ {
		s := Session{
			Folder: fmt.Sprintf("s%d", n), Title: fmt.Sprintf("Session %d <b>", n), CWD: "/r",
			Start: time.Date(2026, 3, 1, n%24, 0, 0, 0, time.UTC).AddDate(0, 0, n/24),
		}
		for i := n * each; i < min(files, (n+1)*each); i++ {
			s.Files = append(s.Files, render.ChangedFile{
				Path:  fmt.Sprintf("pkg%d/sub%d/file %d & \"é\".go", i%40, i%7, i),
				Added: i%90 + 1, Removed: i % 3, Calls: 1,
				Last: s.Start.Add(time.Minute), Page: fmt.Sprintf("index.html#a%d", i),
			})
		}
		all = append(all, s)
	}
	return all
}

func drawnFiles(t *testing.T, sessions []Session) (fstest.MapFS, []Path) {
	t.Helper()
	site := fstest.MapFS{}
	for _, f := range assets.Files() {
		site["assets/"+f.Name] = &fstest.MapFile{Data: []byte(f.Text)}
	}
	stub := func(name string, anchors []render.ChangedFile) {
		head := page.NewHead("page-session", "t", "g", strings.Repeat("../", strings.Count(name, "/")), nil)
		page := string(page.Execute("page/head", head)) + `<main id="main" tabindex="-1"><h1>t</h1>`
		for _, c := range anchors {
			_, id, _ := strings.Cut(c.Page, "#")
			page += fmt.Sprintf("<p id=%q></p>", id)
		}
		site[name] = &fstest.MapFile{Data: []byte(page + "</main></body></html>")}
	}
	stub("index.html", nil)
	stub("p/r/index.html", nil)
	for _, s := range sessions {
		stub("s/"+s.Folder+"/index.html", s.Files)
	}
	project := render.Project{Name: "r", Path: "p/r/index.html"}
	pages, paths := Plan(indexpages.Site{Generator: "viewer test"}, project, sessions)
	for _, p := range pages {
		if site[p.Name] != nil {
			t.Errorf("two pages are named %s", p.Name)
		}
		site[p.Name] = &fstest.MapFile{Data: p.HTML()}
	}
	return site, paths
}

// TestFilesPages draws the files of small, large and hostile projects. Each file is listed once, no page is too large,
// and all links have targets.
func TestFilesPages(t *testing.T) {
	hostile := sessionsChangingFiles(800, 3)
	for i := range hostile {
		hostile[i].Title = strings.Repeat(`"<&'`, 100)
		for j := range hostile[i].Files {
			f := &hostile[i].Files[j]
			f.Path = fmt.Sprintf("%s/%d/%s", strings.Repeat(`<"'`, 300), i, strings.Repeat("&", 900))
			f.From = strings.Repeat("'", 1000)
		}
	}
	large, most := 1_000, 1_000
	if corpus.Full() {
		large, most = 10_000, 3_000
	}
	busy := sessionsChangingFiles(most, 1)
	for i := range busy {
		busy[i].Files[0].Path = "CHANGELOG.md"
	}
	for _, c := range []struct {
		name         string
		sessions     []Session
		files, pages int
	}{
		{"few", sessionsChangingFiles(40, 5), 40, 1},
		{"thousands", sessionsChangingFiles(large, 25), large, large / 250},
		{"one file", busy, 1, 1},
		{"hostile", hostile, 268, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			site, paths := drawnFiles(t, c.sessions)
			htmlcheck.Site(t, site)
			pages, rows := 0, 0
			for name, file := range site {
				if strings.HasPrefix(name, "p/r/files/") {
					pages++
					rows += bytes.Count(file.Data, []byte(`<details id="f-`))
					if len(file.Data) > 600_000 {
						t.Errorf("%s has %d bytes, want 600,000 at most", name, len(file.Data))
					}
				}
			}
			if rows != c.files || len(paths) != c.files || pages < c.pages {
				t.Errorf("%d files on %d pages, %d paths; want %d files, at least %d pages", rows, pages, len(paths),
					c.files, c.pages)
			}
			for _, p := range paths {
				name, anchor, _ := strings.Cut(p.Page, "#")
				if !bytes.Contains(site["p/r/files/"+name].Data, []byte(`id="`+anchor+`"`)) {
					t.Fatalf("%s is not on %s", p.Path, p.Page)
				}
			}
		})
	}
}

// TestFilesAppend: a changed session changes the pages of its files, and the first page.
func TestFilesAppend(t *testing.T) {
	planned := func(sessions []Session) map[string]indexpages.Page {
		all := make(map[string]indexpages.Page)
		pages, _ := Plan(indexpages.Site{}, render.Project{Name: "r", Path: "p/r/index.html"}, sessions)
		for _, p := range pages {
			all[p.Name] = p
		}
		return all
	}
	before := planned(sessionsChangingFiles(10_000, 25))
	for _, c := range []struct {
		name  string
		files []render.ChangedFile
		pages int
	}{
		{"a known file", []render.ChangedFile{{Path: `pkg0/sub0/file 0 & "é".go`, Added: 3}}, 2},
		{"a new file", []render.ChangedFile{{Path: "pkg7/sub0/file 2 new.go", Added: 3}}, 2},
		{"nothing", nil, 0},
	} {
		sessions := append(sessionsChangingFiles(10_000, 25),
			Session{Folder: "new", Title: "New", CWD: "/r", Files: c.files})
		var changed []string
		for name, page := range planned(sessions) {
			if page.Key != before[name].Key {
				changed = append(changed, name)
			} else if len(changed) == 0 && !bytes.Equal(page.HTML(), before[name].HTML()) && len(c.files) > 0 {
				t.Errorf("%s changes, but its key does not", name)
			}
		}
		slices.Sort(changed)
		if len(changed) != c.pages {
			t.Errorf("%s changes the pages %q, want %d", c.name, changed, c.pages)
		}
	}
}

// TestTouchNotes: the page says what a session did besides adding lines, at both names of a renamed file.
func TestTouchNotes(t *testing.T) {
	sessions := []Session{{Folder: "a", Title: "A", CWD: "/r", Files: []render.ChangedFile{
		{Path: "new.go", From: "old.go", Added: 2, UnknownAdded: 1}, {Path: "gone.go", Gone: true, Removed: 9},
		{Path: "/etc/hosts", Undone: true}, {Path: "p.png", Binary: true, Created: true},
	}}}
	site, _ := drawnFiles(t, sessions)
	page := string(site["p/r/files/index.html"].Data)
	for _, want := range []string{
		"renamed from old.go</small>", "renamed to new.go</small>", "1 line by somebody else</small>",
		"deleted</small>",
		"nothing is left of it</small>", "new</small><small>\u00a0·\u00a0binary</small>",
		">Outside of the project: /etc/</h2>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
