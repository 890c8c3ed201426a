// Package indexpages draws the pages that list sessions: those of a site, of its projects and of months. It never reads
// more of a session than its summary.
//
// [Plan] lists the pages. Each has a key of everything it shows, and is drawn only if the key changed. The first page
// of the site or of a project has as many whole months as fit in 300 KB; older months have pages of their own, and
// large months several. A script beside each of them (m/2026-03.js) has the same rows; the first page loads it for
// filtering and sorting.
//
// The packages of other pages also use [Site], [List] and [Planner].
package indexpages
