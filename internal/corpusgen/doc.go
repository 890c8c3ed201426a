// Package corpusgen writes folders of invented sessions in the shapes of Claude
// Code 1.0.24 to 2.1.217: for benchmarks and for tests of what is too large to
// be kept in testdata.
//
// What is drawn by lot follows what was counted in some 100 real sessions: which
// kinds of records and how many, the share of each tool and of its errors, the
// sizes of inputs and outputs (type spread), what versions wrote, the languages
// of code, the sizes of sessions in a folder. The words are our own. The same
// options give the same bytes on every machine; the package never opens a file
// or looks at a clock.
//
// To have a folder on disk: go run ./internal/corpusgen/gen -mb 200 -o DIR
package corpusgen
