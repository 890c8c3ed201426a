// Package compare sets runs of agents side by side: where they first part, what one did and the others did not, what
// each changed, and how it ended. It never opens anything, draws pages or says which run is better.
//
// A run is a list of steps: what was asked, and the calls of its main conversation. Two steps are the same when they
// are of the same kind and about the same thing: the text of a prompt, the file that a call reads or changes, the
// command that it runs. Paths count from the folder of each run, blanks do not count, and a command that only shows a
// file reads it, so that runs of different agents in different places can agree. What a step gave back does not count:
// it is shown where it differs.
//
// [Align] finds the longest common sequence of the steps of two runs, by changes.Compare: exact where the runs differ
// in few hundred steps, a good common sequence within bounded time where they differ in more. Each further run is
// aligned with the rows that those before it have made. Steps beyond [MostSteps] are counted and not compared.
package compare
