// Package sitegen finds session files by package input, builds their pages in parallel, and has package output write
// them. No other package opens session files. It never draws anything itself.
//
// # Stages
//
// A build goes through these stages, each with the files that have it:
//
//	find      walk the sources, stat the files, read the state   find.go, discover.go, packages input and state
//	compare   stop if nothing changed since the last build       listing.go, unchanged.go
//	scan      what sessions need to know about each other        scan.go, scan_state.go, writers.go
//	plan      names of projects, folders of sessions             plan.go, relations.go, family.go
//	sessions  read, redact, normalize, draw, write, in parallel  session_build.go, session_reader.go
//	indexes   search index and index pages that changed          index.go, search_index.go
//	finish    remove old files, write the state                  packages output and state
//
// Sessions need to know each other's titles and working folders, and the sessions that agents belong to.
//
// Sessions are built on all cores: first those that have changed, beginning with the largest. The pages of a large
// session and their search texts are made in parallel, too. Each page is written as soon as it is drawn, and before the
// index pages that link to it.
//
// # What may be read and written
//
// Sources and the site are opened as roots (os.Root): no link, no path in a log and no folder that was replaced during
// the build leads outside of them. Package output writes the files.
//
// # State
//
// The key of a session is a hash of all that its pages depend on: the content of the session's files, what it takes
// from other sessions, and the program with its templates, assets and options. The stamp of a file (size and times)
// only decides whether the file is read and hashed again. Package state stores both in the folder .viewer of the site,
// and appends to it what a build has changed. A damaged state causes a full build, with a message.
//
// # Sessions without files
//
// Claude Code deletes old sessions. Their pages are kept until --prune, and say so. Agents whose session file is
// gone are shown as a session with an empty main file.
//
// # Building again
//
// A [Site] is built many times by "viewer watch" and "viewer serve". It keeps the state in memory, and the records of
// the 16 sessions that changed last. If a transcript grew, it reads only the new lines and draws only the pages whose
// signature changed; the conversation itself is built anew. A last line without a line end is read after a second, a
// whole object at once. If an appended record reveals a secret that earlier files may contain, the session is read from
// the start.
//
// A new process reads a session that grew from the start. If the session is large, it draws only the pages whose
// signature changed: see stored_pages.go.
//
// # Shards
//
// [Plan], [BuildShard] and [Merge] divide the [Build] of a site among processes that share its folder: see shard.go.
package sitegen
