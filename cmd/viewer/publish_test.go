package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// plantedKey has the form of a key that a service gives out, in two parts so that it is none here.
const plantedKey = "ghp_" + "x8KqLm2Vw9RtYb4NcZs7HdJf3GpQa5Te1UiO"

// revokedWords stand in the session to revoke, and in no other.
const revokedWords = "The zinc heron lands on pier forty"

// publishedSessions are sessions of which one is to be revoked.
func publishedSessions(t *testing.T, dir string) {
	t.Helper()
	if err := os.CopyFS(dir, os.DirFS("../../testdata/projects")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "-home-mara-pier", "a1b2c3d4-0000-4000-8000-000000000001.jsonl"), fmt.Sprintf(
		`{"type":"user","uuid":"e1","sessionId":"a1b2c3d4-0000-4000-8000-000000000001","cwd":"/home/mara/pier","timestamp":"2026-05-01T10:00:00Z","message":{"role":"user","content":"%s with GITHUB_TOKEN=%s"}}
{"type":"assistant","uuid":"e2","parentUuid":"e1","timestamp":"2026-05-01T10:00:02Z","message":{"id":"m1","role":"assistant","model":"claude-x","content":[{"type":"text","text":"%[1]s, again."}]}}
`, revokedWords, plantedKey))
}

// appendToPublished adds a prompt to a session that stays.
func appendToPublished(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "-home-mara-ovenbell", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	f, err := os.OpenFile(files[0], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fmt.Fprintln(f, `{"type":"user","uuid":"00000000-cccc-4111-8111-111111111111","timestamp":"2026-05-12T10:00:00Z","message":{"role":"user","content":"Once more"}}`)
}

// holdsNone demands that bytes have none of these words, in plain text or packed as the search index packs them.
func holdsNone(t *testing.T, what string, data []byte, words ...string) {
	t.Helper()
	for _, word := range words {
		if i := bytes.Index(data, []byte(word)); i >= 0 {
			t.Errorf("%s holds %q: %.200q", what, word, data[max(0, i-80):])
		}
	}
}

// isWithout demands that published files are, byte for byte, those of a site that never had the revoked session: so
// nothing packed has its texts either.
func isWithout(t *testing.T, published map[string]string, projects string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "projects"), os.DirFS(projects)); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "projects", "-home-mara-pier")); err != nil {
		t.Fatal(err)
	}
	site := filepath.Join(dir, "site")
	said := perform([]string{"publish", site, filepath.Join(dir, "projects"), "--yes"})
	if !strings.Contains(said, "published 16 sessions") {
		t.Fatal(said)
	}
	n := 0
	err := fs.WalkDir(os.DirFS(site), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(name, "published-") {
			return err
		}
		n++
		want, err := os.ReadFile(filepath.Join(site, name))
		if got, ok := published[name]; !ok || got != string(want) {
			t.Errorf("%s is not that of a site without the revoked session", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range published {
		if _, err := os.Stat(filepath.Join(site, name)); err != nil && !strings.HasPrefix(name, "published-") &&
			name != "of-others.txt" {
			t.Errorf("%s is left", name)
		}
	}
	t.Logf("%d files are those of a site without the revoked session", n)
}

// TestPublishBranch publishes to a branch of a bare repository: each run is one commit, one without a change none, and
// what was revoked is in no object of the repository.
func TestPublishBranch(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	for _, name := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+name+"_NAME", "Mara")
		t.Setenv("GIT_"+name+"_EMAIL", "mara@example.org")
	}
	projects, repository := filepath.Join(dir, "projects"), filepath.Join(dir, "site.git")
	publishedSessions(t, projects)
	inGit := func(args ...string) string {
		t.Helper()
		c := exec.Command("git", append([]string{"--git-dir", repository}, args...)...)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	if out, err := exec.Command("git", "init", "-q", "--bare", repository).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command("git", "init", "-q", filepath.Join(dir, "other")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("GIT_DIR", filepath.Join(dir, "other", ".git")) // as hooks have it
	t.Setenv("GIT_WORK_TREE", projects)
	publish := func(want string, args ...string) string {
		t.Helper()
		said := perform(append([]string{"publish", repository + "#gh-pages", projects}, args...))
		if !strings.Contains(said, want) {
			t.Fatalf("viewer publish %v does not say %q:\n%s", args, want, said)
		}
		return said
	}
	commits := func() string { return strings.TrimSpace(inGit("rev-list", "--count", "gh-pages")) }

	publish("published 17 sessions", "--yes")
	publish("is up to date", "--yes")
	if n := commits(); n != "1" {
		t.Errorf("%s commits, want 1", n)
	}
	appendToPublished(t, projects)
	publish("published 17 sessions", "--yes")
	if n := commits(); n != "2" {
		t.Errorf("%s commits, want 2", n)
	}
	if changed := strings.Count(inGit("diff", "--name-only", "gh-pages~1", "gh-pages"), "\n"); changed > 12 {
		t.Errorf("an append changes %d files", changed)
	}
	objects := func() []byte { return []byte(inGit("cat-file", "--batch-all-objects", "--batch")) }
	all := objects()
	if !bytes.Contains(all, []byte(revokedWords)) {
		t.Fatal("the session to revoke is not there")
	}
	holdsNone(t, "the repository", all, plantedKey)

	publish("the history of "+repository+"#gh-pages still contains revoked sessions", "--revoke", "a1b2c3d4", "--yes")
	publish("1 session was taken out", "--revoke", "a1b2c3d4", "--yes", "--force")
	if n := commits(); n != "1" {
		t.Errorf("%s commits after a revocation, want 1", n)
	}
	holdsNone(t, "the repository", objects(), revokedWords, plantedKey, "a1b2c3d4-0000-4000-8000-000000000001/",
		"pier/")
	published := make(map[string]string)
	for name := range strings.Lines(inGit("ls-tree", "-r", "--name-only", "gh-pages")) {
		name = strings.TrimSpace(name)
		published[name] = inGit("cat-file", "blob", "gh-pages:"+name)
	}
	isWithout(t, published, projects)
	publish("is up to date", "--yes") // it stays out
	publish("is up to date", "--yes", "--force")
	holdsNone(t, "the repository", objects(), revokedWords)
	if _, err := os.Stat(filepath.Join(dir, "other", ".git", "index")); err == nil {
		t.Error("the repository of the environment was changed")
	}
	publish("published 17 sessions", "--again", "a1b2", "--yes")
	publish("the history of the branch is replaced", "--yes", "--force")
	if n := commits(); n != "1" {
		t.Errorf("%s commits with --force, want 1", n)
	}
}
