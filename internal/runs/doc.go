// Package runs reads runs of agents for reports and comparisons. It keeps the numbers of each run in memory and its
// texts in a temporary file, and finds the verdicts of tests and graders. It never draws pages.
package runs
