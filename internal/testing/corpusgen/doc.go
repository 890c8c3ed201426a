// Package corpusgen writes folders of invented sessions in the formats of Claude Code 1.0.24 to 2.1.217. Benchmarks use
// them, and tests of inputs that are too large for testdata.
//
// Random choices follow what was counted in some 100 real sessions: the kinds of records and their numbers, the share
// of each tool and of its errors, the sizes of inputs and outputs (type distribution), the records of each version, the
// programming languages, the sizes of sessions in a folder. All words are invented. The same options give the same
// bytes on every machine. The package never opens a file or reads a clock.
//
// Shares of bytes were counted in two collections of 30 MB and 24 MB. They differ: pictures are a tenth of the first
// and none of the second, and progress of agents is 1 and 23 percent. The generated folders follow the sum of both. The
// shares of tools follow 780 files, so Read writes more than in the two collections. Most generated sessions are small,
// so that there are many. Agents, pictures and listings of real size would not fit: pictures are smaller and more
// frequent, and listings are shorter.
//
// To write a folder: go run ./internal/testing/corpusgen/gen -mb 200 -o DIR
package corpusgen
