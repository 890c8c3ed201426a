// Package export writes a conversation for other programs and people: Markdown,
// text, JSON, and the messages of an API request. It never opens, prints or draws
// anything.
package export
