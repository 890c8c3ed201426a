// Package listing formats sessions, groups of sessions and their sums as tables of text and as values for JSON. It
// never prints, and it reads no logs.
package listing
