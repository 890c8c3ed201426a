// Package sitegen is the edge: it finds session files, builds their pages in
// parallel, and writes the site. It is the only package that opens and writes
// files; it draws nothing itself.
//
//	discover -> scan -> plan -> build sessions (longest first) -> index pages -> prune
//
// A session is written as soon as it is drawn, so that memory is bounded by
// the sessions in work and a killed build leaves a site that opens.
package sitegen
