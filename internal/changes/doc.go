// Package changes replays what the calls of a session did to files, and tells what is left of it in the end: the
// text of each file, its net diff, and for each line the call that wrote it.
//
// The log holds no texts of files but those that tools gave back: what stood in a file before an edit, a whole file
// that was read. Between two of these anybody may have written. Where a text of the log differs from the replayed one,
// the difference is a change of unknown hand, and no call is said to have made it.
//
// The package is pure: it opens nothing and knows no clock.
package changes
