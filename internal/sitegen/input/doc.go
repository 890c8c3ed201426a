// Package input opens the sources of sessions, which are folders, files, archives and buckets, and lists their files
// that can belong to sessions. It never reads outside of a source, and does not group files into sessions.
package input
