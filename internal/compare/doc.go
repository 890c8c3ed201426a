// Package compare shows runs of agents side by side: where they first part, what one did and the others did not, what
// each changed, and how it ended. It never opens anything, draws pages or says which run is better.
//
// A run is a list of steps: its prompts, and the calls of its main conversation. Two steps are the same if they are of
// the same kind and about the same thing: the text of a prompt, the file that a call reads or changes, the command that
// it runs. Paths are relative to the folder of the run, blanks are ignored, and a command that only prints a file
// counts as reading it, so that runs of different agents in different places can be compared. The results of steps are
// not compared. They are shown where they differ.
//
// [Align] finds the longest common subsequence of the steps of two runs with changes.Compare. It is exact if the runs
// differ in a few hundred steps, and close to it, in bounded time, if they differ in more. Each further run is aligned
// with the rows so far. Steps beyond [MostSteps] are counted but not compared.
package compare
