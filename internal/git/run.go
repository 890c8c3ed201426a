// Package git runs git, also in repositories that may be hostile. It never runs what the settings of a repository name,
// and knows nothing of sessions.
package git

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// A Policy says what git may do, besides starting no hook, no pager and no file system monitor.
type Policy int

const (
	// Read is for questions about a repository of others: git starts no program that its settings name, fetches
	// nothing, takes no lock, and asks for nothing.
	Read Policy = iota
	// Transfer is for a repository of the caller, whose files are fetched, committed and pushed byte for byte: git uses
	// the network, and may ask for a password. It takes no notice of the repository that variables of the environment
	// select.
	Transfer
)

// ErrNotInstalled says that there is no git.
var ErrNotInstalled = errors.New("git is not installed")

// settings are those of each policy.
var settings = map[Policy][]string{
	Read: {
		"core.quotePath=true", "blame.ignoreRevsFile=", "log.showSignature=false", "diff.external=",
		"protocol.allow=never",
	},
	Transfer: {
		"core.autocrlf=false", "core.excludesFile=" + os.DevNull, "core.attributesFile=" + os.DevNull, "gc.auto=0",
	},
}

// Run runs git in a folder and returns what it prints. The error is what git says at last.
func Run(ctx context.Context, policy Policy, dir string, args ...string) (string, error) {
	name, err := exec.LookPath("git")
	if err != nil {
		return "", ErrNotInstalled
	}
	all := []string{"--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull}
	for _, s := range settings[policy] {
		all = append(all, "-c", s)
	}
	var out, said bytes.Buffer
	c := exec.CommandContext(ctx, name, append(all, args...)...)
	c.Dir, c.Stdout, c.Stderr, c.Env = dir, &out, &said, environment(policy)
	if err := c.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", lastWord(said.String(), err)
	}
	return out.String(), nil
}

// ofRepository are the variables that select the repository of git. They are set in a hook of git, where they would
// make git use the work tree of the user instead of that of the caller.
var ofRepository = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_COMMON_DIR", "GIT_PREFIX", "GIT_NAMESPACE", "GIT_QUARANTINE_PATH", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE",
	"GIT_REPLACE_REF_BASE", "GIT_CONFIG", "GIT_CEILING_DIRECTORIES",
}

// environment returns the environment of the program as a policy has it.
func environment(policy Policy) []string {
	all := append(os.Environ(), "LC_ALL=C")
	if policy == Read {
		return append(all, "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0",
			"GIT_LITERAL_PATHSPECS=1")
	}
	return slices.DeleteFunc(all, func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains(ofRepository, name)
	})
}

// lastWord returns the error that git has printed, or the given one if it has printed nothing.
func lastWord(said string, err error) error {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	for _, line := range lines {
		if text, ok := strings.CutPrefix(line, "fatal: "); ok {
			return errors.New(text)
		}
	}
	if last := lines[len(lines)-1]; last != "" {
		return errors.New(last)
	}
	return err
}
