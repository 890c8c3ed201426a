// Package publish copies files to a place where others read them: a folder, a bucket, or a branch of a repository. It
// writes only files that differ, and records at the place what it wrote. It never changes or removes other files there,
// and knows nothing of sessions except their names.
package publish
