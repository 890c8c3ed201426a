package changes

import "strings"

// MainTree returns the path of a file in the main work tree, given its path in a work tree that Claude Code created.
func MainTree(name string) string {
	const worktrees = "/.claude/worktrees/"
	before, after, ok := strings.Cut(name, worktrees)
	if !ok {
		return name
	}
	_, rest, inside := strings.Cut(after, "/")
	if !inside {
		return before
	}
	return before + "/" + rest
}
