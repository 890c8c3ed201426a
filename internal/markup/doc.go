// Package markup turns text into safe HTML: Markdown, source code, terminal
// output, diffs and plain text. It is the only package that makes
// template.HTML out of user text, so whatever it returns may be in a page
// as it is.
//
// Its input is hostile. What it returns never holds an element, an attribute
// or a link that was in the input itself; never loads anything (no <img>, no
// style, no script, no data:); links only to http, https and mailto; and has
// no id that does not start with the anchor of its caller. Nothing is lost:
// what cannot be drawn is shown as the characters it is made of, and control
// and bidirectional characters, which a browser would hide, are shown by
// their number. Time and output are proportional to the input.
//
// The package does no I/O, reads no clock, starts no goroutine and imports
// internal/markup/highlight only.
//
// # The line rule
//
// HTML made by [Code], [ANSI], [Text] and [Diff] keeps this rule: no element
// spans a line end. Every tag that a line opens is closed before its newline,
// which is outside of all elements. So such HTML can be counted ([Lines]) and
// split ([Cut]) at any newline, and both halves are well formed. [Markdown]
// is not of that kind.
//
// # Classes
//
// Source code has the classes of package highlight, one letter each; names,
// operators, punctuation and blanks have none.
//
// On pages k, s, n, t, c, p and f are the elements i, u, b, var, small, cite and
// kbd, the others spans of that class: short elements make pages a seventh smaller.
// No page uses these elements but b outside of code (htmlcheck).
//
// Terminal output has a0 to a15 for the foreground, b0 to b15 for the
// background (the sixteen colours in the order of ECMA-48 with the bright
// ones from 8), and B bold, D dim, I italic, U underline, S struck, R reverse.
// A character that is shown by its number is in an element of class u.
package markup
