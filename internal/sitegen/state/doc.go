// Package state holds what a build leaves for the next one, and reads and writes it below .viewer in the site. It never
// opens a source, and decides nothing about what is built.
//
// A session's entry depends only on its own files and on what its key names. It is reused only by the same program with
// the same options. A state that cannot be read is not an error: it causes a full build, with a reason.
//
// The file "files" has size, times, inode and checksum of each source file, and size and time of each file of the
// site: it is all that a build reads when nothing has changed. The file "sessions" has one record of some 600 bytes
// for each session: its key, files, summary, ledger and problems. Both end in a checksum. A build that finds both
// appends what it has changed to the file "updates" (see [UpdatesName]) instead of writing them again.
//
// While a site is built for the first time, most of a session's entry is in a spool (see [Session.Spool]), so that
// memory does not grow with the number of sessions.
//
// A merge of a large site reads and writes the same files piece by piece, see [Stored] and [Whole].
//
// The state names no folder or file of the machine that it was made on, since a site
// is published with all that lies in it.
package state
