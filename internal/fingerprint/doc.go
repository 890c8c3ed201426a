// Package fingerprint tells whether a file or some bytes are those of before: by a stamp (size, times, inode) without
// reading, by a digest after reading. It never opens a file to read it, and keeps nothing.
package fingerprint
