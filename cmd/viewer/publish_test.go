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

	"viewer/internal/testing/plaingit"
)

// plantedKey has the form of a service's key. It is in two parts, so that scanners do not find a key in this file.
const plantedKey = "ghp_" + "x8KqLm2Vw9RtYb4NcZs7HdJf3GpQa5Te1UiO"

// revokedWords occur only in the session to revoke.
const revokedWords = "The zinc heron lands on pier forty"

// publishedSessions writes sessions, one of which is to be revoked.
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

// appendToPublished appends a prompt to a session that is not revoked.
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

// checkAbsent checks that bytes contain none of the words, neither as plain text nor packed like the search index.
func checkAbsent(t *testing.T, what string, data []byte, words ...string) {
	t.Helper()
	for _, word := range words {
		if i := bytes.Index(data, []byte(word)); i >= 0 {
			t.Errorf("%s holds %q: %.200q", what, word, data[max(0, i-80):])
		}
	}
}

// checkWithoutRevoked checks that published files are, byte for byte, those of a site that never had the revoked
// session. So packed files do not contain its texts either.
func checkWithoutRevoked(t *testing.T, published map[string]string, projects string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "projects"), os.DirFS(projects)); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "projects", "-home-mara-pier")); err != nil {
		t.Fatal(err)
	}
	site := filepath.Join(dir, "site")
	output := runViewer([]string{"publish", site, filepath.Join(dir, "projects"), "--yes"})
	if !strings.Contains(output, "published 16 sessions") {
		t.Fatal(output)
	}
	n := 0
	err := fs.WalkDir(os.DirFS(site), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(name, "published-") {
			return err
		}
		n++
		want, err := os.ReadFile(filepath.Join(site, name))
		if got, ok := published[name]; !ok || got != string(want) {
			t.Errorf("%s differs from that of a site without the revoked session", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range published {
		if _, err := os.Stat(filepath.Join(site, name)); err != nil && !strings.HasPrefix(name, "published-") &&
			name != "of-others.txt" {
			t.Errorf("%s is left, which a site without the revoked session does not have", name)
		}
	}
	t.Logf("%d files equal those of a site without the revoked session", n)
}

// TestPublishBranch publishes to a branch of a bare repository. Each run makes one commit, and a run without changes
// none. No object of the repository may contain the text of a revoked session.
func TestPublishBranch(t *testing.T) {
	plaingit.Use(t)
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
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
	t.Setenv("GIT_DIR", filepath.Join(dir, "other", ".git")) // as in git hooks
	t.Setenv("GIT_WORK_TREE", projects)
	publish := func(want string, args ...string) string {
		t.Helper()
		output := runViewer(append([]string{"publish", repository + "#gh-pages", projects}, args...))
		if !strings.Contains(output, want) {
			t.Fatalf("viewer publish %v does not print %q:\n%s", args, want, output)
		}
		return output
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
		t.Errorf("an append changes %d files, want at most 12", changed)
	}
	objects := func() []byte { return []byte(inGit("cat-file", "--batch-all-objects", "--batch")) }
	all := objects()
	if !bytes.Contains(all, []byte(revokedWords)) {
		t.Fatal("the repository lacks the session to revoke")
	}
	checkAbsent(t, "the repository", all, plantedKey)

	publish("the history of "+repository+"#gh-pages still contains revoked sessions", "--revoke", "a1b2c3d4", "--yes")
	publish("1 session was taken out", "--revoke", "a1b2c3d4", "--yes", "--force")
	if n := commits(); n != "1" {
		t.Errorf("%s commits after a revocation, want 1", n)
	}
	checkAbsent(t, "the repository", objects(), revokedWords, plantedKey, "a1b2c3d4-0000-4000-8000-000000000001/",
		"pier/")
	published := make(map[string]string)
	for name := range strings.Lines(inGit("ls-tree", "-r", "--name-only", "gh-pages")) {
		name = strings.TrimSpace(name)
		published[name] = inGit("cat-file", "blob", "gh-pages:"+name)
	}
	checkWithoutRevoked(t, published, projects)
	publish("is up to date", "--yes") // the revoked session is not published again
	publish("is up to date", "--yes", "--force")
	checkAbsent(t, "the repository", objects(), revokedWords)
	if _, err := os.Stat(filepath.Join(dir, "other", ".git", "index")); err == nil {
		t.Error("the repository of $GIT_DIR was changed")
	}
	publish("published 17 sessions", "--again", "a1b2", "--yes")
	publish("the history of the branch is replaced", "--yes", "--force")
	if n := commits(); n != "1" {
		t.Errorf("%s commits with --force, want 1", n)
	}
}
