// Package sources tells the writers of session files apart and reads what each of them writes. A Source stands for one
// writer, such as Claude Code. It recognizes its files by their content, arranges them into sessions, finds the facts
// that are needed before the first session is drawn, and translates the values in them into transcript.Records.
//
// The package never opens a file: callers pass in paths, the first bytes of files, and lines.
package sources
