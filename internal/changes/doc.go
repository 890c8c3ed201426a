// Package changes replays what the calls of a session did to files. The result is the text of each file, its net
// diff, and for each line the call that wrote it. It never opens a file and never reads a clock.
//
// A log has no texts of files except those that tools returned: a file before an edit, or a whole file that was read or
// printed.
// Between two of these anybody may have written to the file. Where a text of the log differs from the replayed one,
// the difference is an unattributed change: it is never assigned to a call.
package changes
