// Package input opens what sessions are read from, a folder, a file, an archive or a bucket, and lists the files in it
// that can belong to sessions. It never leaves what was opened, and does not know which files make a session.
package input
