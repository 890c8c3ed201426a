// Package state reads and writes the data that a build leaves for the next one, in the folder .viewer of the site. It
// never opens a source, and does not decide what is built.
//
// The entry of a session depends only on its key. It is reused only by the same program with the same options. A state
// that cannot be read is not an error: it causes a full build, with a reason.
//
// The file "files" has size, times, inode and checksum of each source file, and size and time of each file of the site:
// if nothing has changed, a build reads only this file. The file "sessions" has one record of one or two
// KB for each session: its key, files, summary, ledger, insights and problems. Both end in a checksum. The next build
// appends its changes to the file "updates" (see [UpdatesName]) instead of writing them again.
//
// What a build needs of few sessions, such as insights, is read from the file when it is needed. While a site is built
// for the first time, most of a session's entry is in a spool (see [Session.Spool]). So memory grows little with the
// number of sessions.
//
// A merge of a large site reads and writes the same files piece by piece, see [Stored] and [Whole].
//
// The state contains no path of the machine, since it may be published with the site.
package state
