package git

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"viewer/internal/changes"
)

// A File has what git knows about a file. The zero value is for a file in no repository, or if git is not installed.
type File struct {
	Root     string       // of the work tree, through the symbolic links of the path of the file
	Revision string       // that is checked out, "" before the first
	Names    []FormerName // of the file, the newest first
	lines    []Commit     // of the committed file, nil if there is none
}

// A FormerName is a name that a file had before a commit.
type FormerName struct {
	Path string    // absolute, like File.Root
	Real string    // absolute, without symbolic links
	Till time.Time // the time of that commit
}

// A Commit is the commit that added a line, the zero value if the line is not committed.
type Commit struct {
	Hash string
	Time time.Time // commit date, which a rebase changes
	text string    // of the line, as bytes
}

// ReadFile asks git about a file. Without git it returns the zero value.
func ReadFile(ctx context.Context, file string) File {
	var r File
	dir := filepath.Dir(file)
	out, err := Run(ctx, Read, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return r
	}
	real := filepath.FromSlash(strings.TrimSuffix(out, "\n"))
	r.Root = rootAbove(dir, real)
	if out, err := Run(ctx, Read, dir, "rev-parse", "--verify", "--quiet", "HEAD"); err == nil {
		r.Revision = strings.TrimSpace(out)
	}
	name := filepath.Base(file)
	if out, err := Run(ctx, Read, dir, "log", "--follow", "--diff-filter=R", "--name-status", "--no-ext-diff",
		"--no-textconv",
		"--format=%ct", "--", name); err == nil {
		r.Names = formerNames(out, r.Root, real)
	}
	// The file in the work tree is not compared: git would pass it to programs that its settings name.
	if out, err := Run(ctx, Read, dir, "blame", "--line-porcelain", "--no-textconv", "HEAD", "--", name); err == nil {
		r.lines = lineCommits(out)
	}
	return r
}

// rootAbove returns the path of a work tree as a path in it begins. Git resolves symbolic links, such as /tmp of macOS,
// but logs mostly have the path that people use.
func rootAbove(dir, real string) string {
	root, err := os.Stat(real)
	if err != nil {
		return real
	}
	for at := dir; ; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil && os.SameFile(info, root) {
			return at
		}
		if at == filepath.Dir(at) {
			return real
		}
	}
}

// AddTrees adds the paths of the file, under its present and former names, in other work trees of the repository
// and below other roots of it.
func (r *File) AddTrees(ctx context.Context, names map[string]string, file string, roots []string) {
	root := r.Root
	roots = append(slices.Clone(roots), WorkTrees(ctx, filepath.Dir(file))...)
	if root == "" {
		root, _ = os.Getwd() // without one no name is below it
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if main := changes.MainTree(name); main != name && names[main] == "" {
			names[main] = main
		}
		below, ok := changes.Below(name, changes.CleanNative(root))
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

// WorkTrees returns the work trees of the repository that a folder is in, none if it is in no repository.
func WorkTrees(ctx context.Context, dir string) []string {
	out, err := Run(ctx, Read, dir, "worktree", "list", "--porcelain")
	if err != nil {
		return nil
	}
	var all []string
	for line := range strings.Lines(out) {
		if name, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "worktree "); ok {
			all = append(all, name)
		}
	}
	return all
}

// CommitsOf returns the commits that added the lines of a text. Lines that are not committed have none. read is how
// the bytes of the file were split into these lines.
func (r *File) CommitsOf(lines []string, read func(data []byte) []string) []Commit {
	var data []byte
	for _, l := range r.lines {
		data = append(append(data, l.text...), '\n')
	}
	commits := make([]Commit, len(lines))
	for i, at := range changes.Align(read(data), lines) {
		if at >= 0 && at < len(r.lines) {
			commits[i] = r.lines[at]
		}
	}
	return commits
}

// formerNames parses the renames in the output of git log: a time, followed by the old and the new name.
func formerNames(out, root, real string) []FormerName {
	var names []FormerName
	var at time.Time
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if seconds, err := strconv.ParseInt(line, 10, 64); err == nil {
			at = time.Unix(seconds, 0)
			continue
		}
		if cells := strings.Split(line, "\t"); len(cells) == 3 && strings.HasPrefix(cells[0], "R") {
			old := cells[1]
			if plain, err := strconv.Unquote(old); err == nil {
				old = plain // git quotes names as C does
			}
			old = filepath.FromSlash(old)
			names = append(names, FormerName{filepath.Join(root, old), filepath.Join(real, old), at})
		}
	}
	return names
}

// lineCommits parses the output of git blame --line-porcelain.
func lineCommits(out string) []Commit {
	var all []Commit
	var now Commit
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		switch word, rest, _ := strings.Cut(line, " "); {
		case strings.HasPrefix(line, "\t"):
			now.text = line[1:]
			all = append(all, now)
			now = Commit{}
		case now.Hash == "":
			now.Hash = word
		case word == "committer-time":
			if seconds, err := strconv.ParseInt(rest, 10, 64); err == nil {
				now.Time = time.Unix(seconds, 0)
			}
		}
	}
	return all
}
