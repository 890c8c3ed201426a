// Package report says in facts what happened in runs of an agent: how they
// ended, what they cost, which files and commands they touched, what was denied,
// what went wrong. From the facts it writes a job summary in Markdown, JSON,
// annotations, and whether a job should fail.
//
// It is pure: it opens nothing, prints nothing and draws no page.
package report
