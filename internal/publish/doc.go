// Package publish copies files to a place where others read them: a folder, a bucket, or a branch of a repository. It
// compares first, writes only what differs, and remembers there what it wrote. It never changes or removes files of
// others, and knows nothing of sessions but their names.
package publish
