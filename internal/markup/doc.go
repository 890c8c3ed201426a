// Package markup turns text into safe HTML: Markdown, source code, terminal output, diffs and plain text. It is the
// only package that makes template.HTML out of user text.
//
// Its input is hostile. The result never contains an element or attribute of the input, never loads anything (no <img>,
// no style, no script, no data:), links only to http, https and mailto, and has no id that does not start with the
// anchor of the caller. Nothing is lost: what cannot be drawn is shown as plain characters, and control and
// bidirectional characters, which a browser would hide, are shown by their number. Time and output are proportional to
// the input.
//
// The package does no I/O, reads no clock, starts no goroutine and imports
// internal/markup/highlight only.
//
// # The line rule
//
// HTML made by [Code], [ANSI], [Text] and [Diff] keeps this rule: no element spans a line end. Every tag that a line
// opens is closed before its newline, which is outside of all elements. So the lines of such HTML can be counted
// ([Lines]), it can be split ([Cut]) at any newline, and both parts are well formed. [Markdown] does not keep the rule.
//
// # Classes
//
// Source code has the classes of package highlight, one letter each; names,
// operators, punctuation and blanks have none.
//
// On pages, the classes k, s, n, t, c, p and f are the elements i, u, b, var, small, cite and kbd, the others are
// spans: short elements make pages a seventh smaller. Outside of code, pages use only b of these elements (htmlcheck).
//
// Terminal output has a0 to a15 for the foreground, b0 to b15 for the
// background (the sixteen colours in the order of ECMA-48 with the bright
// ones from 8), and B bold, D dim, I italic, U underline, S struck, R reverse.
// A character that is shown by its number is in an element of class u.
package markup
