// Package tools says what the calls of a session mean: what a call was about, what it was given, what it changed and
// what came of it. It is the only place that knows tools by name. Pages, exports, reports and the search say what
// a Call says, each in its own way; none of them reads the input of a tool itself.
//
// Each tool is a file with one variable, which registers its name and the function that describes its calls. What no
// file knows is described by what its input looks like, and is marked as Generic.
package tools
