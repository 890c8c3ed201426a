// Package insightpages draws what sessions do over and over, and what they cost: a page for a site, and one for each
// project. It never counts a session itself.
package insightpages
