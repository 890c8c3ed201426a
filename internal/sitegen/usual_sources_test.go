package sitegen

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"viewer/internal/search"
	"viewer/internal/sources"
	"viewer/internal/sources/all"
	"viewer/internal/testing/dunlin"
	"viewer/internal/testing/tern"
)

// severalAgents are sources for tests: two invented ones and the real ones.
var severalAgents = append(sources.List{tern.Source{}, dunlin.Source{}}, all.Sources...)

// atHome sets an empty home folder, and unsets the variables that name folders of sessions.
func atHome(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	for _, name := range []string{"HOME", "USERPROFILE"} {
		t.Setenv(name, home)
	}
	for _, name := range []string{"CLAUDE_CONFIG_DIR", "TERN_HOME", "DUNLIN_HOME"} {
		t.Setenv(name, "")
	}
	return home
}

// TestDefaultSources: without a source, the sessions of all agents are read, wherever environment variables say they
// are. Missing folders are ignored, unreadable ones are reported, and the rest is read.
func TestDefaultSources(t *testing.T) {
	home, elsewhere := atHome(t), t.TempDir()
	o := Options{Out: t.TempDir(), Version: "test", writers: severalAgents}
	var unread []string
	o.Unread = func(err error) { unread = append(unread, err.Error()) }
	if _, err := Build(context.Background(), o); !errors.Is(err, ErrNone) ||
		!strings.HasSuffix(err.Error(), filepath.Join(".claude", "projects")) {
		t.Errorf("no sessions: error %v, want ErrNone", err)
	}
	tides, beach := readFile(t, "../testing/tern/tides.jsonl"), readFile(t, "../testing/dunlin/beach.json")
	write(t, filepath.Join(home, ".tern", "logs", "2026", "tides.jsonl"), tides)
	write(t, filepath.Join(home, ".claude", "projects", "-home-mara-tides", "c1.jsonl"), []byte(
		`{"type":"user","uuid":"u1","sessionId":"c1","cwd":"/home/mara/tides","message":{"role":"user","content":"Hello"}}`+"\n"))
	write(t, filepath.Join(home, ".dunlin", "walks", "not-here.json"), beach)
	t.Setenv("DUNLIN_HOME", elsewhere)
	write(t, filepath.Join(elsewhere, "walks", "beach.json"), beach)
	write(t, filepath.Join(elsewhere, "walks", "shore.json"), beach)
	settle(t, home)
	settle(t, elsewhere)
	r := mustBuild(t, o)
	want := map[string]int{"Claude Code": 1, "Tern": 1, "Dunlin": 2}
	if !reflect.DeepEqual(r.Agents, want) || r.Projects != 1 || len(unread)+len(r.Problems) > 0 {
		t.Errorf("sessions %v of %d projects, want %v of 1; unread %v, problems %v", r.Agents, r.Projects, want, unread,
			r.Problems)
	}
	if again := mustBuild(t, o); !reflect.DeepEqual(again.Agents, want) || again.Rendered > 0 {
		t.Errorf("without changes: sessions %v, %d drawn, want none", again.Agents, again.Rendered)
	}
	listed, known, err := List(context.Background(), o, ListOptions{Sites: []string{o.Out}})
	if err != nil || len(listed) != 4 || known != 4 {
		t.Errorf("%d sessions are listed, %d of them from the site, error %v; want 4 and 4", len(listed), known, err)
	}

	if err := os.RemoveAll(filepath.Join(home, ".tern")); err != nil {
		t.Fatal(err)
	}
	loop := filepath.Join(home, ".tern")
	if err := os.Symlink(loop, loop); err != nil {
		t.Skipf("this system has no symbolic links: %v", err)
	}
	r = mustBuild(t, o)
	if r.Sessions != 4 || r.Kept != 1 { // the pages of unreadable sessions stay
		t.Errorf("%d sessions, %d kept; want 4 and 1", r.Sessions, r.Kept)
	}
	if len(unread) != 1 || !strings.Contains(unread[0], filepath.Join(".tern", "logs")) {
		t.Errorf("unread: %v, want the folder of Tern", unread)
	}
	t.Setenv("HOME", filepath.Join(home, ".tern")) // no folder can be read
	t.Setenv("DUNLIN_HOME", filepath.Join(home, ".tern"))
	if _, err := Build(context.Background(), o); err == nil || errors.Is(err, ErrNone) {
		t.Errorf("no readable folder: error %v, want one that is not ErrNone", err)
	}
}

// TestUsualChosen: variables for all programs, as Windows and some desktops set them, choose no folder, those of agents
// do.
func TestUsualChosen(t *testing.T) {
	atHome(t)
	for _, name := range os.Environ() {
		if name, _, _ = strings.Cut(name, "="); strings.HasSuffix(name, "_HOME") {
			t.Setenv(name, "")
		}
	}
	t.Setenv("APPDATA", "/roaming")
	t.Setenv("LOCALAPPDATA", "/local")
	t.Setenv("XDG_CONFIG_HOME", "/config")
	t.Setenv("XDG_DATA_HOME", "/data")
	if UsualChosen() {
		t.Error("variables for all programs choose a folder")
	}
	t.Setenv("CODEX_HOME", "/codex")
	if !UsualChosen() {
		t.Error("$CODEX_HOME chooses no folder")
	}
}

// TestFileForUsualFolder: a file in the place of the parent of a usual folder hides no session of the other folders.
func TestFileForUsualFolder(t *testing.T) {
	home := atHome(t)
	write(t, filepath.Join(home, ".tern"), []byte("not a folder\n"))
	write(t, filepath.Join(home, ".dunlin", "walks", "beach.json"), readFile(t, "../testing/dunlin/beach.json"))
	settle(t, home)
	unread := func(err error) { t.Errorf("unread: %v", err) }
	r := mustBuild(t, Options{Out: t.TempDir(), Version: "test", writers: severalAgents, Unread: unread})
	if want := map[string]int{"Dunlin": 1}; !reflect.DeepEqual(r.Agents, want) {
		t.Errorf("sessions %v, want %v", r.Agents, want)
	}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestAgents: a site of several agents shows the agent of each session, and can be filtered by it. A site of one agent
// shows no agents. A filter by agent leaves out the others.
func TestAgents(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a", "tides.jsonl"), readFile(t, "../testing/tern/tides.jsonl"))
	write(t, filepath.Join(dir, "b", "beach.json"), readFile(t, "../testing/dunlin/beach.json"))
	o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test", writers: severalAgents}
	page := func(name string) string { return string(readFile(t, filepath.Join(o.Out, name))) }
	shows := func(name, text string, want bool) {
		t.Helper()
		if strings.Contains(page(name), text) != want {
			t.Errorf("%s: contains %q: %v, want %v", name, text, !want, want)
		}
	}
	mustBuild(t, o)
	for _, index := range []string{"index.html", "p/tides/index.html"} {
		shows(index, `data-agent="Tern"`, true)
		shows(index, `<span class="tag">Dunlin</span>`, true)
		shows(index, `data-facet="agent"`, true)
	}
	shows("s/7d3f/index.html", "<b>Tern</b>", true)
	shows("s/beach/index.html", "<b>Dunlin</b>", true)
	shows("s/beach/index.html", "time unknown", true)
	shows("s/7d3f/index.html", "time unknown", false)
	shows("s/beach/index.html", "<small> · ", false) // there is no separator before the first fact
	shows("sessions.json", `"agent": "dunlin"`, true)

	one := o
	one.Filter = Filter{Agents: []string{"tern"}}
	if _, err := Build(context.Background(), one); err == nil || !strings.Contains(err.Error(), "--agent tern") {
		t.Errorf("leaving out sessions that the site shows: error %v, want one that names the filter", err)
	}
	one.Narrow = true
	if r := mustBuild(t, one); r.Sessions != 1 || r.Agents["Tern"] != 1 {
		t.Errorf("sessions %v, want one of Tern", r.Agents)
	}
	shows("index.html", "Tern", false)
	listed, _, err := List(context.Background(), o, ListOptions{})
	if err != nil || len(listed) != 2 || listed[0].Agent != "tern" || listed[1].Agent != "dunlin" {
		t.Errorf("listed %+v, %v; want 2, the one without a time last", listed, err)
	}
	for _, test := range []struct {
		query string
		want  int
	}{{"beach agent:dunlin", 1}, {"beach agent:dun", 1}, {"beach -agent:dunlin", 0}, {"high agent:tern", 1}} {
		index, done, err := SearchIndex(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		found, err := index.Find(search.ParseQuery(test.query, search.Options{}), 10)
		done()
		if err != nil || (len(found.Groups) > 0) != (test.want > 0) {
			t.Errorf("%s: got %d hits, error %v", test.query, len(found.Groups), err)
		}
	}
}
