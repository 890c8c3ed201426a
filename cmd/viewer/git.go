package main

import (
	"bufio"
	"bytes"
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"viewer/internal/changes"
)

// A repository has what git knows about a file. The zero value is for a file in no repository, or if git is not
// installed.
type repository struct {
	root     string       // of the work tree
	revision string       // that is checked out, "" before the first
	names    []formerName // of the file, the newest first
	lines    []lineCommit // of the committed file, nil if there is none
}

// A formerName is a name that a file had before a commit.
type formerName struct {
	path string // absolute
	till time.Time
}

// A lineCommit is the commit that added a line, the zero value if the line is not committed.
type lineCommit struct {
	hash string
	time time.Time // commit date, which a rebase changes
	text string    // of the line
}

// readRepository asks git about a file. Everything also works without the answers of git.
func readRepository(ctx context.Context, file string) repository {
	var r repository
	dir := filepath.Dir(file)
	out, err := git(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return r
	}
	r.root = filepath.FromSlash(strings.TrimSuffix(string(out), "\n"))
	if out, err := git(ctx, dir, "rev-parse", "--verify", "--quiet", "HEAD"); err == nil {
		r.revision = strings.TrimSpace(string(out))
	}
	name := filepath.Base(file)
	if out, err := git(ctx, dir, "log", "--follow", "--diff-filter=R", "--name-status", "--no-ext-diff",
		"--no-textconv",
		"--format=%ct", "--", name); err == nil {
		r.names = formerNames(out, r.root)
	}
	// The file in the work tree is not compared: git would pass it to programs that its settings name.
	if out, err := git(ctx, dir, "blame", "--line-porcelain", "--no-textconv", "HEAD", "--", name); err == nil {
		r.lines = lineCommits(out)
	}
	return r
}

// addTrees adds the paths of the file, under its present and former names, in other work trees of the repository and
// below other roots of it.
func (r *repository) addTrees(ctx context.Context, names map[string]string, file string, roots []string) {
	root := r.root
	if out, err := git(ctx, filepath.Dir(file), "worktree", "list", "--porcelain"); err == nil {
		for line := range strings.Lines(string(out)) {
			if name, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "worktree "); ok {
				roots = append(slices.Clone(roots), name)
			}
		}
	}
	if root == "" {
		root, _ = os.Getwd() // without one no name is below it
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if main := changes.MainTree(name); main != name && names[main] == "" {
			names[main] = main
		}
		below, ok := changes.Below(name, cleanPath(root))
		if !ok {
			continue
		}
		for _, other := range roots {
			there := changes.Clean(below, changes.Clean(other, ""))
			if there != "" && names[there] == "" {
				names[there] = there
			}
		}
	}
}

// git runs git in a repository that may be hostile, so that it starts no program that the settings of the repository
// name, and fetches nothing.
func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	name, err := exec.LookPath("git")
	if err != nil {
		return nil, err
	}
	safe := []string{
		"--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.quotePath=true",
		"-c", "blame.ignoreRevsFile=", "-c", "log.showSignature=false", "-c", "diff.external=",
		"-c", "protocol.allow=never",
	}
	c := exec.CommandContext(ctx, name, append(safe, args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	return c.Output()
}

// commitsOf returns the commits that added the lines of a text. Lines that are not committed have none.
func (r *repository) commitsOf(lines []string) []lineCommit {
	committed := make([]string, len(r.lines))
	for i, l := range r.lines {
		committed[i] = l.text
	}
	commits := make([]lineCommit, len(lines))
	for i, at := range changes.Align(committed, lines) {
		if at >= 0 {
			commits[i] = r.lines[at]
		}
	}
	return commits
}

// formerNames parses the renames in the output of git log: a time, followed by the old and the new name.
func formerNames(out []byte, root string) []formerName {
	var names []formerName
	var at time.Time
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		if seconds, err := strconv.ParseInt(line, 10, 64); err == nil {
			at = time.Unix(seconds, 0)
			continue
		}
		if cells := strings.Split(line, "\t"); len(cells) == 3 && strings.HasPrefix(cells[0], "R") {
			if old := cells[1]; !strings.HasPrefix(old, `"`) {
				names = append(names, formerName{filepath.Join(root, filepath.FromSlash(old)), at})
			}
		}
	}
	return names
}

// lineCommits parses the output of git blame --line-porcelain.
func lineCommits(out []byte) []lineCommit {
	var all []lineCommit
	var now lineCommit
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, len(out)+1)
	for lines.Scan() {
		line := lines.Text()
		switch word, rest, _ := strings.Cut(line, " "); {
		case strings.HasPrefix(line, "\t"):
			now.text = strings.TrimRight(line[1:], "\r")
			all = append(all, now)
			now = lineCommit{}
		case now.hash == "":
			now.hash = word
		case word == "committer-time":
			if seconds, err := strconv.ParseInt(rest, 10, 64); err == nil {
				now.time = time.Unix(seconds, 0)
			}
		}
	}
	return all
}
