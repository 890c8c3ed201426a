// Package transcript reads session files: one file in, its records and its problems out. The records are those of
// Claude Code. Values of other agents are translated into such records (Options.Translate).
//
// Every JSON value of a file becomes either a Record or a Problem with its place, whatever the bytes are: several
// values on a line, a last line that is cut off, comment lines, invalid UTF-8, wrong types, unknown kinds. Reading
// never fails, never panics, and never drops a value without counting it.
//
// The package never opens a file and knows nothing of conversations, tools or pages. It decodes the envelope and the
// content blocks. Values that are only needed for drawing (tool input and results, attachments, progress data) stay raw
// JSON that shares memory with the input; [Members], [Elements] and [Tokens] walk through it.
//
// # Speed
//
// A value is checked and decoded in one pass (parser, in parse.go), eight bytes at a time. Values that this parser
// rejects are passed to jsontext, which is slower and finds the place of the error. Short strings that occur in each
// record, such as ids and folders, are allocated once for each file (interner).
//
// # Memory
//
// All records of a session are in memory at once. Fields that few records have are therefore in a separate struct
// ([Rare]). The text of a file before an edit, which the result of each edit repeats, is replaced by a remark
// (unread.go): no page shows it, and it is up to a fifth of a log.
//
// A record takes some kilobytes however few bytes it has in the file, so a file of a million tiny values would take
// fifty times the memory of ordinary text of its size. To prevent that, the number of values is limited by the size of
// the file (quota.go): 32,768 values of any size, and one more for each 256 bytes. One problem reports how many values
// were left out.
package transcript
