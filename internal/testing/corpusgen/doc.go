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
// Shares of bytes were counted in two collections together, of 30 and of 24 MB,
// which differ: pictures are a tenth of the first and none of the second, what
// progress says of agents is 1 and 23 percent. The figure of both is what a
// folder has on the whole; the shares of tools are those of 780 files, so that
// Read writes more than it did in the two. Agents, pictures and listings are
// larger in reality than most of our sessions, which are small so that there are
// many: pictures are cut to what there is room for and are more frequent,
// listings are shorter.
//
// To have a folder on disk: go run ./internal/testing/corpusgen/gen -mb 200 -o DIR
package corpusgen
