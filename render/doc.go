// Package render draws conversations: typed views -> templates -> HTML pages.
//
// A tool, a system record or an attachment is drawn by one Go file that
// registers a view, one template, and one golden case; no list is edited (see
// register). What no drawing knows is drawn generically: folded and complete.
//
// It is pure: pages, media and the ledger are values that others write. It
// makes no HTML out of user text; that is markup's and html/template's work.
package render
