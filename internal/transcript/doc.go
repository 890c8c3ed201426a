// Package transcript reads Claude Code session files: one file in, its records and its problems out.
//
// Every JSON value of a file becomes either a Record or a Problem with its place, whatever the bytes are: glued
// values, a torn last line, comment lines, invalid UTF-8, wrong types, unknown kinds. Reading never fails, never
// panics, and never drops a value without counting it.
//
// The package never opens a file and knows nothing of conversations, tools or pages. It decodes the envelope and the
// content blocks. What only a drawing needs (tool input and results, attachments, progress data) stays raw JSON that
// shares memory with the input; [Members], [Elements] and [Tokens] walk through it.
//
// # Speed
//
// A value is checked and decoded in one pass (parser, in parse.go), eight bytes at a time. What this parser refuses
// goes to jsontext, which is slower and finds the place of the mistake. Short strings that come again in each record,
// such as ids and folders, are allocated once for each file (interner).
//
// # Memory
//
// All records of a session are in memory at once. Fields that few records have are therefore in a struct of their own
// ([Rare]). The text of a file before an edit, which the result of each edit repeats, is dropped and replaced by a
// remark (unread.go): nothing shows it, and it is up to a fifth of a log.
//
// A record costs some kilobytes however few bytes it has in the file. So that a file of a million tiny values does
// not cost fifty times what ordinary text of its size does, the number of values is limited by the size of the file
// (quota.go): 8,192 values of any size, and one more for each 256 bytes. One problem says how many values were left
// out.
package transcript
