// Package sources tells the writers of session files apart and reads what each of them writes. A Source is one
// writer, such as Claude Code. It recognizes its files by their content, arranges files into sessions, finds the
// facts that must be known before the first session is drawn, and translates foreign values into transcript.Records.
//
// The package never opens a file: callers give it paths, the first bytes of files, and lines.
package sources
