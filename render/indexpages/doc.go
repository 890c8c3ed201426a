// Package indexpages draws the pages that list sessions: those of a site, of its projects and of months. It never sees
// more of a session than its summary.
//
// [Plan] lists the pages. Each has a key that stands for all it shows, and is drawn only if the key changed. The first
// page of the site or of a project has as many whole months as fit in 300 KB; older months have pages of their own, and
// large months several. A script beside each of them (m/2026-03.js) has the same rows; the first page loads it when
// somebody filters or sorts.
//
// A [Site] with the [List] of its sessions and a [Planner] serve the packages of other pages, too.
package indexpages
