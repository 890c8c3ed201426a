// Package sources recognizes the writers of session files and reads what each of them writes. A Source is one writer,
// such as Claude Code. It recognizes its files by their content, arranges them into sessions, finds the facts that are
// needed before the first session is drawn, and translates the values in them into transcript.Records.
//
// The package never opens a file: callers pass in paths, the first bytes of files, and lines.
package sources
