// Package claude reads the sessions of Claude Code, whose records are those of package transcript: their folders, the
// names of their files, and the facts in them.
package claude

// A Source is Claude Code as a writer of sessions.
type Source struct{}
