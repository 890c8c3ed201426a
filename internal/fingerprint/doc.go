// Package fingerprint tells whether a file or bytes have changed: by a stamp (size, times, inode) without reading, and
// by a digest after reading. It never opens a file to read it, and keeps nothing.
package fingerprint
