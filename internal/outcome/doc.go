// Package outcome finds how a session ended: the request, the mark and the words of its end, commits and pull requests,
// and the tests, linters and builds that were run. Everything follows from the log, the mark by the rules in mark.go.
// It never draws, never guesses, and uses no language model.
package outcome
