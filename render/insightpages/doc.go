// Package insightpages draws repeated actions of sessions and their cost: a page for a site, and one for each project.
// It never counts a session itself.
package insightpages
