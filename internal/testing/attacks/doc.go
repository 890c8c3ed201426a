// Package attacks writes sessions that try to get out of the pages made of them: some 560 texts, each in some of 45
// places where a session may hold one, in the names of files, folders and agents, and in titles, branches and projects.
//
// The texts are in testdata, a line each: in Go's escapes, or "@N text" for N times the text. A text that runs calls
// pwned; one that loads or leads somewhere leads to evil.invalid. It is for tests only; the same options give the same
// bytes.
package attacks
