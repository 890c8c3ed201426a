// Package attacks writes sessions that try to get out of the pages made of them: some 560 texts, each in some of 45
// places where a session may have one, in the names of files, folders and agents, and in titles, branches and
// projects.
//
// The texts are in testdata, one a line: in Go's escapes, or "@N text" for N times the text. A text that runs calls
// pwned; one that loads something or is a link uses the host evil.invalid. The package never chooses at random: the
// same options give the same bytes. It is for tests only.
package attacks
