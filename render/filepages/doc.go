// Package filepages draws the files of a project that sessions changed, each with its sessions. It never sees the
// changes themselves: it links to them.
package filepages
