// Package report collects the facts of agent runs: how they ended, what they
// cost, which files they changed and which commands they ran, what was denied, what
// failed. From the facts it makes a job summary in Markdown, JSON, annotations,
// and the decision whether a job fails. It never opens anything, prints anything
// or draws a page.
//
// [PartOf] keeps a few numbers and texts of each session, and [Of] combines them, so
// that memory does not grow with the sizes of the sessions. Where the log has a record at the
// end of a run, its numbers replace what was counted: a stream has
// placeholders for tokens. The summary has the heads of all runs first and then
// their details, as parts; a part that does not fit is left out and counted.
package report
