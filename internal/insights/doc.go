// Package insights counts what sessions did repeatedly: tools, commands, hooks, denials, loops, reads, corrections. It
// never judges, never uses a language model, and never opens a file.
//
// [Of] returns the facts of one session as a few rows, which are kept between builds. [Total] adds up the rows of many
// sessions, and keeps for each sum the places that it comes from. docs/insights.md has the rules.
package insights
