// Package report collects the facts of agent runs: how they ended, their cost, the files that they changed, their
// commands, denied calls and failures. From the facts it makes job summaries and comments in Markdown, JSON and
// annotations, and decides whether a job fails. It never opens or prints anything, and never draws a page.
//
// [PartOf] keeps a few numbers and texts of each session, and [Of] combines them, so that memory does not grow with the
// sizes of the sessions. If the log has a record at the end of a run, its numbers are used instead of counted ones,
// because a stream has placeholders for tokens. The summary has first the heads of all runs and then their details, in
// parts. A part that does not fit is left out and counted.
package report
