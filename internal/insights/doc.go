// Package insights counts what sessions did over and over: tools, commands, hooks, denials, loops, reads, corrections.
// It never judges, never asks a model, and never opens a file.
//
// [Of] gives the facts of one session as a few rows, which a build keeps. [Total] adds up the rows of many sessions,
// and keeps for each sum the places where it comes from. The rules are written in docs/insights.md.
package insights
