package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"viewer/internal/testing/plaingit"
)

// plainAttributes makes git store files unchanged.
const plainAttributes = "* -text -eol -ident -filter -working-tree-encoding\n"

// TestPublishHostileBranch publishes to a branch that an attacker filled with symbolic links and attributes, next to
// branches whose names have the same ending. No program of an attribute may run, nothing outside may be written, and
// the branch must have the bytes of the site.
func TestPublishHostileBranch(t *testing.T) {
	plaingit.Use(t)
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
	ran := filepath.Join(dir, "ran")
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(dir, ".gitconfig"))
	write(t, filepath.Join(dir, ".gitconfig"), fmt.Sprintf(
		"[filter \"large\"]\nsmudge = touch %[1]s; cat\nclean = touch %[1]s; echo pointer\nrequired = true\n"+
			"[submodule]\nrecurse = true\n", ran))
	outside := filepath.Join(dir, "outside")
	write(t, filepath.Join(outside, "index.html"), "of others")
	projects, repository := filepath.Join(dir, "projects"), filepath.Join(dir, "site.git")
	publishedSessions(t, projects)
	work := filepath.Join(dir, "work")
	git := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "--bare", repository)
	git("init", "-q", "-b", "gh-pages", work)
	in := func(args ...string) { t.Helper(); git(append([]string{"-C", work}, args...)...) }
	write(t, filepath.Join(work, "CNAME"), "sessions.example.org\r\n")
	for link, target := range map[string]string{
		"s": outside, "assets": ".git", "index.html": filepath.Join(outside, "index.html"), "search": "../..",
	} {
		if err := os.Symlink(target, filepath.Join(work, link)); err != nil {
			t.Skip(err)
		}
	}
	in("add", "--all")
	in("commit", "-q", "-m", "links")
	write(t, filepath.Join(work, ".gitattributes"), "* text eol=crlf ident filter=large working-tree-encoding=UTF-16\n")
	write(t, filepath.Join(work, ".git", "info", "attributes"), plainAttributes)
	in("add", ".gitattributes")
	in("commit", "-q", "-m", "attributes")
	in("push", "-q", repository, "gh-pages", "gh-pages:refs/heads/a/refs/heads/gh-pages")
	if err := os.Remove(ran); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	publish := func(want string, args ...string) {
		t.Helper()
		output := runViewer(append([]string{"publish", repository + "#gh-pages", projects, "--yes"}, args...))
		if !strings.Contains(output, want) {
			t.Fatalf("viewer publish %v does not print %q:\n%s", args, want, output)
		}
	}
	publish("contains files that viewer did not publish: index.html")
	publish("error: writing ", "--force") // a symbolic link is in place of a folder
	in("rm", "-q", "assets", "search", "s", "index.html")
	in("commit", "-q", "-m", "no links")
	in("push", "-q", repository, "gh-pages")
	_ = os.Remove(ran)
	publish("published 17 sessions")
	publish("is up to date")
	if _, err := os.Stat(ran); err == nil {
		t.Error("git ran a program of an attribute of the branch")
	}
	site := filepath.Join(dir, "www")
	output := runViewer([]string{"publish", site, projects, "--yes"})
	if !strings.Contains(output, "published 17 sessions") {
		t.Fatal(output)
	}
	copied := filepath.Join(dir, "copy")
	git("clone", "-q", "-b", "gh-pages", "-c", "core.attributesFile=/dev/null", "--no-checkout", repository, copied)
	write(t, filepath.Join(copied, ".git", "info", "attributes"), plainAttributes)
	git("-C", copied, "checkout", "-q", "gh-pages")
	for name, want := range map[string]string{
		filepath.Join(copied, "CNAME"): "sessions.example.org\r\n", filepath.Join(outside, "index.html"): "of others",
	} {
		if data, err := os.ReadFile(name); err != nil || string(data) != want {
			t.Errorf("%s is %q (error %v), want %q", name, data, err, want)
		}
	}
	diff := exec.Command("diff", "-r", "-x", ".git*", "-x", "CNAME", "-x", "published-*", site, copied)
	if out, err := diff.CombinedOutput(); err != nil {
		t.Errorf("the branch differs from the site: %v\n%.2000s", err, out)
	}
}
