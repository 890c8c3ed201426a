// Package filepages draws the pages of files that sessions of a project changed, with these sessions. It never reads
// the changes themselves, only links to them.
package filepages
