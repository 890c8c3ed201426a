package indexpages

import (
	"path"
	"strings"
	"testing"
	"time"

	"viewer/internal/transcript"
)

// TestLargeSite: no page or script of a site of very many sessions and projects has more than 600,000 bytes, and each
// session is on one page of the site and one of its project.
func TestLargeSite(t *testing.T) {
	s := Site{Large: true, Generator: "viewer", Sessions: manySessions(12_000, 700, 90*time.Minute)}
	for i := range 2_000 {
		p := transcript.Problem{Pos: transcript.Pos{File: "a.jsonl", Line: i}, Text: strings.Repeat("x", 500)}
		s.Problems = append(s.Problems, p)
	}
	rows, scripts := make(map[string]int), 0
	var front string
	for _, p := range drawIndexes(s) {
		if len(p.HTML) > 600_000 {
			t.Errorf("%s has %d bytes, want at most 600,000", p.Name, len(p.HTML))
		}
		if path.Ext(p.Name) == ".js" {
			scripts++
			continue
		}
		list := strings.SplitN(p.Name, "/", 2)[0] // pages of the site or of projects
		if list == "p" {
			rows["p"] += strings.Count(string(p.HTML), `class="srow`)
			continue
		}
		rows[""] += strings.Count(string(p.HTML), `class="srow`)
		if p.Name == "index.html" {
			front = string(p.HTML)
		}
	}
	for _, list := range []string{"", "p"} {
		if rows[list] != len(s.Sessions) {
			t.Errorf("got %d rows for %d sessions in %q", rows[list], len(s.Sessions), list)
		}
	}
	if scripts != maxFiltered {
		t.Errorf("got %d scripts of older rows, want %d", scripts, maxFiltered)
	}
	for _, want := range []string{"older sessions not searched: choose a month or a project, or search",
		"200 smaller projects not listed: search for project:NAME"} {
		if !strings.Contains(front, want) {
			t.Errorf("index.html lacks %q", want)
		}
	}
	s.Large = false
	if usual := drawIndexes(s); strings.Contains(string(usual[0].HTML), "data-beyond") {
		t.Error("a small site is divided like a large one")
	}
}

// TestLargeFront: a session that the first page does not list changes it only if a rounded number does.
func TestLargeFront(t *testing.T) {
	s := Site{Large: true, Generator: "viewer", Sessions: manySessions(2_000, 3, 90*time.Minute)}
	key := func() string { return Plan(s)[0].Key }
	before, old := key(), &s.Sessions[len(s.Sessions)-1]
	old.Outcome.Text += "."
	if key() != before {
		t.Error("another text of an old session changes the first page")
	}
	old.Totals.Prompts += 5_000
	if key() == before {
		t.Error("5,000 more prompts of an old session do not change the first page")
	}
}
