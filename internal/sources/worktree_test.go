package sources

import "testing"

// TestWorktreeOf: which paths are those of worktrees, and of which repository.
func TestWorktreeOf(t *testing.T) {
	for cwd, want := range map[string]Worktree{
		"/home/mara/tides":                                 {},
		"/home/mara/tides/.claude/worktrees/fix":           {"/home/mara/tides", "tides", "fix", true},
		"/home/mara/tides/.claude/worktrees/fix/cmd/":      {"/home/mara/tides", "tides", "fix", true},
		"/w/a/.claude/worktrees/x/.claude/worktrees/y":     {"/w/a", "a", "x", true},
		`C:\Users\Noor\shelf\.claude\worktrees\fix`:        {`C:\Users\Noor\shelf`, "shelf", "fix", true},
		"/home/mara/.codex/worktrees/7d3f/tides":           {"", "tides", "7d3f", false},
		"/home/mara/.codex/worktrees/7d3f/tides/cmd":       {"", "tides", "7d3f", false},
		"/home/mara/.codex/worktrees/7d3f":                 {},
		"/home/mara/.cursor/worktrees/tides/Ab1":           {"", "tides", "Ab1", false},
		"/home/mara/tides/.worktrees/mara/high-water":      {"/home/mara/tides", "tides", "mara/high-water", false},
		"/home/mara/tides.worktrees/fix":                   {"/home/mara/tides", "tides", "fix", false},
		"/home/mara/tides-worktrees/fix":                   {"/home/mara/tides", "tides", "fix", false},
		"/home/mara/tides__worktrees/fix":                  {"/home/mara/tides", "tides", "fix", false},
		"/home/mara/tides.worktrees":                       {},
		"/home/mara/tides/.claude/worktrees/":              {},
		"/.worktrees/fix":                                  {},
		"/home/mara/worktrees/fix":                         {}, // it may belong to any repository
		"tides.worktrees/fix":                              {},
		"":                                                 {},
		"/":                                                {},
		"/home/mara/tides-worktrees-tool/fix":              {},
		"/home/mara/other.worktrees/.claude/worktrees/fix": {"/home/mara/other.worktrees", "other.worktrees", "fix", true},
	} {
		got, ok := WorktreeOf(cwd)
		if !ok {
			got = Worktree{}
		}
		if got != want {
			t.Errorf("%s: got %+v, want %+v", cwd, got, want)
		}
	}
}

func FuzzWorktreeOf(f *testing.F) {
	f.Add("/a/.claude/worktrees/b")
	f.Add(`\.worktrees\b`)
	f.Add("/a-worktrees//b")
	f.Fuzz(func(t *testing.T, cwd string) {
		if w, ok := WorktreeOf(cwd); ok && (w.Name == "" || len(w.Main) >= len(cwd)) {
			t.Errorf("%q: got %+v, want a name and a shorter main path", cwd, w)
		}
	})
}

// TestHashRepository: all addresses of a repository give one hash, and those of others do not.
func TestHashRepository(t *testing.T) {
	one := HashRepository("https://example.com/Mara/tides.git")
	for _, address := range []string{
		"git@example.com:mara/tides.git", "ssh://git@example.com/mara/tides", "https://me:key@example.com/mara/tides/",
	} {
		if HashRepository(address) != one {
			t.Errorf("%s has another hash", address)
		}
	}
	for _, address := range []string{"https://example.com/mara/tide.git", "https://example.org/mara/tides", ""} {
		if HashRepository(address) == one {
			t.Errorf("%s has the same hash", address)
		}
	}
}

// TestRepositoryOf: the address of a repository is shown without the user and the password.
func TestRepositoryOf(t *testing.T) {
	for address, want := range map[string]string{
		"https://mara:k@ey@example.com/Mara/tides.git": "example.com/Mara/tides",
		"https://mara@example.com:8080/tides/":         "example.com:8080/tides",
		"git@example.com:mara/tides.git":               "example.com:mara/tides",
		"example.com/m@ra/tides":                       "example.com/m@ra/tides",
		"https://mara@example.com":                     "example.com",
		"/srv/tides.git":                               "/srv/tides",
		"":                                             "",
	} {
		if got := RepositoryOf(address); got != want {
			t.Errorf("%s: got %s, want %s", address, got, want)
		}
	}
}
