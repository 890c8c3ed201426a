// Package runs reads runs of agents for reports and comparisons: it keeps the numbers of each run in memory and its
// texts in a temporary file, and finds the verdicts of others on them. It never draws, and says nothing that package
// report or compare does not.
package runs
