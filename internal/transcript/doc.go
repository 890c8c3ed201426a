// Package transcript reads Claude Code session files: one file in, its records
// and its problems out.
//
// Every JSON value of a file becomes either a Record or a Problem with its
// place, whatever the bytes are: glued values, a torn last line, comment
// lines, invalid UTF-8, wrong types, kinds nobody has heard of. Reading never
// fails, never panics, and never drops a value uncounted.
//
// The package opens no file and knows nothing of conversations, tools or
// pages. It decodes the envelope and the content blocks; what only a drawing
// wants (tool input and results, attachments, progress data) stays raw JSON
// that shares memory with the input.
package transcript
