// Package attacks writes sessions with hostile texts, which try to inject code or links into pages: some 560 texts in
// 45 places of a session, in the names of files, folders and agents, and in titles, branches and projects.
//
// The texts are in testdata, one on each line: with Go's escapes, or "@N text" for N times the text. A text that runs
// calls pwned; one that loads something or is a link uses the host evil.invalid. The package never chooses at random:
// the same options give the same bytes. It is for tests only.
package attacks
