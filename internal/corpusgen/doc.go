// Package corpusgen writes sessions that are too long to be kept in testdata, in the shapes of Claude Code
// 2.1.210. It is for tests only: the same number of turns always gives the same bytes, and it never opens a
// file or looks at a clock.
package corpusgen
