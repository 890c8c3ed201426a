// Package tools describes the calls of a session: the subject of a call, its input, its changes and its result. No
// other package knows tools by name. Pages, exports, reports and the search show a Call, each in its own form; they
// never read the input of a tool themselves.
//
// Each tool is one file with one variable, which registers its name and the function that describes its calls. A call
// of an unknown tool is described by its input, and is marked as Generic.
package tools
