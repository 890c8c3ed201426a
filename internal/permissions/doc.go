// Package permissions tells what the log of a session says of permissions: the modes that were in force, the calls that
// were stopped or asked about and who decided, and what calls reached beyond the project: files outside of it, hosts,
// and elevated rights. It never judges, never opens a file, and never draws. The rules are written in
// docs/permissions.md.
package permissions
