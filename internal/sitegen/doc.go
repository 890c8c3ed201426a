// Package sitegen finds session files, builds their pages in parallel, and writes the site. Of all packages below
// cmd/viewer only this one opens source files and writes files. It never draws anything itself.
//
// # Stages
//
// A build walks its sources, compares what it finds with the state of the last build, and ends there if nothing
// changed. Otherwise it scans the session files for what sessions need to know of each other (titles, working folder,
// the session that an agent belongs to), plans names and folders, builds the sessions that changed, draws the index
// pages that changed, removes the files that are no longer made, and writes the new state.
//
// Sessions are built on all cores: those that have changed first, the largest first among them. The pages of a large
// session and their search texts are made in parallel too. Each page is written as soon as it is drawn, and before the
// index pages that link to it.
//
// # What may be read and written
//
// Sources and the site are opened as roots (os.Root): no link, no path in a log and no folder that was replaced during
// the build leads outside of them. Files are written under a temporary name and renamed. Their names are written to a
// journal first, so that the next build can remove what a killed one left.
//
// # State
//
// The folder .viewer of a site holds what the next build needs. The file "files" has size, times, inode and checksum
// of each source file, and size and time of each file of the site: it is all that a build reads when nothing has
// changed. The file "sessions" has one record of some 600 bytes for each session: its key, files, summary, ledger and
// problems. The key is a hash of all that the pages depend on: the content of the session's files, what it takes from
// other sessions, and the program with its templates, assets and options. The stamp of a file (size and times) only
// decides whether the file is read and hashed again. The state names no file or folder of the machine, because a site
// may be published with all that lies in it. A damaged state causes a full build, with a message.
//
// # Sessions without files
//
// Claude Code deletes old sessions. Their pages stay, marked as archived, until --prune. Agents whose session file is
// gone are shown as a session with an empty main file.
//
// # Building again
//
// A [Site] is built many times by "viewer watch" and "viewer serve". It keeps the state and the records of the 16
// sessions that changed last in memory. Of a transcript that grew it reads only the new lines, and it draws only
// the pages whose signature changed; the conversation itself is built anew. A line without a line end is read after a second. When
// an appended record shows a secret that earlier files may contain too, the session is read from the start.
package sitegen
