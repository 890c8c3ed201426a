// Package render draws conversations: typed views -> templates -> HTML pages.
//
// A tool, a system record or an attachment is drawn by one Go file that registers a view, one template, and one
// golden case; no list is edited (see register). What has no drawing of its own is drawn generically: folded and
// complete. A view that cannot read its input also falls back to that.
//
// It is pure: pages, media and the ledger are values that others write. It never makes HTML from user text; markup
// and html/template do.
//
// # Files
//
//	session.go, outcome.go, ledger.go       what is drawn, and what others are told of it
//	session_pages.go, plan.go, pages.go     which pages there are
//	page_drawing.go, page_state.go          one page, and what it accumulates
//	story.go, outline.go, meta.go, ...      what stands around the conversation
//	changes.go, changes_*.go                what the session changed
//	turn.go, prompt.go, message.go, ...     the conversation
//	call.go, call_view.go, hook.go, ...     calls, with what belongs to them
//	attachment_*.go, system_*.go, ...       one file for each kind of record, see registry.go
//	quota.go, overflow.go, output.go, ...   texts, lists and pictures within limits
//	sign.go, page_cache.go, page_store.go   which pages are drawn again
//
// # Calls
//
// All calls share a frame (call_view.go) with hooks, errors, images, texts that the call injected, and agents. The
// view of a tool fills the row and the body only. The summary of several calls in a row is made from their rows
// (run.go), so a tool has no code for it.
//
// # Pages
//
// Where a page ends depends only on the records before that place, in file order and by their own sizes (paginate, in
// pages.go). So an append never moves an earlier end, and a late result changes only the page of its call. Totals,
// the outline, the strip and the ledger are on the first page only, so that an append changes few pages. Small agents
// are drawn inside the page of their call, large ones get pages of their own below agents/.
//
// # What a drawing may read and write
//
// Three types hold what a drawing needs, by how long it lives. sessionData is complete before the first page is drawn
// and then read-only, so that pages can be drawn at the same time. pageState is what one page accumulates: media, the
// ledger entries of its messages, changed files, how much of its quota is used, and what it looked up of the session.
// A position is the place in the conversation that a drawing has reached: clock, day, nesting. A drawing is a method
// of the smallest of them that it needs; a drawer has all three, and draws one conversation onto a page. pageDrawing
// makes the frame of a page around that: head, facts, strip, outline, pager, ledger.
//
// # Size limits
//
// No page is larger than 600 KB. A text is drawn as far as the page has space, with a link to a file that has all of
// it (quota.go). A drawing that is too large is replaced by the generic one; an item for which the page has no space
// leaves its anchors on the page, its records in a file, and a count in the ledger (overflow.go). The strip has a
// fixed maximum of marks: neighbours are merged.
//
// # Other pages
//
// Packages below this one draw pages that are not of one session: indexpages, insightpages, filepages and
// comparisonpages. They import this one for what is told of a session elsewhere, a [Summary] above all. Package single
// makes one file of sessions. This one imports page, which has what all pages are made with, prose for texts of people
// and models, and strip for the drawing along the time.
package render
