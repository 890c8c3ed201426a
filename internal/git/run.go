// Package git asks git about files and commits, also in repositories that may be hostile. It never changes a
// repository, and knows nothing of sessions.
package git

import (
	"context"
	"os"
	"os/exec"
)

// Run runs git in a repository that may be hostile, so that it starts no program that the settings of the repository
// name, and fetches nothing.
func Run(ctx context.Context, dir string, args ...string) ([]byte, error) {
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
