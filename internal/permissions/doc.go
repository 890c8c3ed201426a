// Package permissions collects what the log of a session contains about permissions: the modes that were in force, the
// calls that were stopped or that somebody had to allow, and what calls used outside the project, which are files,
// hosts and elevated rights. It never judges, never opens a file, and never draws. docs/permissions.md has the rules.
package permissions
