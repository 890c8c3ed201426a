package publish

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"viewer/internal/failure"
	"viewer/internal/git"
)

// A branch of a repository is checked out into a temporary folder and pushed from there: no work tree, index or setting
// of the user's repository is touched. Only its newest commit is fetched.
//
// Earlier writers of the branch may be hostile. A link in it cannot lead git to its own repository, which is not in the
// work tree. Attributes in it have no effect, see attributes.
type branch struct {
	repository, name string // the remote that git fetches from and pushes to; the name of the branch
	dir              string // the temporary folder
	work             string // the work tree in it
	tip              string // the commit that was fetched, "" for a branch that does not exist yet
}

// attributes are those of all files of the work tree, whatever .gitattributes says there: no filter runs, and no line
// end or keyword is changed.
const attributes = "* -text -eol -ident -filter -working-tree-encoding\n"

func openBranch(ctx context.Context, repository, name string) (*branch, error) {
	b := &branch{repository: repository, name: name}
	if out, err := run(ctx, ".", "remote", "get-url", "--", repository); err == nil {
		b.repository = strings.TrimSpace(out) // the name of a remote of the repository here
	}
	if info, err := os.Stat(b.repository); err == nil && info.IsDir() {
		if b.repository, err = filepath.Abs(b.repository); err != nil {
			return nil, err
		}
	}
	out, err := run(ctx, ".", "ls-remote", "--heads", "--", b.repository, "refs/heads/"+name)
	if err != nil {
		return nil, failure.New(fmt.Errorf("reading %s: %w", b.repository, err),
			"REPOSITORY#BRANCH names a folder with a repository, the name of a remote, or an address that git knows")
	}
	b.tip = tipIn(out, "refs/heads/"+name)
	if err := b.checkOut(ctx); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

// tipIn finds the commit of a reference in the output of git ls-remote, which also has other references with the same
// ending.
func tipIn(said, reference string) string {
	for line := range strings.Lines(said) {
		if commit, name, _ := strings.Cut(strings.TrimSpace(line), "\t"); name == reference {
			return commit
		}
	}
	return ""
}

// checkOut fetches the branch into a new work tree, and lists its files for comparison.
func (b *branch) checkOut(ctx context.Context) error {
	removeAbandoned()
	var err error
	if b.dir, err = os.MkdirTemp("", folderPrefix); err != nil {
		return fmt.Errorf("creating a temporary folder: %w", failure.Cause(err))
	}
	b.work = filepath.Join(b.dir, "tree")
	repository := filepath.Join(b.dir, "repository")
	_, err = run(ctx, b.dir, "init", "--quiet", "--initial-branch=published", "--separate-git-dir="+repository, b.work)
	if err == nil {
		err = os.MkdirAll(filepath.Join(repository, "info"), 0o700) // which a template may not have
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(repository, "info", "attributes"), []byte(attributes), 0o600)
	}
	if err == nil && b.tip != "" {
		_, err = run(ctx, b.work, "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--",
			b.repository, "refs/heads/"+b.name)
		if err == nil {
			_, err = run(ctx, b.work, "reset", "--quiet", "--hard", "FETCH_HEAD")
		}
	}
	if err != nil {
		return fmt.Errorf("reading branch %s of %s: %w", b.name, b.repository, failure.Cause(err))
	}
	return nil
}

// folderPrefix begins the names of the temporary folders.
const folderPrefix = "viewer-branch-"

// removeAbandoned removes the folders of runs that were killed. A run that waits for an answer may take long, but not
// longer than a day.
func removeAbandoned() {
	folders, _ := filepath.Glob(filepath.Join(os.TempDir(), folderPrefix+"*")) // fails for bad patterns only
	for _, dir := range folders {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() && time.Since(info.ModTime()) > 24*time.Hour {
			os.RemoveAll(dir) // fails for those of others
		}
	}
}

func (b *branch) close() {
	if b.dir != "" {
		os.RemoveAll(b.dir)
	}
}

// push commits the work tree and pushes the commit. With rewrite, it has no parent.
func (b *branch) push(ctx context.Context, message string, rewrite bool) error {
	if _, err := run(ctx, b.work, "add", "--all", "--force", "."); err != nil {
		return fmt.Errorf("adding the files: %w", err)
	}
	if rewrite && b.tip != "" {
		if _, err := run(ctx, b.work, "update-ref", "-d", "refs/heads/published"); err != nil {
			return fmt.Errorf("replacing the history: %w", err)
		}
	}
	if _, err := run(ctx, b.work, "commit", "--quiet", "--allow-empty", "-m", message); err != nil {
		return failure.New(fmt.Errorf("committing: %w", err),
			"git config --global user.name and user.email say who commits")
	}
	args := []string{"push", "--quiet"}
	if rewrite { // unless somebody else has pushed meanwhile
		args = append(args, "--force-with-lease=refs/heads/"+b.name+":"+b.tip)
	}
	args = append(args, "--", b.repository, "HEAD:refs/heads/"+b.name)
	if _, err := run(ctx, b.work, args...); err != nil {
		return failure.New(fmt.Errorf("pushing to branch %s of %s: %w", b.name, b.repository, err),
			"run it again if somebody else has pushed meanwhile")
	}
	if rewrite {
		return b.forget(ctx)
	}
	return nil
}

// forget removes the commits of a bare repository on this machine that no branch refers to any more. It leaves other
// repositories alone: those of a host to the host, and one with a work tree to its owner, who may need lost commits.
func (b *branch) forget(ctx context.Context) error {
	if info, err := os.Stat(b.repository); err != nil || !info.IsDir() {
		return nil
	}
	if bare, err := run(ctx, b.repository, "rev-parse", "--is-bare-repository"); err != nil ||
		strings.TrimSpace(bare) != "true" {
		return nil
	}
	_, _ = run(ctx, b.repository, "reflog", "expire", "--expire=now", "refs/heads/"+b.name) // most have none
	for _, step := range [][]string{
		{"repack", "-q", "-a", "-d"},
		{"prune", "--expire=now"},
	} {
		if _, err := run(ctx, b.repository, step...); err != nil {
			return fmt.Errorf("removing old commits of %s: %w", b.repository, err)
		}
	}
	return nil
}

// IsForgotten reports whether no commit of the former history is left after it was rewritten.
func (p *Place) IsForgotten(ctx context.Context) bool {
	if p.branch == nil {
		return true
	}
	bare, err := run(ctx, p.branch.repository, "rev-parse", "--is-bare-repository")
	return err == nil && strings.TrimSpace(bare) == "true"
}

// IsHistory reports whether the branch has commits, from which deleted files can be restored.
func (p *Place) IsHistory() bool { return p.branch != nil && p.branch.tip != "" }

// HasOldCommits reports whether the branch has more than one commit.
func (p *Place) HasOldCommits(ctx context.Context) bool {
	if !p.IsHistory() {
		return false
	}
	commit, err := run(ctx, p.branch.work, "cat-file", "commit", p.branch.tip) // names parents that were not fetched
	head, _, _ := strings.Cut(commit, "\n\n")
	return err != nil || strings.Contains(head, "\nparent ")
}

// run runs git in a repository of the program, or one that others publish to.
func run(ctx context.Context, dir string, args ...string) (string, error) {
	return git.Run(ctx, git.Transfer, dir, args...)
}
