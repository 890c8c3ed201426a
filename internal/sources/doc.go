// Package sources tells writers of sessions apart and reads what each of them writes. A Source is one writer: it says
// by content which files are its own, arranges files into sessions, finds the facts that have to be known before the
// first session is drawn, and translates foreign values into transcript.Records.
//
// The package opens no file: paths, the beginnings of files and their lines are given to it.
package sources
