package sitegen

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestWorktrees: worktrees of one repository are one project, and rows and page headers name the worktree. Folders that
// only have similar names are separate projects.
func TestWorktrees(t *testing.T) {
	dir := t.TempDir()
	claude := func(id, cwd string) {
		write(t, filepath.Join(dir, "claude", strings.ReplaceAll(cwd, "/", "-"), id+".jsonl"), fmt.Appendf(nil,
			`{"type":"user","uuid":"%s","sessionId":"%[1]s","cwd":"%s","message":{"role":"user","content":"Hello"}}`+"\n",
			id, cwd))
	}
	tern := func(id, cwd string) {
		write(t, filepath.Join(dir, "tern", id+".jsonl"), fmt.Appendf(nil,
			`{"tern":1,"id":"%s","dir":"%s","at":"2026-03-02T09:00:00Z"}`+"\n"+
				`{"sec":1,"user":"Hello"}`+"\n", id, cwd))
	}
	codex := func(id, cwd, repository string) {
		write(t, filepath.Join(dir, "codex", id+".jsonl"), fmt.Appendf(nil,
			`{"timestamp":"2026-03-02T09:00:00Z","type":"session_meta","payload":{"id":"%s","cwd":"%s",`+
				`"git":{"repository_url":"%s"}}}`+"\n"+
				`{"timestamp":"2026-03-02T09:00:01Z","type":"response_item","payload":{"type":"message","role":"user",`+
				`"content":[{"type":"input_text","text":"Hello"}]}}`+"\n", id, cwd, repository))
	}
	claude("main", "/home/mara/tides")
	claude("sure", "/home/mara/tides/.claude/worktrees/fix")
	tern("beside", "/home/mara/tides.worktrees/night")
	tern("inside", "/home/mara/tides/.worktrees/ebb/day")
	tern("unknown", "/home/mara/boats-worktrees/oars") // no session was in /home/mara/boats
	tern("unknown2", "/home/mara/boats-worktrees/sails")
	codex("clone", "/home/mara/tides", "https://example.com/mara/tides.git")
	codex("same", "/home/mara/.codex/worktrees/7d3f/tides", "git@example.com:mara/tides.git")
	codex("other", "/home/mara/.codex/worktrees/9a1b/tides", "git@example.com:noor/tides.git")
	codex("other2", "/home/mara/.codex/worktrees/9a1c/tides", "git@example.com:noor/tides.git")
	codex("nameless", "/home/mara/.cursor/worktrees/shore/Ab1", "")
	o := Options{Sources: []string{dir}, Out: t.TempDir(), Version: "test", writers: severalAgents}
	mustBuild(t, o)
	facts := string(readFile(t, filepath.Join(o.Out, "sessions.json")))
	projects := make(map[string][]string)
	for one := range strings.SplitSeq(facts, "\n {") {
		member := func(name string) string {
			_, rest, _ := strings.Cut(one, `"`+name+`": "`)
			value, _, _ := strings.Cut(rest, `"`)
			return value
		}
		if id := member("id"); id != "" {
			projects[member("project")] = append(projects[member("project")], id+" "+member("worktree"))
		}
	}
	together := func(want ...string) {
		t.Helper()
		for _, all := range projects {
			has := 0
			for _, one := range want {
				for _, other := range all {
					if one == other {
						has++
					}
				}
			}
			if has == len(want) && len(all) == len(want) {
				return
			}
		}
		t.Errorf("%q are not one project: %q", want, projects)
	}
	together("main ", "sure fix", "beside night", "inside ebb/day", "clone ", "same 7d3f")
	together("unknown ")
	together("unknown2 ")
	together("other 9a1b", "other2 9a1c")
	together("nameless Ab1")
	if len(projects["shore"]) != 1 {
		t.Errorf("a project does not have the name of its repository: %q", projects)
	}
	for _, page := range []string{"s/sure/index.html", "index.html"} {
		if !strings.Contains(string(readFile(t, filepath.Join(o.Out, page))), "worktree fix") {
			t.Errorf("%s does not name the worktree", page)
		}
	}
}
