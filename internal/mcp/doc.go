// Package mcp answers the questions of a model about the sessions of a site over the Model Context Protocol. It reads
// and never writes, and it opens no file itself.
//
// A session may contain text that tries to give orders to its reader. So each answer begins with a line that says that
// the rest is data. Pages and their texts are redacted when a site is built, and answers are made from these.
//
// An answer has at most [MaxAnswer] bytes. A longer one ends in a cursor, which returns the next part when the same
// question is asked with it. A cursor contains a checksum of the whole answer, and is refused if the answer has changed
// meanwhile.
package mcp
