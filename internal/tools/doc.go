// Package tools says what the calls of a session mean: what a call was about, what it was given, what it changed and
// what its result was. No other package knows tools by name. Pages, exports, reports and the search show what a Call
// says, each in its own form; they never read the input of a tool themselves.
//
// Each tool is one file with one variable, which registers its name and the function that describes its calls. A call
// of an unknown tool is described by what its input looks like, and is marked as Generic.
package tools
